import { messages } from '../messages/messages.ts';
import { button, escape, form, paragraph } from './html.ts';

const codeField = (typed: string) =>
  `<label for="code">${messages.code}</label><input class="code" id="code" name="code" autocomplete="off" autocapitalize="characters" spellcheck="false" maxlength="20" placeholder="ABCD-EFGH" value="${escape(typed)}" required>`;

export const codeForm = (proof: string, typed: string, action: 'link' | 'other' = 'link') =>
  `<section>${form(action, proof, `${codeField(typed)}${button(messages.connect)}`)}</section>`;

export const otherAccountPage = (proof: string, typed: string): string =>
  `<h1>${escape(messages.otherAccount)}</h1>${paragraph(messages.otherAccountMore)}${codeForm(proof, typed, 'other')}`;
