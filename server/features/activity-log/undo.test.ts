import type { ActivityKind } from '@porchlight/contract/activity-log.ts';
import { expect, test } from 'vitest';
import { holderActEmail } from '../../notifications/render/activity.ts';

const act = { device: 'Den PC', what: 'AnyDesk', time: new Date('2026-11-21T14:05:00Z'), time_zone: 'UTC' };
const dashboard = 'https://x.example/dashboard';
const entryUrl = `${dashboard}/profile/alerts?act=u`;
const buttonText = (button: string) =>
  `If this was you, there’s nothing to do. If not, or if someone on the phone asked for it, hang up and press ${button}.`;
const expectedEmails: Record<ActivityKind, [toDo: string, button: string, place: string]> = {
  pin_shown: [buttonText('Renew the PIN'), 'Renew the PIN', entryUrl],
  pin_reset: [buttonText('Renew the PIN'), 'Renew the PIN', entryUrl],
  allowed: [buttonText('Take back'), 'Take back', entryUrl],
  profile_chosen: [buttonText('Take back'), 'Take back', entryUrl],
  profile_changed: [buttonText('Change the profile back'), 'Change the profile back', entryUrl],
  paused: [buttonText('Resume protection'), 'Resume protection', entryUrl],
  uninstalled: [buttonText('Link again'), 'Link again', entryUrl],
  device_removed: [buttonText('Link again'), 'Link again', entryUrl],
  guardian_added: [buttonText('Remove this guardian'), 'Remove this guardian', entryUrl],
  guardian_removed: [buttonText('Invite again'), 'Invite again', entryUrl],
  email_changed: [buttonText('Check my profile'), 'Check my profile', entryUrl],
  phone_changed: [buttonText('Check my profile'), 'Check my profile', entryUrl],
  password_changed: [buttonText('Choose a new password'), 'Choose a new password', entryUrl],
  alerts_off: [buttonText('Take back'), 'Take back', entryUrl],
  outage_later: [buttonText('Take back'), 'Take back', entryUrl],
  browsers_off: [buttonText('Take back'), 'Take back', entryUrl],
  resolver_off: [buttonText('Take back'), 'Take back', entryUrl],
  notifications_allowed: [buttonText('Take back'), 'Take back', entryUrl],
  unlisted_off: [buttonText('Take back'), 'Take back', entryUrl],
  ask_first_off: [buttonText('Take back'), 'Take back', entryUrl],
  isolation_off: [buttonText('Take back'), 'Take back', entryUrl],
  guardians_reordered: [buttonText('Take back'), 'Take back', entryUrl],
  call_consent_off: [
    'If you want it back, ask us on that computer’s page to call again. If a stranger on the phone asked for it, hang up.',
    'Go to my dashboard',
    dashboard,
  ],
  sign_in_added: [buttonText('Check how you log in'), 'Check how you log in', entryUrl],
  sign_in_removed: [buttonText('Check how you log in'), 'Check how you log in', entryUrl],
  recovery_codes_made: [buttonText('Check how you log in'), 'Check how you log in', entryUrl],
  recovery_code_used: [buttonText('Check how you log in'), 'Check how you log in', entryUrl],
  logged_out_everywhere: [buttonText('Choose a new password'), 'Choose a new password', entryUrl],
  account_downloaded: [buttonText('Choose a new password'), 'Choose a new password', entryUrl],
  deletion_asked: [buttonText('Keep the account'), 'Keep the account', entryUrl],
  deletion_stopped: [buttonText('Choose a new password'), 'Choose a new password', entryUrl],
  pin_guessed: [
    'Nobody got in. If a stranger is on the phone with whoever is at that computer, ask them to hang up.',
    'Go to my dashboard',
    dashboard,
  ],
  moved: [buttonText('Link again'), 'Link again', entryUrl],
  undone: [buttonText('Link again'), 'Link again', entryUrl],
  leaving: [
    'If you don’t want that, ask someone at that computer to press Keep it. If a stranger is on the phone with them, ask them to hang up.',
    'Go to my dashboard',
    dashboard,
  ],
  left: [buttonText('Link again'), 'Link again', entryUrl],
  helping: [buttonText('End it now'), 'End it now', entryUrl],
  device_added: [buttonText('Check who uses it'), 'Check who uses it', entryUrl],
  device_unknown: [buttonText('Check who uses it'), 'Check who uses it', entryUrl],
  person_changed: [buttonText('Check who uses it'), 'Check who uses it', entryUrl],
  left_out: ['If a stranger was on that computer or on the phone, have someone you trust look at it.', 'Go to my dashboard', dashboard],
  asked: ['If a stranger on the phone wants it, it’s a scam. Ask whoever is at that computer to hang up.', 'Go to my dashboard', dashboard],
};

test.each(Object.entries(expectedEmails) as [ActivityKind, [string, string, string]][])(
  'the email about the act %s has the expected advice, button and link',
  (kind, expected) => {
    const { text } = holderActEmail({ ...act, kind }, { dashboard, uuid: 'u' });
    const [, , toDo, button = ''] = text.split('\n\n');
    expect([toDo, ...button.split(':\n')]).toEqual(expected);
  },
);

test('an email about a pause that has already ended does not offer to resume protection', () => {
  const { text } = holderActEmail({ ...act, kind: 'paused', over: true }, { dashboard, uuid: 'u' });
  expect(text).toContain(
    'If someone on the phone asked for it, hang up. If you don’t know who did it, call the person at that computer.\n\nGo to my dashboard:',
  );
  expect(text).not.toContain('Resume protection');
});
