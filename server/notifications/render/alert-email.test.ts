import { serverLimits } from '@porchlight/contract/server-limits.ts';
import { readCatalogue } from '@porchlight/definitions/catalogue.ts';
import { describe, expect, test } from 'vitest';
import { lateText } from '../../lib/late-message.ts';
import { fitsOneSms } from '../../lib/sms-text.ts';
import { people } from '../../testing/read-aloud.ts';
import { type AlertFacts, guardianAlert, holderAlert } from './alert-email.ts';
import { guardianAlertSms, holderAlertSms, lateGuardianAlertSms, lateHolderAlertSms } from './alert-sms.ts';
import { title } from './alert-wording.ts';
import { wordsLeft } from './word-budget.ts';

const time = new Date('2026-11-21T14:05:00.000Z');
const when = { time, now: time, device: 'Den PC', person: null, time_zone: 'UTC' };
const wordsOf = (text: string) =>
  (text.split(/Nobody from Porchlight/)[0] ?? '')
    .replace(/https?:\S+/, '')
    .split(/\s+/)
    .filter(Boolean).length;

test('every alert about every family is under 90 words, and says what to do', () => {
  const wrong: string[] = [];
  const cases = [
    [true, 'certain'],
    [false, 'likely'],
  ] as const;
  for (const { name, category, help } of readCatalogue())
    for (const [blocked, certainty] of cases)
      for (const person of [people.nobody, people.me, people['Mum with a number']]) {
        const site = category === 'ScamWebsite';
        const facts: AlertFacts = { ...when, name, category, site, blocked, certainty, help, person };
        const done = site ? 'We kept the page from opening.' : 'We closed it right away.';
        for (const { text } of [holderAlert(facts, 'https://x.test'), guardianAlert(facts, 'Ann Example', 'https://x.test')]) {
          const says = /hang up/i.test(text) && (!blocked || text.includes(done));
          if (wordsOf(text) >= 90 || !says) wrong.push(`${title(facts, 'Den PC')}: ${wordsOf(text)} words`);
        }
      }
  expect(wrong).toEqual([]);
});

test('a site that nothing is known of but its name is told as a page, in under 90 words', () => {
  const facts = { name: 'evil.test', category: 'ScamWebsite', site: true, certainty: 'certain', help: undefined } as const;
  for (const blocked of [true, false]) {
    const me = { name: '', phone_number: '', is_holder: true };
    const mail = holderAlert({ ...facts, ...when, person: me, blocked }, 'https://x.test');
    expect(wordsOf(mail.text)).toBeLessThan(90);
    expect(mail.text).not.toMatch(/program|started|running|closed it/i);
    expect(mail.text).toContain(
      blocked ? 'Something on Den PC tried to open a page of evil.test at 2:05 PM' : 'A page of evil.test was opened on Den PC at 2:05 PM',
    );
    expect(mail.text).toContain('A page like this is made to take money or passwords.');
  }
});

/** A name of as many words as it has room for, and one that is a single long word. */
const longNames = ['a '.repeat(50).trim(), 'Wilhelmina-Zuzanna-Aleksandra-Małgorzata', '李'.repeat(40)];
const person = (name: string) => ({ name: name.slice(0, 40).trim(), phone_number: '+881234567890123', is_holder: false });

