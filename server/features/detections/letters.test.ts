import { readCatalogue } from '@porchlight/definitions/catalogue.ts';
import { expect, test } from 'vitest';
import { type AlertFacts, guardianAlert, holderAlert } from './letters.ts';
import { title } from './rules.ts';

const time = new Date('2026-11-21T14:05:00.000Z');
const wordsOf = (text: string) =>
  (text.split(/Porchlight never asks/)[0] ?? '')
    .replace(/https?:\S+/, '')
    .split(/\s+/)
    .filter(Boolean).length;

test('every alert about every family is under 90 words, and says what to do', () => {
  const long: string[] = [];
  for (const { name, category, help } of readCatalogue()) {
    for (const [blocked, certainty] of [
      [true, 'certain'],
      [false, 'likely'],
      [false, 'certain'],
    ] as const) {
      const facts: AlertFacts = { name, category, blocked, certainty, time, now: time, device: 'Den PC', time_zone: 'UTC', help };
      const mails = [holderAlert(facts, 'https://x.test'), guardianAlert(facts, 'Ann Example', 'https://x.test')];
      for (const { text } of mails) if (wordsOf(text) >= 90) long.push(`${title(facts, 'Den PC')}: ${wordsOf(text)} words`);
      for (const { text } of mails) expect(text).toMatch(/hang up/i);
    }
  }
  expect(long).toEqual([]);
});
