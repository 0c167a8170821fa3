import type { ActivityKind } from '@porchlight/contract/activity-log.ts';
import { expect, test } from 'vitest';
import { type CountedFact, countedKey, isSecondActivity } from './second-activity.ts';

const activity = (kind: ActivityKind, more: Partial<CountedFact> = {}): CountedFact => ({
  kind,
  device: 'pc',
  what: null,
  remote_control: false,
  pause_ms: null,
  new_guardian: false,
  ...more,
});

/** The activities of P10.4, without adding guardians. */
const counting: [CountedFact, counts: boolean][] = [
  [activity('pin_shown'), true],
  [activity('pin_reset'), true],
  [activity('allowed', { remote_control: true }), true],
  [activity('allowed'), false],
  [activity('profile_chosen'), true],
  [activity('profile_changed'), true],
  [activity('paused', { pause_ms: 60_000 }), true],
  [activity('uninstalled'), true],
  [activity('device_removed'), true],
  [activity('guardian_added'), false],
  [activity('guardian_removed'), true],
  [activity('guardian_removed', { new_guardian: true }), false],
  [activity('alerts_off'), true],
  [activity('person_changed'), true],
  ...(
    [
      'email_changed',
      'phone_changed',
      'password_changed',
      'outage_later',
      'browsers_off',
      'resolver_off',
      'notifications_allowed',
      'pin_guessed',
      'asked',
      'moved',
      'undone',
      'leaving',
      'left',
      'ask_first_off',
      'isolation_off',
      'guardians_reordered',
      'call_consent_off',
      'sign_in_added',
      'sign_in_removed',
      'recovery_codes_made',
      'recovery_code_used',
      'logged_out_everywhere',
      'account_downloaded',
      'deletion_asked',
      'deletion_stopped',
      'unlisted_off',
      'left_out',
    ] as const
  ).map((kind): [CountedFact, boolean] => [activity(kind), false]),
];

test.each(counting)('%j counts as the second one: %s', (fact, counts) => {
  expect(countedKey(fact) !== null).toBe(counts);
});

const key = (kind: ActivityKind, more: Partial<CountedFact> = {}) => countedKey(activity(kind, more)) ?? '';
const shown = key('pin_shown');
const short = key('paused', { pause_ms: 600_000 });
const long = key('paused', { pause_ms: 600_001 });
const anydesk = key('allowed', { remote_control: true, what: 'AnyDesk' });
const teamviewer = key('allowed', { remote_control: true, what: 'TeamViewer' });
const weaker = key('profile_chosen', { what: 'Permissive' });

const seconds: [about: string, recent: string[], keys: string[], pin_shown: boolean, second: boolean][] = [
  ['the first activity', [], [anydesk], false, false],
  ['two different activities', [anydesk], [weaker], false, true],
  ['two programs', [anydesk], [teamviewer], false, true],
  ['the same activity again', [anydesk], [anydesk], false, false],
  ['one call with two activities', [], [anydesk, weaker], false, true],
  ['the PIN and a short pause', [shown], [short], true, false],
  ['a short pause and the PIN', [short], [shown], false, false],
  ['the PIN, a short pause and another activity', [shown, short], [anydesk], true, true],
  ['the PIN and two short pauses', [shown, short], [short], true, true],
  ['two short pauses without the PIN', [short], [short], false, false],
  ['the PIN and a long pause', [shown], [long], true, true],
  ['a long pause with a PIN that was shown hours ago', [], [long], true, true],
  ['a long pause without a PIN that was shown', [], [long], false, false],
  ['uninstalling with a PIN that was shown hours ago', [], [key('uninstalled')], true, true],
  ['uninstalling without it', [], [key('uninstalled')], false, false],
  ['the PIN shown again', [shown], [shown], true, false],
  ['the PIN shown and renewed', [shown], [key('pin_reset')], true, false],
  ['a program that is allowed after the PIN was shown', [shown], [anydesk], true, false],
  ['a program that is allowed after the PIN was renewed', [key('pin_reset')], [anydesk], false, true],
  ['the PIN shown after an allowed program', [anydesk], [shown], false, false],
  ['the PIN shown after two changes by different calls', [anydesk, weaker], [shown], false, false],
  ['nothing that counts', [anydesk], [], false, false],
];

test.each(seconds)('%s is the second different activity, or is not', (_about, recent, keys, pin_shown, second) => {
  expect(isSecondActivity({ keys, recent, pin_shown, guarded: true })).toBe(second);
  expect(isSecondActivity({ keys, recent, pin_shown, guarded: false })).toBe(false);
});
