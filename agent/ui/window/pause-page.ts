import { agentLimits } from '@porchlight/contract/agent-limits.ts';
import { messages } from '../messages/messages.ts';
import { button, escape, form, paragraph } from './html.ts';
import type { WindowState } from './state.ts';

/** Whether weakening protection needs the PIN: also for a day after the account removed this computer (P10.9). */
export const asksPin = ({ link: { state }, pin_for }: Pick<WindowState, 'link' | 'pin_for'>) => state === 'linked' || pin_for > 0;

export const canPause = ({ link: { state }, paused_for, strict_for }: WindowState): boolean =>
  state === 'linked' && paused_for === 0 && strict_for === 0;

/** `autocomplete` is off, so that the browser does not store the PIN. */
export const pinField = () =>
  `<label for="pin">${messages.pin.label}</label><input id="pin" name="pin" type="password" inputmode="numeric" autocomplete="off" maxlength="20" required aria-describedby="pin-where"><p class="soft" id="pin-where">${escape(messages.pin.where)}</p>`;

export function pausePage({ relatives, holder }: WindowState, proof: string): string {
  const choices = agentLimits.pause_minutes.map(
    (n, i) =>
      `<label class="choice"><input type="radio" name="minutes" value="${n}"${i === 1 ? ' checked' : ''}>${messages.pause.minutes(n)}</label>`,
  );
  const formContent = [
    `<fieldset><legend>${messages.pause.how}</legend>${choices.join('')}</fieldset>`,
    pinField(),
    `<label class="choice"><input type="checkbox" name="understood" value="yes" required>${escape(messages.pause.understood)}</label>`,
    button(messages.pause.go),
  ];
  const warning = [messages.pause.warning, messages.willNotify(relatives, holder), messages.pause.caller].filter(Boolean).join(' ');
  return `<h1>${messages.pause.title}</h1>${paragraph(warning)}<section>${form('pause', proof, formContent.join(''))}</section>`;
}

export function pausedPart(timeLeft: number, proof: string): string {
  return `<h1>${messages.pause.now}</h1><section><p class="clock" role="timer">${messages.pause.clock(timeLeft)}</p>${paragraph(messages.pause.left(timeLeft))}${paragraph(messages.pause.meanwhile)}${form('resume', proof, button(messages.pause.resume))}</section>`;
}
