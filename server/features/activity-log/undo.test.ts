import type { ActKind } from '@porchlight/contract/care.ts';
import { expect, test } from 'vitest';
import { holderActEmail } from '../../notifications/render/activity.ts';

/** Of each kind of act: what the holder's letter says to do, its button, and where that leads. A new kind must decide, or this does not compile. */

const act = { device: 'Den PC', what: 'AnyDesk', time: new Date('2026-11-21T14:05:00Z'), time_zone: 'UTC' };
const dashboard = 'https://x.example/dashboard';
const here = `${dashboard}/profile/alerts?act=u`;
const press = (button: string) =>
  `If this was you, there’s nothing to do. If not, or if someone on the phone asked for it, hang up and press ${button}.`;
const letters: Record<ActKind, [toDo: string, button: string, place: string]> = {
  pin_shown: [press('Renew the PIN'), 'Renew the PIN', here],
  pin_reset: [press('Renew the PIN'), 'Renew the PIN', here],
  allowed: [press('Take back'), 'Take back', here],
  profile_chosen: [press('Take back'), 'Take back', here],
  profile_changed: [press('Change the profile back'), 'Change the profile back', here],
  paused: [press('Resume protection'), 'Resume protection', here],
  uninstalled: [press('Link again'), 'Link again', here],
  device_removed: [press('Link again'), 'Link again', here],
  guardian_added: [press('Remove this guardian'), 'Remove this guardian', here],
  guardian_removed: [press('Invite again'), 'Invite again', here],
  email_changed: [press('Check my profile'), 'Check my profile', here],
  phone_changed: [press('Check my profile'), 'Check my profile', here],
  password_changed: [press('Choose a new password'), 'Choose a new password', here],
  alerts_off: [press('Take back'), 'Take back', here],
  silence_later: [press('Take back'), 'Take back', here],
  pin_guessed: [
    'Nobody got in. If a stranger is on the phone with whoever is at that computer, ask them to hang up.',
    'Go to my dashboard',
    dashboard,
  ],
  moved: [press('Link again'), 'Link again', here],
  undone: [press('Link again'), 'Link again', here],
  leaving: [
    'If you don’t want that, ask someone at that computer to press Keep it. If a stranger is on the phone with them, ask them to hang up.',
    'Go to my dashboard',
    dashboard,
  ],
  left: [press('Link again'), 'Link again', here],
  person_changed: [press('Check who uses it'), 'Check who uses it', here],
  asked: ['If a stranger on the phone wants it, it’s a scam. Ask whoever is at that computer to hang up.', 'Go to my dashboard', dashboard],
};

test.each(Object.entries(letters) as [ActKind, [string, string, string]][])('%s: what to do, the button, the place', (kind, expected) => {
  const { text } = holderActEmail({ ...act, kind }, { dashboard, uuid: 'u' });
  const [, , toDo, button = ''] = text.split('\n\n');
  expect([toDo, ...button.split(':\n')]).toEqual(expected);
});

test('of a pause that is over by the time it is told, nothing is offered that cannot be done', () => {
  const { text } = holderActEmail({ ...act, kind: 'paused', over: true }, { dashboard, uuid: 'u' });
  expect(text).toContain(
    'If someone on the phone asked for it, hang up. If you don’t know who did it, call the person at that computer.\n\nGo to my dashboard:',
  );
  expect(text).not.toContain('Resume protection');
});
