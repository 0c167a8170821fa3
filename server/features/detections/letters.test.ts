import { readCatalogue } from '@porchlight/definitions/catalogue.ts';
import { expect, test } from 'vitest';
import { type AlertFacts, guardianAlert, holderAlert } from './letters.ts';
import { title } from './rules.ts';

const time = new Date('2026-11-21T14:05:00.000Z');
const wordsOf = (text: string) =>
  (text.split(/Nobody from Porchlight/)[0] ?? '')
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
      const site = category === 'ScamWebsite';
      const facts: AlertFacts = { name, category, site, blocked, certainty, time, now: time, device: 'Den PC', time_zone: 'UTC', help };
      const mails = [holderAlert(facts, 'https://x.test'), guardianAlert(facts, 'Ann Example', 'https://x.test')];
      for (const { text } of mails) if (wordsOf(text) >= 90) long.push(`${title(facts, 'Den PC')}: ${wordsOf(text)} words`);
      for (const { text } of mails) expect(text).toMatch(/hang up/i);
      const done = site ? 'We kept the page from opening.' : 'We closed it right away.';
      for (const { text } of blocked ? mails : []) expect(text).toContain(done);
    }
  }
  expect(long).toEqual([]);
});

test('a site that nothing is known of but its name is told as a page, in under 90 words', () => {
  const facts = { name: 'evil.test', category: 'ScamWebsite', site: true, certainty: 'certain', help: undefined } as const;
  for (const blocked of [true, false]) {
    const mail = holderAlert({ ...facts, blocked, time, now: time, device: 'Den PC', time_zone: 'UTC' }, 'https://x.test');
    expect(wordsOf(mail.text)).toBeLessThan(90);
    expect(mail.text).not.toMatch(/program|started|running|closed it/i);
    expect(mail.text).toContain(
      blocked ? 'Something on Den PC tried to open a page of evil.test at 2:05 PM' : 'A page of evil.test was opened on Den PC at 2:05 PM',
    );
    expect(mail.text).toContain('A page like this is made to take money or passwords.');
  }
});
