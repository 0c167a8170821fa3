import type { ActivityKind } from '@porchlight/contract/activity-log.ts';

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
  notifications_allowed: 'It can show messages on the screen, even false warnings, on every computer with the Strict profile.',
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
  helping: 'Only that program runs there, and only for this time. Anyone can end it with one press.',
  asked: 'It’s still blocked. Ask who wants it before you allow it.',
};

/** The meaning of an activity that ended before people were notified. */
export const actMeaningOnceOver: Partial<Record<ActivityKind, string>> = {
  paused: 'The pause is over. The computer is protected again.',
  pin_guessed: 'The computer stayed protected.',
};

/** How long a start stays possible: for the hour in which it is asked about (P9.1), until midnight, or from now on. */
export type StartPossible = 'hour' | 'today' | 'always';

/** The meaning of an activity that makes a start possible, while a start is stopped and asked about. `asked`: who is asked, for this reader. */
export function actMeaningFirstHour(kind: ActivityKind, possible: StartPossible, asked: 'you' | 'your guardians'): string {
  const what = kind === 'allowed' ? 'it' : 'a remote-control program';
  const then =
    possible === 'hour'
      ? 'After that it is no longer allowed.'
      : `If it does not start, anyone can use it there after that${possible === 'today' ? ' until midnight' : ''}, scammers included.`;
  return `For an hour we still stop ${what}, and ask ${asked} if it starts. ${then}`;
}

/** Another email to the holder is about these kinds, with a button of its own. */
export const alreadyEmailed: ReadonlySet<ActivityKind> = new Set(['email_changed', 'password_changed', 'deletion_asked', 'sign_in_added']);
