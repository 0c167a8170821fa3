import type { ActivityKind } from '@porchlight/contract/activity-log.ts';
import { hour, minute } from '@porchlight/contract/time.ts';

/** The second different weakening activity within this time opens an incident (P9.1). */
export const second_activity_within = hour;
/** A pause of at most this length and showing the PIN for it count as one (P9.1). */
const short_pause = 10 * minute;

/** A weakening activity, as far as it may count as the second one. */
export interface CountedFact {
  kind: ActivityKind;
  device: string | null;
  what: string | null;
  /** Whether it enables remote control; only for an allow-list entry. */
  remote_control: boolean;
  /** The pause's length in milliseconds; only for a pause. */
  pause_ms: number | null;
  /** Whether the guardian who is removed was added within 72 hours. */
  new_guardian: boolean;
}

type Counting = (fact: CountedFact) => string | null;
const never: Counting = () => null;
const always: Counting = ({ kind, device, what }) => `${kind}:${device ?? ''}:${what ?? ''}`;

/** Which activities of P10.4 count, under a key that is the same for the same activity; null does not count. */
const counting: Record<ActivityKind, Counting> = {
  pin_shown: () => 'pin_shown',
  pin_reset: () => 'pin_reset',
  allowed: (fact) => (fact.remote_control ? always(fact) : null),
  profile_chosen: always,
  profile_changed: always,
  paused: ({ pause_ms }) => (pause_ms !== null && pause_ms <= short_pause ? 'pause_short' : 'pause_long'),
  uninstalled: always,
  device_removed: always,
  guardian_added: never,
  guardian_removed: (fact) => (fact.new_guardian ? null : always(fact)),
  alerts_off: always,
  person_changed: always,
  email_changed: never,
  phone_changed: never,
  password_changed: never,
  outage_later: never,
  browsers_off: never,
  resolver_off: never,
  notifications_allowed: never,
  pin_guessed: never,
  asked: never,
  helping: never,
  device_added: never,
  device_unknown: never,
  left_out: never,
  moved: never,
  undone: never,
  leaving: never,
  left: never,
  ask_first_off: never,
  isolation_off: never,
  guardians_reordered: never,
  call_consent_off: never,
  sign_in_added: never,
  sign_in_removed: never,
  recovery_codes_made: never,
  recovery_code_used: never,
  logged_out_everywhere: never,
  account_downloaded: never,
  deletion_asked: never,
  deletion_stopped: never,
  unlisted_off: never,
};

/** The key under which an activity counts towards the second one; null if it does not count. */
export const countedKey = (fact: CountedFact): string | null => counting[fact.kind](fact);

export interface ActivityFacts {
  /** The keys of the activities that are happening now. */
  keys: string[];
  /** The keys of the account's activities within the last hour, before these. */
  recent: string[];
  /** Whether the PIN was shown within 24 hours. */
  pin_shown: boolean;
  /** Whether the account has, or within 7 days had, an active guardian. */
  guarded: boolean;
}

/** Showing the PIN counts only towards a pause or an uninstall (P15.10). */
export const countsAlone = (key: string): boolean => key !== 'pin_shown';

/** Whether these are the second different weakening activity within an hour (P9.1). */
export function isSecondActivity({ keys, recent, pin_shown, guarded }: ActivityFacts): boolean {
  const counted = keys.filter(countsAlone);
  if (!guarded || !counted.length) return false;
  const isUnlocked = (key: string) => key === 'pause_long' || key.startsWith('uninstalled:');
  if (pin_shown && counted.some(isUnlocked)) return true;
  const all = [...recent, ...keys];
  // A second short pause with the same PIN is one too many.
  const pauses = all.filter((key) => key === 'pause_short').length;
  const furtherPause = pauses > 1 && all.includes('pin_shown') ? 1 : 0;
  const different = new Set(all.filter(countsAlone));
  const countAfter = different.size + furtherPause;
  // Repeating what has been done before adds nothing.
  const isRepetition = counted.every((key) => recent.includes(key)) && !(furtherPause && counted.includes('pause_short'));
  return countAfter > 1 && !isRepetition;
}
