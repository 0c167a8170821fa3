import { button, escape, form, paragraph } from './html.ts';
import { pinField } from './pause-page.ts';
import { words } from './words.ts';

const codeField = (typed: string) =>
  `<label for="code">${words.code}</label><input class="code" id="code" name="code" autocomplete="off" autocapitalize="characters" spellcheck="false" maxlength="20" placeholder="ABCD-EFGH" value="${escape(typed)}" required>`;

/** For a computer that belongs to nobody. */
export const codeForm = (proof: string, typed: string) =>
  `<section>${form('link', proof, `${codeField(typed)}${button(words.connect)}`)}</section>`;

/** To another account: by a code, or by the link that was handed over. */
export function otherAccountPage(pending: boolean, proof: string, typed: string): string {
  const inside = `${pending ? '' : codeField(typed)}${pinField()}${button(words.connect)}`;
  const why = pending ? words.pendingLink : words.otherAccountMore;
  return `<h1>${escape(words.otherAccount)}</h1>${paragraph(why)}<section>${form('other', proof, inside)}</section>`;
}
