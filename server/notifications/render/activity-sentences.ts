import type { ActivityKind } from '@porchlight/contract/activity-log.ts';
import { agentLimits } from '@porchlight/contract/agent-limits.ts';
import { brand } from '@porchlight/contract/brand.ts';
import { supportName } from '../../texts/formatting.ts';

export interface ActFacts {
  kind: ActivityKind;
  /** The first name of the user who did it, or `You`. */
  who: string;
  device: string;
  what: string;
}

/** Each sentence is correct for a name as well as for `You`. */
const sentences: Record<ActivityKind, (facts: ActFacts) => string> = {
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
  alerts_off: ({ who, what }) => `${who} turned off ${what} about threats.`,
  outage_later: ({ who, what }) => `${who} chose to hear of a silent device only after ${what}.`,
  browsers_off: ({ who }) => `${who} turned off browser protection.`,
  resolver_off: ({ who, what }) => `${who} stopped using ${what} to look up websites.`,
  pin_guessed: ({ device }) => `Somebody typed ${agentLimits.pin_tries} wrong Admin PINs on ${device}.`,
  moved: ({ device }) => `${device} was connected to another account.`,
  undone: ({ device }) => `Somebody on ${device} undid that it belongs to this account.`,
  leaving: ({ device }) => `An administrator of ${device} wants it to leave this account.`,
  left: ({ device }) => `${device} has left this account.`,
  person_changed: ({ who, what, device }) => `${who} changed who uses ${device} to ${what}.`,
  ask_first_off: ({ who }) => `${who} turned off Ask first.`,
  isolation_off: ({ who, what }) => `${who} no longer ${who === 'You' ? 'let' : 'lets'} ${what} cut the internet.`,
  guardians_reordered: ({ who, what }) => `${who} changed the order in which guardians are called: ${what} comes first.`,
  call_consent_off: ({ who, what, device }) => `${who} ended our phone calls to ${what || `the user of ${device}`} after a stop.`,
  sign_in_added: ({ who, what }) => `${who} added ${what} to log in with.`,
  sign_in_removed: ({ who, what }) => `${who} removed ${what} from the ways to log in.`,
  recovery_codes_made: ({ who }) => `${who} made new recovery codes.`,
  recovery_code_used: ({ who, what }) => `${who} logged in with a recovery code${what && ` (${what})`}.`,
  logged_out_everywhere: ({ who }) => `${who} logged out everywhere.`,
  account_downloaded: ({ who }) => `${who} downloaded the data of the account.`,
  deletion_asked: ({ who, what }) => `${who} asked us to delete the account on ${what}.`,
  deletion_stopped: ({ who }) => `${who} stopped the deletion of the account.`,
  unlisted_off: ({ who, what }) => `${who} turned off ${what}.`,
  device_added: ({ who, what, device }) => `${who} added ${device}${what && ` for ${what}`}.`,
  device_unknown: ({ who, device }) => `${who} ${who === 'You' ? 'do' : 'does'} not know ${device}.`,
  left_out: ({ what, device }) => `${brand.name} got stuck on ${device} at ${what}, and skips that for a day.`,
  asked: ({ what, device }) => `Somebody on ${device} asked to use ${what}.`,
};

export const actSentence = (facts: ActFacts): string => sentences[facts.kind](facts);

/**
 * In an incident these wait for nobody's yes, so a stranger with the password does them too. We know only the account then:
 * *Ann changed the password* would say more than that. `who`: the first name of the holder.
 */
const accountSentences: Partial<Record<ActivityKind, (facts: ActFacts) => string>> = {
  password_changed: ({ who }) => `The password of ${who}’s account was changed.`,
  sign_in_added: ({ who, what }) => `${who}’s account has a new way to log in: ${what}.`,
  sign_in_removed: ({ who, what }) => `${who}’s account lost a way to log in: ${what}.`,
  recovery_codes_made: ({ who }) => `New recovery codes were made for ${who}’s account.`,
  recovery_code_used: ({ who, what }) => `A recovery code opened ${who}’s account${what && ` (${what})`}.`,
  logged_out_everywhere: ({ who }) => `Every browser was logged out of ${who}’s account.`,
  account_downloaded: ({ who }) => `The data of ${who}’s account was downloaded.`,
  deletion_stopped: ({ who }) => `The deletion of ${who}’s account was stopped.`,
};

const cannotSeeWho = 'We can’t see who did it.';

