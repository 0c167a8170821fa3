import { agentLimits } from '@porchlight/contract/agent-limits.ts';
import { messages } from '../messages/messages.ts';
import { button, escape, form, paragraph } from './html.ts';
import type { WindowState } from './state.ts';

/** Whether weakening protection needs the PIN: also for a day after the account removed this computer (P10.9). */
export const asksPin = ({ link: { state }, pin_for }: Pick<WindowState, 'link' | 'pin_for'>) => state === 'linked' || pin_for > 0;

export const canPause = ({ link: { state }, paused_for, strict_for }: WindowState): boolean =>
  state === 'linked' && paused_for === 0 && strict_for === 0;

type Locked = Pick<WindowState, 'locked' | 'relatives'>;

/** A code may be seen; `autocomplete` is off, so that the browser does not store the PIN. */
export const secretInput = ({ locked, relatives }: Locked, id = 'pin') =>
  `<label for="${id}">${escape(locked ? messages.lock.label(relatives) : messages.pin.label)}</label><input id="${id}" name="pin" type="${locked ? 'text' : 'password'}" inputmode="numeric" autocomplete="off" maxlength="20" required aria-describedby="pin-where">`;

/** The sentence below the field: where the PIN is, or why it is not enough. */
export const secretWhere = ({ locked, relatives }: Locked) =>
  `<p class="soft" id="pin-where">${escape(locked ? messages.lock.pinNotEnough(relatives) : messages.pin.where)}</p>`;

/** The field of the PIN, or of a one-time code while the PIN alone is not enough. */
export const secretField = (state: Locked) => `${secretInput(state)}${secretWhere(state)}`;

export function pausePage(state: WindowState, proof: string): string {
  const { relatives, holder } = state;
  const choices = agentLimits.pause_minutes.map(
    (n, i) =>
      `<label class="choice"><input type="radio" name="minutes" value="${n}"${i === 1 ? ' checked' : ''}>${messages.pause.minutes(n)}</label>`,
  );
  const formContent = [
    `<fieldset><legend>${messages.pause.how}</legend>${choices.join('')}</fieldset>`,
    secretField(state),
    `<label class="choice"><input type="checkbox" name="understood" value="yes" required>${escape(messages.pause.understood)}</label>`,
    button(messages.pause.go),
  ];
  const warning = [messages.pause.warning, messages.willNotify(relatives, holder), messages.pause.caller].filter(Boolean).join(' ');
  return `<h1>${messages.pause.title}</h1>${paragraph(warning)}<section>${form('pause', proof, formContent.join(''))}</section>`;
}

export function pausedPart(timeLeft: number, proof: string): string {
  return `<h1>${messages.pause.now}</h1><section><p class="clock" role="timer">${messages.pause.clock(timeLeft)}</p>${paragraph(messages.pause.left(timeLeft))}${paragraph(messages.pause.meanwhile)}${form('resume', proof, button(messages.pause.resume))}</section>`;
}
