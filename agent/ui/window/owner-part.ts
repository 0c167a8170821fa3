import type { Question } from '../../ports.ts';
import { calmMessages } from '../messages/calm-screen.ts';
import { messages } from '../messages/messages.ts';
import { button, escape, form, paragraph } from './html.ts';
import { headline } from './incident-part.ts';
import { asksPin, secretField } from './pause-page.ts';
import type { WindowState } from './state.ts';

export const ownerPart = ({ link, holder }: WindowState): string =>
  `<p class="owner">${escape(link.state === 'linked' ? messages.owner.belongs(holder) : messages.owner.nobody)}</p>`;

/**
 * The consent question. "No" is the first button and has the focus, so that Enter and Escape choose it. The agent, not the page, enforces
 * the delay of "yes".
 */
export function questionPart({ id, holder, device }: Question, state: WindowState, proof: string): string {
  const { question } = messages;
  const linked = state.link.state === 'linked';
  const answer = (value: string, text: string, more: string) => `<button name="answer" value="${value}"${more}>${escape(text)}</button>`;
  const pinText = state.holder ? question.pin(state.holder) : question.pinStill;
  const pin = asksPin(state) ? `${state.locked ? '' : paragraph(pinText)}${secretField(state)}` : '';
  const formContent = [
    `<input type="hidden" name="question" value="${escape(id)}">`,
    answer('no', question.no, ' autofocus formnovalidate data-escape'),
    `<p class="soft">${escape(question.slow)}</p>`,
    pin,
    answer('yes', question.yes(holder), ' class="quiet"'),
  ];
  const texts = [question.would(holder, device), question.decides(holder), linked ? question.now(state.holder) : question.nowFree];
  return [
    `<h1>${escape(question.title(holder))}</h1>`,
    `<section>${texts.map(paragraph).join('')}<p class="stranger"><strong>${escape(question.stranger)}</strong></p>${form('answer', proof, formContent.join(''))}</section>`,
    // The stopped program is shown too: it may be why a stranger asks for the link.
    state.incident
      ? `<section><h2>${escape(headline(state.incident, state.relatives))}</h2>${paragraph(calmMessages.hangUp)}</section>`
      : '',
  ].join('');
}

/** Behind a line of its own while it takes a code, so that the calm screen stays short. */
const undoPart = (inside: string, locked: boolean) =>
  locked
    ? `<details><summary>${escape(messages.undo.title)}</summary>${inside}</details>`
    : `<section><h2>${escape(messages.undo.title)}</h2>${inside}</section>`;

export function accountChangePart(state: WindowState, proof: string): string {
  const { link, relatives, holder, undo, strict_for, leaves_in, locked } = state;
  if (link.state !== 'linked') return '';
  const notified = messages.willNotify(relatives, holder);
  const leaving =
    leaves_in === null
      ? ''
      : `<section><h2>${escape(messages.leaving.title)}</h2>${paragraph(messages.leaving.more(leaves_in, holder))}${notified ? paragraph(notified) : ''}${form('stay', proof, button(messages.leaving.keep))}</section>`;
  const texts = undo && [
    messages.undo.more(holder, !locked),
    undo.to === 'free' ? messages.undo.free : messages.undo.account(undo.holder),
    ...(holder ? [messages.undo.told(holder)] : []),
  ];
  const back = texts
    ? undoPart(
        `${paragraph(texts.join(' '))}${form('undo', proof, `${locked ? secretField(state) : ''}${button(messages.undo.button, 'quiet')}`)}`,
        locked,
      )
    : '';
  const strict = strict_for > 0 ? `<p class="note">${escape(messages.firstDay.strict(strict_for))}</p>` : '';
  return `${leaving}${strict}${back}`;
}
