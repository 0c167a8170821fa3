import { expect, test } from 'vitest';
import { type ActivityKind, activityKind } from '../activity-log.ts';
import { pastRequestSentence, requestSentence } from './requests.ts';

/** The sentence about each kind, with `what` as the activity log has it. */
const expected: Record<ActivityKind, [what: string, sentence: string]> = {
  pin_shown: ['', 'Ann wants to see the Admin PIN.'],
  pin_reset: ['', 'Ann wants to make a new Admin PIN.'],
  allowed: ['AnyDesk', 'Ann wants to allow AnyDesk on Den PC.'],
  profile_chosen: ['Balanced', 'Ann wants to put Den PC on Balanced, which stops less.'],
  profile_changed: ['Family', 'Ann wants to change the profile Family to stop less.'],
  paused: ['9:35 AM on Saturday, November 21', 'Ann wants to pause the protection of Den PC.'],
  uninstalled: ['', 'Ann wants to uninstall Porchlight from Den PC.'],
  device_removed: ['', 'Ann wants to remove Den PC from the account.'],
  guardian_added: ['Bob Example', 'Ann wants to ask Bob Example to be a guardian.'],
  guardian_removed: ['Bob Example', 'Ann wants to remove Bob Example as a guardian.'],
  email_changed: ['', 'Ann wants to change the account’s email address.'],
  phone_changed: ['', 'Ann wants to change the account’s phone number.'],
  password_changed: ['', 'Ann wants to change the account’s password.'],
  alerts_off: ['emails', 'Ann wants to turn off emails about threats.'],
  outage_later: ['14 days', 'Ann wants to hear of a silent device only after 14 days.'],
  browsers_off: ['', 'Ann wants to turn off browser protection.'],
  unlisted_off: ['resting money pages', 'Ann wants to turn off resting money pages.'],
  resolver_off: ['Quad9', 'Ann wants to stop using Quad9 to look up websites.'],
  notifications_allowed: ['mail.example', 'Ann wants to let mail.example send pop-up messages.'],
  pin_guessed: ['', 'Ann wants to try more Admin PINs on Den PC.'],
  moved: ['', 'Ann wants to connect Den PC to another account.'],
  undone: ['', 'Ann wants to undo that Den PC belongs to this account.'],
  leaving: ['', 'Ann wants to take Den PC out of this account.'],
  left: ['', 'Ann wants to take Den PC out of this account at once.'],
  person_changed: ['Mum, with another phone number', 'Ann wants to change who uses Den PC to Mum, with another phone number.'],
  ask_first_off: ['', 'Ann wants to turn off Ask first.'],
  isolation_off: ['Bob Example', 'Ann wants to stop letting Bob Example cut the internet.'],
  guardians_reordered: ['Bob', 'Ann wants to have Bob called first.'],
  call_consent_off: ['Mum', 'Ann wants to end our calls to Mum.'],
  sign_in_added: ['a passkey', 'Ann wants to add a passkey to log in with.'],
  sign_in_removed: ['a passkey', 'Ann wants to remove a passkey from the ways to log in.'],
  recovery_codes_made: ['', 'Ann wants to make new recovery codes.'],
  recovery_code_used: ['', 'Ann wants to log in with a recovery code.'],
  logged_out_everywhere: ['', 'Ann wants to log out everywhere.'],
  account_downloaded: ['', 'Ann wants to download the data of the account.'],
  deletion_asked: ['December 3', 'Ann wants to have the account deleted on December 3.'],
  deletion_stopped: ['', 'Ann wants to stop the deletion of the account.'],
  device_added: ['Mum', 'Ann wants to add Den PC.'],
  device_unknown: ['', 'Ann wants to mark Den PC as unknown.'],
  left_out: ['the menu', 'Ann wants to skip the menu on Den PC.'],
  helping: ['TeamViewer', 'Ann wants to help on Den PC with TeamViewer.'],
  asked: ['AnyDesk', 'Someone at Den PC wants to use AnyDesk.'],
};

test.each(activityKind.options)('the sentence about a request for the activity %s is correct for a name and for the reader', (kind) => {
  const [what, sentence] = expected[kind];
  const activity = { kind, device: 'Den PC', what };
  expect(requestSentence(activity, 'Ann')).toBe(sentence);
  expect(requestSentence(activity, 'You')).toBe(sentence.replace('Ann wants', 'You want'));
  expect(pastRequestSentence(activity, 'You')).toBe(sentence.replace('Ann wants', 'You wanted').replace(' wants ', ' wanted '));
});

test('the sentence about a request without a device has no empty name', () => {
  expect(requestSentence({ kind: 'allowed', device: '', what: 'AnyDesk' }, 'Ann')).toBe('Ann wants to allow AnyDesk on a computer.');
});