/** For guardians. `note`: follows the sentence, or is empty. */
export function sentenceForGuardian(facts: ActFacts): { sentence: string; note: string } {
  const ofAccount = facts.who === supportName ? undefined : accountSentences[facts.kind];
  return ofAccount ? { sentence: ofAccount(facts), note: cannotSeeWho } : { sentence: actSentence(facts), note: '' };
}

/** The sentence and its note, for where guardians read several. */
export function wholeSentenceForGuardian(facts: ActFacts): string {
  const { sentence, note } = sentenceForGuardian(facts);
  return note ? `${sentence} ${note}` : sentence;
}

export const actMeaning: Record<ActivityKind, string> = {
  pin_shown: 'With the PIN, protection can be paused or removed.',
  pin_reset: 'With the PIN, protection can be paused or removed. The old one no longer works.',
  allowed: 'Anyone can use it on that computer now, including scammers.',
  profile_chosen: 'Some things that were blocked before are allowed there now.',
  profile_changed: 'Some things that were blocked before are allowed now, on every computer with this profile.',
  paused: 'Until then, nothing is blocked on that computer.',
  uninstalled: 'Nothing protects that computer anymore.',
  device_removed: 'Its past alerts are deleted, and nobody will get new ones.',
  guardian_added: 'A guardian sees how the computers are, and gets every alert.',
  guardian_removed: 'They will no longer get alerts.',
  email_changed: 'Emails about threats go to the new address now.',
  phone_changed: 'Text messages about threats no longer go to the old number.',
  password_changed: 'Only the new one opens the account.',
  alerts_off: 'Alerts will only come the other way now.',
  outage_later: 'It will take longer to notice a computer that goes missing.',
  browsers_off: 'Websites can send pop-up messages again, and callers can use the browser to take over.',
  resolver_off: 'Harmful websites that we don’t know yet can open again.',
  pin_guessed: 'The computer is still protected. The PIN is locked for now.',
  moved: 'Nobody will get new alerts about it. Someone there typed the Admin PIN, and can undo it in Porchlight for a day.',
  undone: 'Nobody will get new alerts about it. It has the protection again that it had before.',
  leaving: 'It leaves in 24 hours. Until then anyone there can press Keep it in the Porchlight window.',
  left: 'Nobody will get new alerts about it.',
  person_changed: 'Our alerts now name that person, and say to call them.',
  ask_first_off: 'Changes to the protection do not wait for a yes anymore.',
  isolation_off: 'In an emergency, they can’t cut a scammer off that way anymore.',
  guardians_reordered: 'When an alert is not answered, we call that guardian before the others.',
  call_consent_off: 'When we stop a program on that computer, we no longer call there.',
  sign_in_added: 'From now on, it helps to log in to the account.',
  sign_in_removed: 'It no longer helps to log in.',
  recovery_codes_made: 'The old recovery codes no longer work.',
  recovery_code_used: 'Each recovery code works once.',
  logged_out_everywhere: 'Every browser has to log in again.',
  account_downloaded: 'The file has names, phone numbers and everything that happened.',
  deletion_asked:
    'Until then everything stays protected. Afterwards nobody gets alerts about the computers, and only the free protection is left there.',
  deletion_stopped: 'Everything stays as it was.',
  unlisted_off: 'What is on no list can get through there again.',
  device_added: 'If nobody in the family knows it, a stranger may be in the account.',
  device_unknown: 'It stays protected, and gives nobody in the account more freedom.',
  left_out: 'Programs and websites are still blocked there. Someone may have changed a file to get in our way.',
  asked: 'It’s still blocked. Ask who wants it before you allow it.',
};

/** The meaning of an activity that ended before people were notified. */
export const actMeaningOnceOver: Partial<Record<ActivityKind, string>> = {
  paused: 'The pause is over. The computer is protected again.',
  pin_guessed: 'The computer stayed protected.',
};

/**
 * The meaning of an activity that makes a start possible, as long as a start is stopped and asked about (P9.1). `asked`: who is asked, for this
 * reader.
 */
export function actMeaningFirstHour(kind: ActivityKind, asked: 'you' | 'your guardians'): string {
  const what = kind === 'allowed' ? 'it' : 'a remote-control program';
  return `For an hour we still stop ${what}, and ask ${asked} if it starts. After that, anyone can use it there, scammers included.`;
}

/** Another email to the holder is about these kinds, with a button of its own. */
export const alreadyEmailed: ReadonlySet<ActivityKind> = new Set(['email_changed', 'password_changed', 'deletion_asked', 'sign_in_added']);
