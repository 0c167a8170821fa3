import { expect, test } from 'vitest';
import { maskEmail, phoneNumberRequiresVerification } from './rules.ts';

const on = { sms: true, phone_verification: true };
const phone = { phone_number: '+12025550143', phone_number_verified: false };

test.each([
  ['required for a number that is not verified', phone, on, true],
  ['not without a number', { ...phone, phone_number: null }, on, false],
  ['not for an empty one', { ...phone, phone_number: '' }, on, false],
  ['not for a verified one', { ...phone, phone_number_verified: true }, on, false],
  ['not while the feature is off', phone, { ...on, phone_verification: false }, false],
  ['not where there are no texts at all', phone, { ...on, sms: false }, false],
])('[4.24] verifying the phone is %s', (_title, profile, features, required) => {
  expect(phoneNumberRequiresVerification(profile, features)).toBe(required);
});

test.each([
  ['ann@example.org', 'a••@example.org'],
  ['a@example.org', 'a••@example.org'],
  ['annabel@example.org', 'a••••••@example.org'],
  ['no address', 'no address'],
])('%s is shown as %s', (email, masked) => {
  expect(maskEmail(email)).toBe(masked);
});
