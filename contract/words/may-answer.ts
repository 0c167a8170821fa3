import type { PressRefusal } from '../emergency-stops.ts';
import type { MayNotAnswer } from '../may-answer.ts';

const mobileData = 'over mobile data: switch Wi-Fi off on your phone.';
/** They have a time from which the reader may. */
type Later = 'too_early' | 'stopped' | 'first_day';
const sentences: Record<Exclude<MayNotAnswer, Later>, string> = {
  preview: 'This is what your guardian sees. Only they can answer here.',
  place: `You are at a computer of this account, so someone else must answer, or you ${mobileData}`,
  place_number: `You are at a computer of this account. Add your phone number in your settings, and enter the code we text you. Then you can answer here. Or answer ${mobileData}`,
  new_guardian: 'You became a guardian less than three days ago, so someone else must answer.',
  new_password:
    'Your password was changed while this was open, so it does not count until this is over. Someone else must answer, or you with an earlier passkey.',
  own_computer: 'Someone else must answer, so that no stranger can talk you into it.',
  number: 'First we text you a code, to show that it’s you. Add your phone number in your settings. A new number counts after three days.',
  no_texts: 'This service sends no text messages, so we can’t check that it’s you. Someone else must do it, with their password.',
};

/** Why the reader may not answer yet. `from`: when they may, like `at 2:05 PM`. */
export function notYetWords(reason: MayNotAnswer, from: string): string {
  if (reason === 'too_early') return `You can end this ${from}, with your password.`;
  return reason === 'stopped'
    ? `Everything is stopped on this computer now. Something can be allowed there ${from}, or once it’s over.`
    : `This computer is new here and stays on Strict for a day. Something can be allowed there ${from}.`;
}

/** Why the reader may not answer at all. */
export const mayNotAnswerWords = (reason: Exclude<MayNotAnswer, Later>): string => sentences[reason];

/** Why a guardian may not press. `inWords`: like `on Tuesday at 2:05 PM`. */
export function mayNotPressWords({ reason, holder, device, pressed, again }: PressRefusal, inWords: (time: Date) => string): string {
  if (reason === 'not_allowed') return `${holder} has not allowed you to cut the internet on ${device}.`;
  const next = again === null ? '' : inWords(new Date(again));
  if (reason === 'cut_twice') return `The internet on ${device} was cut twice within a day. You can cut it again ${next}.`;
  return `You pressed Stop this ${pressed && inWords(new Date(pressed))}, and we found nothing since. You can press it again ${next}, or as soon as we find something.`;
}
