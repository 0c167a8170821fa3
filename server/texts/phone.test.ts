import { expect, test } from 'vitest';
import { homeCountriesOf, readPhone } from './phone.ts';

test.each([
  ['+12025550143', '+12025550143'],
  ['  +1 (202) 555-0143 ', '+12025550143'],
  ['+1.202.555.0143', '+12025550143'],
  ['\u202a+44 20 7946 0958\u202c', '+442079460958'],
  ['+44\u00a020\u20117946\u20110958', '+442079460958'],
  ['+44 (0)7400 123456', '+447400123456'],
  ['+800 1234 5678', '+80012345678'],
])('[5.17] the text %j is read as the phone number %s', (text, e164) => {
  expect(readPhone(text)).toEqual({ e164 });
});

test.each([
  ['', 'not_a_number'],
  ['+', 'not_a_number'],
  ['abc', 'not_a_number'],
  ['+1 800 FLOWERS', 'not_a_number'],
  ['+1 202 555 0143 ext 5', 'not_a_number'],
  ['call +1 202 555 0143', 'not_a_number'],
  ['++12025550143', 'not_a_number'],
  ['+12025550143+', 'not_a_number'],
  ['2025550143', 'invalid_country'],
  ['+999 123 4567', 'invalid_country'],
  ['+1', 'too_short'],
  ['+1 202 555 014', 'too_short'],
  ['+1 202 555 01433', 'too_long'],
  ['+1 555 555 5555', 'invalid'],
])('[5.17] [8.13] the text %j is refused as a phone number: %s', (text, tag) => {
  expect(readPhone(text)).toEqual({ tag });
});

test('[9.10] a national number has at most 17 digits, and the input at most 250 characters', () => {
  // Only Indonesia has numbers that long.
  expect(readPhone('+62 00180312345678901')).toEqual({ e164: '+6200180312345678901' });
  expect(readPhone(`+62${'1'.repeat(17)}`)).toEqual({ tag: 'invalid' });
  expect(readPhone(`+62${'1'.repeat(18)}`)).toEqual({ tag: 'too_long' });

  const inputOfLength = (length: number) => '+12025550143'.padEnd(length, ' ');
  expect(readPhone(inputOfLength(250))).toEqual({ e164: '+12025550143' });
  expect(readPhone(inputOfLength(251))).toEqual({ tag: 'too_long' });
});

test.each([
  ['+12025550143', ['US', 'CA']],
  ['+16135550143', ['US', 'CA']],
  ['+447400123456', ['GB']],
  // A number of no particular country, such as Twilio's own for trials.
  ['+15005550006', ['US', 'CA']],
])('[P11.5] SMS from the number %s go by default to the countries %j', (sender, countries) => {
  expect(homeCountriesOf(sender)).toEqual(countries);
});
