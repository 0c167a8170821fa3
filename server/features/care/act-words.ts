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
  guardian_removed: ({ who, what }) => `${who} removed ${what} as a guardian.`,
  email_changed: ({ who }) => `${who} changed the email address of the account.`,
  phone_changed: ({ who }) => `${who} changed the phone number of the account.`,
  password_changed: ({ who }) => `${who} changed the password of the account.`,
  alerts_off: ({ who, what }) => `${who} switched off ${what} about threats.`,
  silence_later: ({ who, what }) => `${who} chose to hear of a silent device only after ${what}.`,
  pin_guessed: ({ device }) => `Somebody typed ${agentLimits.pin_tries} wrong Admin PINs on ${device}.`,
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
  guardian_removed: 'Nobody writes to them any more when something happens.',
  email_changed: 'Mails about threats go to the new address now.',
  phone_changed: 'Texts about threats do not go to the old number any more.',
  password_changed: 'Only the new one opens the account.',
  alerts_off: 'Threats are told another way only.',
  silence_later: 'A computer that goes missing is noticed later.',
  pin_guessed: 'Protection goes on there. No PIN is taken for a while.',
  asked: 'It is still stopped. Ask them who wants it before you allow it.',
};

/** The same of what is over by the time it is told. */
export const actMeaningOnceOver: Partial<Record<ActKind, string>> = {
  paused: 'It is over: protection goes on there.',
  pin_guessed: 'Protection went on there.',
};

/** What cannot wait until the mail is read. */
export const actIsUrgent: Record<ActKind, boolean> = {
  pin_shown: false,
  pin_reset: true,
  allowed: true,
  profile_chosen: true,
  profile_changed: true,
  paused: true,
  uninstalled: true,
  device_removed: true,
  guardian_removed: true,
  email_changed: true,
  phone_changed: true,
  password_changed: false,
  alerts_off: true,
  silence_later: false,
  pin_guessed: true,
  asked: false,
};

/** What the holder already gets a mail about, with a button of its own. */
export const holderKnows: ReadonlySet<ActKind> = new Set(['email_changed', 'password_changed']);
