import { expect, test } from 'vitest';
import { BadConfig, readSettings } from './read.ts';
import { type OperatorTexts, operatorTexts, templateTexts } from './template.ts';

const own: OperatorTexts = {
  support: { email: 'help@family-care.org', phone: '1-212-736-5000' },
  pages: { 'dashboard/terms-of-service.html': '<h1>Our terms</h1>', 'dashboard/privacy-policy.html': '<h1>Our policy</h1>' },
};
const first = (texts: OperatorTexts) => templateTexts(texts).map((sentence) => sentence.split(' ')[0]);

test('this very checkout is the template, and each file is named', () => {
  expect(first(operatorTexts())).toEqual(['contract/brand.ts', 'dashboard/terms-of-service.html', 'dashboard/privacy-policy.html']);
  expect(first(own)).toEqual([]);
});

test.each([
  ['help@porchlight.example', 1],
  ['help@example.org', 1],
  ['help@care.invalid', 1],
  ['help@example.care', 0],
  ['example@care.org', 0],
])('the support address %s is one that nobody has: %i', (email, times) => {
  expect(first({ ...own, support: { ...own.support, email } })).toHaveLength(times);
});

test.each([
  ['1-800-555-0100', 1],
  ['+1 202 555 0143', 1],
  ['1-800-555-2100', 0],
])('the number %s is one that nobody has: %i', (phone, times) => {
  expect(first({ ...own, support: { ...own.support, phone } })).toHaveLength(times);
});

test('only production insists on it', () => {
  const real = { PUBLIC_URL: 'https://www.care.org', SMTP_URL: 'mailbox:', TWILIO_API_BASE: 'mailbox:', STRIPE_API_BASE: 'till:' };
  expect(readSettings(real)).toEqual(real);
  expect(() => readSettings({ ...real, NODE_ENV: 'production' })).toThrow(BadConfig);
  expect(readSettings({ ...real, NODE_ENV: 'production' }, () => own)).toMatchObject({ NODE_ENV: 'production' });
});
