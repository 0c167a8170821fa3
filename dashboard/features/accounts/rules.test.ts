import { expect, test } from 'vitest';
import { maskEmail, phoneNumberRequiresVerification } from './rules.ts';

const enabledFeatures = { sms: true, phone_verification: true };
const phone = { phone_number: '+12025550143', phone_number_verified: false };

test.each([
  ['required for a number that is not verified', phone, enabledFeatures, true],
  ['not without a number', { ...phone, phone_number: null }, enabledFeatures, false],
  ['not for an empty one', { ...phone, phone_number: '' }, enabledFeatures, false],
  ['not for a verified one', { ...phone, phone_number_verified: true }, enabledFeatures, false],
  ['not while the feature is off', phone, { ...enabledFeatures, phone_verification: false }, false],
  ['not where there are no texts at all', phone, { ...enabledFeatures, sms: false }, false],
])('[4.24] whether the phone must be verified: %s', (_title, profile, features, required) => {
  expect(phoneNumberRequiresVerification(profile, features)).toBe(required);
});

test.each([
  ['ann@example.org', 'a••@example.org'],
  ['a@example.org', 'a••@example.org'],
  ['annabel@example.org', 'a••••••@example.org'],
  ['no address', 'no address'],
])('the masked form of %s is %s', (email, masked) => {
  expect(maskEmail(email)).toBe(masked);
});
