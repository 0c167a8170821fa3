import { button, escape, form, paragraph } from './html.ts';
import { pinField } from './pause-page.ts';
import { words } from './words.ts';

const codeField = (typed: string) =>
  `<label for="code">${words.code}</label><input class="code" id="code" name="code" autocomplete="off" autocapitalize="characters" spellcheck="false" maxlength="20" placeholder="ABCD-EFGH" value="${escape(typed)}" required>`;

/** For a computer that belongs to nobody. */
export const codeForm = (proof: string, typed: string) =>
  `<section>${form('link', proof, `${codeField(typed)}${button(words.connect)}`)}</section>`;

/** To another account: by a code, or by the link that was handed over. `typed`: a code that was refused, which is not taken away for a link that came meanwhile. */
export function otherAccountPage(pending: string | null, proof: string, typed: string): string {
  const title = `<h1>${escape(words.otherAccount)}</h1>`;
  if (pending === null || typed)
    return `${title}${paragraph(words.otherAccountMore)}<section>${form('other', proof, `${codeField(typed)}${pinField()}${button(words.connect)}`)}</section>`;
  // The form says which link it was drawn for: another one may come before it is sent.
  const handed = `<input type="hidden" name="handed" value="${escape(pending)}">`;
  const forms = [
    form('other', proof, `${handed}${pinField()}${button(words.connect)}`),
    form('forget', proof, button(words.forgetLink, 'quiet')),
  ];
  return `${title}${paragraph(words.pendingLink)}<section>${forms.join('')}</section>`;
}