describe.each(longNames)('with everything called %s', (name) => {
  // Every definition that asks something, and some of the others.
  const some = readCatalogue().filter(({ help }, n) => n % 10 === 0 || /\?/.test(help.what_to_do));
  const cases = some.flatMap(({ category, help }) =>
    [true, false].flatMap((blocked) => [null, person(name), person('')].map((at) => ({ category, help, blocked, person: at }))),
  );

  test('what to do is whole in every email, and no question is without its answer', () => {
    for (const one of cases) {
      const facts: AlertFacts = { ...when, ...one, name, site: one.category === 'ScamWebsite', certainty: 'likely', device: name };
      const url = 'https://x.test';
      const own = one.person ? [] : [holderAlert(facts, url)];
      const others = [guardianAlert(facts, name, url), ...(one.person ? [holderAlert(facts, url)] : [])];
      for (const { text } of own) expect(doNow(text)).toMatch(/^If someone is on the phone, hang up now\. .*I’m with you\.”/);
      for (const { text } of others)
        expect(doNow(text)).toMatch(
          /^Call .+ now\. A scammer may be on the phone\. Say: “You did nothing wrong\. Hang up, and .+\. I’m with you\.”$/,
        );
      for (const { text } of [...own, ...others])
        for (const part of text.split('\n\n').filter((block) => !block.startsWith('Is it over?'))) expect(part.trim()).not.toMatch(/\?$/);
    }
  });

  test('what to do is whole in every text, which is one message', () => {
    for (const blocked of [true, false])
      for (const at of [null, person(name), { ...person(name), phone_number: '' }, person(''), { ...person(''), phone_number: '' }]) {
        const program = { name, category: 'RemoteControl', site: false, certainty: 'likely', help: undefined } as const;
        // Of yesterday, and in a zone that is named: the longest moment there is.
        const facts: AlertFacts = { ...when, ...program, now: new Date('2026-11-23T14:05:00.000Z'), blocked, device: name, person: at };
        const texts = [holderAlertSms(facts, 'https://x.test'), guardianAlertSms(facts, name, 'https://x.test')];
        for (const text of texts) {
          expect(fitsOneSms(text), text).toBe(true);
          expect(text).toMatch(/[Hh]ang up(\. Then turn the computer off)?\.|Say: Hang up(, turn it off)?\./);
          expect(text).toContain(blocked ? 'was blocked on' : 'was NOT blocked on');
          if (at?.phone_number) expect(text).toContain(at.phone_number);
        }
        const happened = { time: '2026-11-22T12:05:00.000Z', time_zone: 'UTC' };
        for (const late of [lateHolderAlertSms(facts, 'https://x.test'), lateGuardianAlertSms(facts, name, 'https://x.test')]) {
          const text = lateText('', { ...happened, text: late }, new Date('2026-11-23T14:05:00.000Z'));
          expect(fitsOneSms(text), text).toBe(true);
          expect(text).toMatch(/hang up\.|if all is well(: \+881234567890123)?\./);
        }
      }
  });
});

const doNow = (text: string) => /What to do now\n(.*)\n/.exec(text)?.[1] ?? '';

test.each([
  ['a question and its answer stay together', 'Uninstall it. Was it put there by a friend? Ask them. Restart it.', 3, 'Uninstall it.'],
  [
    'a question whose answer has room stays',
    'Was it put there by a friend? Ask them. Restart it.',
    9,
    'Was it put there by a friend? Ask them.',
  ],
  ['a question that nothing answers is left out', 'Uninstall it. Who knows?', 80, 'Uninstall it.'],
])('%s', (_what, text, room, taken) => {
  const full = Array.from({ length: serverLimits.letter_words - room }, () => 'word').join(' ');
  expect(wordsLeft([full]).take(text)).toBe(taken);
});

test('the number of the one to call is a button that phones dial, before all else; without a number there is none', () => {
  const facts: AlertFacts = {
    ...when,
    name: 'AnyDesk',
    category: 'RemoteControl',
    site: false,
    certainty: 'certain',
    blocked: true,
    help: undefined,
  };
  const mum = { name: 'Mum & co', phone_number: '+12025550143', is_holder: false };
  for (const { html } of [
    holderAlert({ ...facts, person: mum }, 'https://x.test'),
    guardianAlert({ ...facts, person: mum }, 'Ann Example', 'https://x.test'),
  ]) {
    expect(html).toMatch(/<\/h1><p [^>]+><a href="tel:\+12025550143" [^>]+>Call Mum &#38; co: \+1 202 555 0143<\/a>/);
    expect(html.indexOf('tel:')).toBeLessThan(html.indexOf('https://x.test'));
  }
  expect(guardianAlert({ ...facts, person: { ...mum, phone_number: '' } }, 'Ann Example', 'https://x.test').html).not.toContain('tel:');
  expect(holderAlert({ ...facts, person: { ...mum, is_holder: true } }, 'https://x.test').html).not.toContain('tel:');
});
