import { expect, test } from 'vitest';
import { BadConfig, readSettings } from './read.ts';
import { type OperatorTexts, operatorTexts, templateTexts } from './template.ts';

const ownTexts: OperatorTexts = {
  support: { email: 'help@family-care.org', phone: '1-212-736-5000' },
  pages: { 'dashboard/terms-of-service.html': '<h1>Our terms</h1>', 'dashboard/privacy-policy.html': '<h1>Our policy</h1>' },
};
const firstWords = (texts: OperatorTexts) => templateTexts(texts).map((sentence) => sentence.split(' ')[0]);

test('an unchanged checkout is reported as the template, and each file to change is named', () => {
  expect(firstWords(operatorTexts())).toEqual(['contract/brand.ts', 'dashboard/terms-of-service.html', 'dashboard/privacy-policy.html']);
  expect(firstWords(ownTexts)).toEqual([]);
});

test.each([
  ['help@porchlight.example', 1],
  ['help@example.org', 1],
  ['help@care.invalid', 1],
  ['help@example.care', 0],
  ['example@care.org', 0],
])('the support address %s is reported as a placeholder this many times: %i', (email, times) => {
  expect(firstWords({ ...ownTexts, support: { ...ownTexts.support, email } })).toHaveLength(times);
});

test.each([
  ['1-800-555-0100', 1],
  ['+1 202 555 0143', 1],
  ['1-800-555-2100', 0],
])('the phone number %s is reported as a placeholder this many times: %i', (phone, times) => {
  expect(firstWords({ ...ownTexts, support: { ...ownTexts.support, phone } })).toHaveLength(times);
});

test("only production requires the operator's own texts", () => {
  const productionEnv = { PUBLIC_URL: 'https://www.care.org', SMTP_URL: 'mailbox:', TWILIO_API_BASE: 'mailbox:', STRIPE_API_BASE: 'till:' };
  expect(readSettings(productionEnv)).toEqual(productionEnv);
  expect(() => readSettings({ ...productionEnv, NODE_ENV: 'production' })).toThrow(BadConfig);
  expect(readSettings({ ...productionEnv, NODE_ENV: 'production' }, () => ownTexts)).toMatchObject({ NODE_ENV: 'production' });
});
