import { agentLimits } from '@porchlight/contract/agent-limits.ts';
import { brand } from '@porchlight/contract/brand.ts';
import type { ActKind } from '@porchlight/contract/care.ts';

/** What the words of an act are made from. */
export interface ActFacts {
  kind: ActKind;
  /** First name of who did it, or `You`. */
  who: string;
  device: string;
  what: string;
}

/** Each as one sentence that reads as well with a name as with `You`. */
const sentences: Record<ActKind, (facts: ActFacts) => string> = {
  pin_shown: ({ who }) => `${who} looked at the Admin PIN.`,
  pin_reset: ({ who }) => `${who} made a new Admin PIN.`,
  allowed: ({ who, what, device }) => `${who} allowed ${what} on ${device}.`,
  profile_chosen: ({ who, what, device }) => `${who} put ${device} on ${what}, which stops less.`,
  profile_changed: ({ who, what }) => `${who} changed the profile ${what}, which now stops less.`,
  paused: ({ what, device }) => `Protection on ${device} was paused until ${what}.`,
  uninstalled: ({ device }) => `${brand.name} was uninstalled from ${device}.`,
  device_removed: ({ who, device }) => `${who} removed ${device} from the account.`,
  guardian_added: ({ who, what }) => `${who} asked ${what} to be a guardian.`,
  guardian_removed: ({ who, what }) => `${who} removed ${what} as a guardian.`,
  email_changed: ({ who }) => `${who} changed the email address of the account.`,
  phone_changed: ({ who }) => `${who} changed the phone number of the account.`,
  password_changed: ({ who }) => `${who} changed the password of the account.`,
  alerts_off: ({ who, what }) => `${who} switched off ${what} about threats.`,
  silence_later: ({ who, what }) => `${who} chose to hear of a silent device only after ${what}.`,
  pin_guessed: ({ device }) => `Somebody typed ${agentLimits.pin_tries} wrong Admin PINs on ${device}.`,
  moved: ({ device }) => `${device} was connected to another account.`,
  undone: ({ device }) => `Somebody on ${device} undid that it belongs to this account.`,
  leaving: ({ device }) => `An administrator of ${device} wants it to leave this account.`,
  left: ({ device }) => `${device} has left this account.`,
  person_changed: ({ who, what, device }) => `${who} changed who uses ${device} to ${what}.`,
  asked: ({ what, device }) => `Somebody on ${device} asked to use ${what}.`,
};

export const actSentence = (facts: ActFacts): string => sentences[facts.kind](facts);

/** Why anyone should care, in one sentence. */
export const actMeaning: Record<ActKind, string> = {
  pin_shown: 'With the PIN, protection can be paused or removed.',
  pin_reset: 'With the PIN, protection can be paused or removed. The old one no longer works.',
  allowed: 'It can be used there now, by anyone. Scammers can use it too.',
  profile_chosen: 'Some things that were stopped before are not stopped there any more.',
  profile_changed: 'Some things that were stopped before are not stopped any more, on every device with this profile.',
  paused: 'Nothing is stopped there until then.',
  uninstalled: 'Nothing protects that computer any more.',
  device_removed: 'Its alerts are gone, and nobody hears of new ones.',
  guardian_added: 'A guardian sees how your computers are, and gets every alert.',
  guardian_removed: 'Nobody writes to them any more when something happens.',
  email_changed: 'Mails about threats go to the new address now.',
  phone_changed: 'Texts about threats do not go to the old number any more.',
  password_changed: 'Only the new one opens the account.',
  alerts_off: 'Threats are told another way only.',
  silence_later: 'A computer that goes missing is noticed later.',
  pin_guessed: 'Protection goes on there. No PIN is taken for a while.',
  moved: 'Nobody hears of new alerts there. Whoever sits there typed the Admin PIN, and can undo it in the Porchlight window for a day.',
  undone: 'Nobody hears of new alerts there. What protected it before protects it again.',
  leaving: 'It leaves in 24 hours. Until then anyone there can press Keep it in the Porchlight window.',
  left: 'Nobody hears of new alerts there.',
  person_changed: 'Our alerts now speak of that person, and say to call them.',
  asked: 'It is still stopped. Ask them who wants it before you allow it.',
};

/** The same of what is over by the time it is told. */
export const actMeaningOnceOver: Partial<Record<ActKind, string>> = {
  paused: 'It is over: protection goes on there.',
  pin_guessed: 'Protection went on there.',
};

/** What the holder already gets a mail about, with a button of its own. */
export const holderKnows: ReadonlySet<ActKind> = new Set(['email_changed', 'password_changed']);
