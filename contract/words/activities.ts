import type { ActivityFacts, ActivityKind } from '../activity-log.ts';
import { agentLimits } from '../agent-limits.ts';
import { brand } from '../brand.ts';

/** What the operator does in an account is logged with this name. */
export const supportName = `${brand.name} support`;

/** Who allowed something at a computer with a guardian's one-time code. */
export const someoneWithCode = 'Someone with a code';

/** Each sentence is correct for a name as well as for `You`. */
const sentences: Record<ActivityKind, (facts: ActivityFacts) => string> = {
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
  notifications_allowed: ({ who, what }) => `${who} let ${what} send pop-up messages.`,
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
  helping: ({ who, what, device }) => `${who} opened ${device} for a while, to help with ${what}.`,
};

export const actSentence = (facts: ActivityFacts): string => sentences[facts.kind](facts);

/**
 * In an incident these wait for nobody's yes, so a stranger with the password does them too. We know only the account then:
 * *Ann changed the password* would say more than that. `who`: the first name of the holder.
 */
const accountSentences: Partial<Record<ActivityKind, (facts: ActivityFacts) => string>> = {
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
export function sentenceForGuardian(facts: ActivityFacts): { sentence: string; note: string } {
  const ofAccount = facts.who === supportName ? undefined : accountSentences[facts.kind];
  return ofAccount ? { sentence: ofAccount(facts), note: cannotSeeWho } : { sentence: actSentence(facts), note: '' };
}

/** The sentence and its note, for where guardians read several. */
export function wholeSentenceForGuardian(facts: ActivityFacts): string {
  const { sentence, note } = sentenceForGuardian(facts);
  return note ? `${sentence} ${note}` : sentence;
}
