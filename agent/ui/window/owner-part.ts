import type { Question } from '../../ports.ts';
import { calmMessages } from '../messages/calm-screen.ts';
import { messages } from '../messages/messages.ts';
import { button, escape, form, paragraph } from './html.ts';
import { headline } from './incident-part.ts';
import { asksPin, pinField } from './pause-page.ts';
import type { WindowState } from './state.ts';

/** Whose computer it is, on every page (P10.8). */
export const ownerPart = ({ link, holder }: WindowState): string =>
  `<p class="owner">${escape(link.state === 'linked' ? messages.owner.belongs(holder) : messages.owner.nobody)}</p>`;

/**
 * Whose computer it would be. No is the first button of the form, so that it is also what Enter does, and it has the focus; Escape presses it
 * (`liveScript`). That yes takes its time is the agent's to keep, not the page's.
 */
export function questionPart({ id, holder, device }: Question, state: WindowState, proof: string): string {
  const { question } = messages;
  const linked = state.link.state === 'linked';
  const answer = (value: string, text: string, more: string) => `<button name="answer" value="${value}"${more}>${escape(text)}</button>`;
  const whose = state.holder ? question.pin(state.holder) : linked ? question.pinUnknown : question.pinStill;
  const pin = asksPin(state) ? `${paragraph(whose)}${pinField()}` : '';
  const inside = [
    `<input type="hidden" name="question" value="${escape(id)}">`,
    answer('no', question.no, ' autofocus formnovalidate data-escape'),
    `<p class="soft">${escape(question.slow)}</p>`,
    pin,
    answer('yes', question.yes(holder), ' class="quiet"'),
  ];
  const texts = [question.would(holder, device), question.decides(holder), linked ? question.now(state.holder) : question.nowFree];
  return [
    `<h1>${escape(question.title(holder))}</h1>`,
    `<section>${texts.map(paragraph).join('')}<p class="stranger"><strong>${escape(question.stranger)}</strong></p>${form('answer', proof, inside.join(''))}</section>`,
    // What was just stopped may be why somebody asks.
    state.incident ? `<section><h2>${escape(headline(state.incident))}</h2>${paragraph(calmMessages.hangUp)}</section>` : '',
  ].join('');
}

/** That it is about to leave, that nothing weaker than strict is in force, and the way back. */
export function changedHandsPart({ link, family, holder, undo, strict_for, leaves_in }: WindowState, proof: string): string {
  if (link.state !== 'linked') return '';
  const told = messages.willTell(family, holder);
  const leaving =
    leaves_in === null
      ? ''
      : `<section><h2>${escape(messages.leaving.title)}</h2>${paragraph(messages.leaving.more(leaves_in, holder))}${told ? paragraph(told) : ''}${form('stay', proof, button(messages.leaving.keep))}</section>`;
  const texts = undo && [
    messages.undo.more(holder),
    undo.to === 'free' ? messages.undo.free : messages.undo.account(undo.holder),
    ...(holder ? [messages.undo.told(holder)] : []),
  ];
  const back = texts
    ? `<section><h2>${escape(messages.undo.title)}</h2>${paragraph(texts.join(' '))}${form('undo', proof, button(messages.undo.button, 'quiet'))}</section>`
    : '';
  const strict = strict_for > 0 ? `<p class="note">${escape(messages.firstDay.strict(strict_for))}</p>` : '';
  return `${leaving}${strict}${back}`;
}
