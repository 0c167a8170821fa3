import { expect, test } from 'vitest';
import { type Country, phoneProblem, phoneText, readPhone, shownPhone, withoutCallingCode } from './phone.ts';

/** Phone numbers as written in their country. Fictional numbers, where regulators reserve some. */
test.each<[Country, string, string]>([
  ['US', '(202) 555-0143', '+12025550143'],
  ['US', '1 202 555 0143', '+12025550143'],
  ['US', '202.555.0143', '+12025550143'],
  ['CA', '613-555-0143', '+16135550143'],
  ['GB', '07400 123456', '+447400123456'],
  ['GB', '(020) 7946 0958', '+442079460958'],
  ['IE', '020 911 4321', '+353209114321'],
  ['AU', '0491 570 006', '+61491570006'],
  ['NZ', '021 345 678', '+6421345678'],
  ['DE', '0152 28817386', '+4915228817386'],
  ['FR', '06 39 98 12 34', '+33639981234'],
  ['NL', '06-12345678', '+31612345678'],
  ['CH', '078 123 45 67', '+41781234567'],
  ['ES', '612 34 56 78', '+34612345678'],
  // In Italy the leading zero is part of the number.
  ['IT', '06 4567 1234', '+390645671234'],
  ['HU', '06 20 123 4567', '+36201234567'],
  ['RU', '8 (912) 345-67-89', '+79123456789'],
  // In Argentina mobile numbers have a 15 in the middle for local calls, a leading 9 for international ones.
  ['AR', '011 15-2345-6789', '+5491123456789'],
  ['BR', '(11) 96123-4567', '+5511961234567'],
  ['MX', '55 1234 5678', '+525512345678'],
  ['JP', '090-1234-5678', '+819012345678'],
  ['IN', '081234 56789', '+918123456789'],
  ['ZA', '071 123 4567', '+27711234567'],
])('[5.17] with the country %s, the input %s is the number %s', (country, text, number) => {
  expect(readPhone(country, text)).toEqual({ country, number, problem: null });
  // The displayed form of a saved number reads as the same number.
  const shownNumber = shownPhone(number);
  expect(shownNumber.country).toBe(country);
  expect(readPhone(shownNumber.country, shownNumber.text).number).toBe(number);
});

test.each<[Country, string, Country, string]>([
  ['US', '+44 7400 123456', 'GB', '+447400123456'],
  ['DE', '+1 613-555-0143', 'CA', '+16135550143'],
  ['US', '\u202a+44 20 7946 0958\u202c', 'GB', '+442079460958'],
  ['US', '+44 (0)7400 123456', 'GB', '+447400123456'],
  ['US', '+800 1234 5678', '001', '+80012345678'],
])('[5.17] with the country %s, the input %s switches to the country %s', (chosen, text, country, number) => {
  expect(readPhone(chosen, text)).toEqual({ country, number, problem: null });
});

test.each<[Country, string, string]>([
  ['US', '+999 123 4567', 'That is not the calling code of a country.'],
  ['001', '12345678', 'That is not the calling code of a country.'],
  ['US', '202 555 014', 'This number is too short.'],
  ['US', '202 555 01433', 'This number is too long.'],
  ['GB', '07400 1', 'This number is too short.'],
  ['US', '202-555-0143 ext. 5', 'This is not a phone number. Use digits only.'],
  ['US', '1-800-FLOWERS', 'This is not a phone number. Use digits only.'],
  ['US', 'call 202 555 0143', 'This is not a phone number. Use digits only.'],
  ['US', '+12025550143+', 'This is not a phone number. Use digits only.'],
  ['US', '555 555 5555', 'There is no such number. Check each digit.'],
])('[8.13] [5.17] with the country %s, %j is no number, and the message says why', (country, text, message) => {
  expect(readPhone(country, text).number).toBe('');
  expect(phoneProblem(country, text)).toBe(message);
});

test('an empty phone field gives no number and no error', () => {
  for (const text of ['', '  ', '\u200e']) {
    expect(readPhone('US', text)).toEqual({ country: 'US', number: '', problem: null });
    expect(phoneProblem('US', text)).toBeNull();
  }
});

test('[9.10] a phone field takes at most 250 characters', () => {
  const typedNumber = (length: number) => '202 555 0143'.padEnd(length, ' ');
  expect(readPhone('US', typedNumber(250))).toMatchObject({ number: '+12025550143', problem: null });
  expect(readPhone('US', typedNumber(251))).toMatchObject({ number: '', problem: 'too_long' });
  expect(phoneProblem('US', typedNumber(251))).toBe('This number is too long.');
});

test('[9.10] a national phone number has at most 17 digits', () => {
  // Only Indonesia has numbers that long.
  expect(readPhone('ID', '00180312345678901')).toMatchObject({ number: '+6200180312345678901', problem: null });
  expect(readPhone('ID', '1'.repeat(17)).problem).toBe('invalid');
  for (const country of ['ID', 'US', 'DE'] as const) {
    expect(readPhone(country, '1'.repeat(18))).toMatchObject({ number: '', problem: 'too_long' });
    expect(readPhone(country, `+62${'1'.repeat(18)}`)).toMatchObject({ number: '', problem: 'too_long' });
  }
});

test('a full phone number shows its country as soon as its calling code is known; of several countries with one code, the chosen one stays', () => {
  expect(readPhone('US', '+4').country).toBe('US');
  expect(readPhone('US', '+44').country).toBe('GB');
  expect(readPhone('CA', '+1').country).toBe('CA');
  expect(readPhone('GB', '+1').country).toBe('US');
  expect(readPhone('US', '+870').country).toBe('001');
});

test.each<[Country, string, string]>([
  ['US', '202 555 0143', '202 555 0143'],
  ['US', '+1 202 555 0143', '202 555 0143'],
  ['GB', '+44 (0)7400 123456', '(0)7400 123456'],
  ['001', '+870 301234567', '870 301234567'],
])('choosing another country than %s shortens %s to %s', (country, text, shortenedText) => {
  expect(withoutCallingCode(country, text)).toBe(shortenedText);
});

test.each([
  ['+12025550143', '(202) 555-0143'],
  ['+16135550143', '(613) 555-0143'],
  ['+4915228817386', '+49 1522 8817386'],
  ['+80012345678', '+800 1234 5678'],
  ['nonsense', 'nonsense'],
])('the number %s in a sentence is written %s', (number, text) => {
  expect(phoneText(number)).toBe(text);
});
