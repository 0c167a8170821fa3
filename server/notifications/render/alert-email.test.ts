import { serverLimits } from '@porchlight/contract/server-limits.ts';
import { readCatalogue } from '@porchlight/definitions/catalogue.ts';
import { describe, expect, test } from 'vitest';
import { people } from '../../testing/read-aloud.ts';
import { lateText } from '../../texts/late-message.ts';
import { fitsOneSms } from '../../texts/sms-text.ts';
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

test('every alert about every definition is under 90 words, and says what to do', () => {
  const problems: string[] = [];
  const cases = [
    [true, 'certain'],
    [false, 'likely'],
  ] as const;
  for (const { name, category, help } of readCatalogue())
    for (const [blocked, certainty] of cases)
      for (const person of [people.nobody, people.me, people['Mum with a number']]) {
        const site = category === 'ScamWebsite';
        const facts: AlertFacts = { ...when, name, category, site, blocked, certainty, help, person };
        const blockedSentence = site ? 'We kept it from opening.' : 'We closed it right away.';
        for (const { text } of [holderAlert(facts, 'https://x.test'), guardianAlert(facts, 'Ann Example', 'https://x.test')]) {
          const saysToHangUp = /hang up/i.test(text) && (!blocked || text.includes(blockedSentence));
          if (wordsOf(text) >= 90 || !saysToHangUp) problems.push(`${title(facts, 'Den PC')}: ${wordsOf(text)} words`);
        }
      }
  expect(problems).toEqual([]);
});

test('an alert about a site without a definition calls it a page, in under 90 words', () => {
  const facts = { name: 'evil.test', category: 'ScamWebsite', site: true, certainty: 'certain', help: undefined } as const;
  for (const blocked of [true, false]) {
    const me = { name: '', phone_number: '', is_holder: true };
    const mail = holderAlert({ ...facts, ...when, person: me, blocked }, 'https://x.test');
    expect(wordsOf(mail.text)).toBeLessThan(90);
    expect(mail.text).not.toMatch(/program|started|running|closed it/i);
    expect(mail.text).toContain(
      blocked ? 'Something on Den PC tried to open a page of evil.test at 2:05 PM' : 'A page of evil.test was opened on Den PC at 2:05 PM',
    );
    expect(mail.text).toContain('Pages like this take money or passwords.');
  }
});

const longNames = ['a '.repeat(50).trim(), 'Wilhelmina-Zuzanna-Aleksandra-Małgorzata', '李'.repeat(40)];
const person = (name: string) => ({ name: name.slice(0, 40).trim(), phone_number: '+881234567890123', is_holder: false });

describe.each(longNames)('messages about alerts with all names set to %s', (name) => {
  // Definitions with a question, and a tenth of the others.
  const chosenDefinitions = readCatalogue().filter(({ help }, n) => n % 10 === 0 || /\?/.test(help.what_to_do));
  const cases = chosenDefinitions.flatMap(({ category, help }) =>
    [true, false].flatMap((blocked) => [null, person(name), person('')].map((user) => ({ category, help, blocked, person: user }))),
  );

  test('every email about an alert has its whole advice, and no question without its answer', () => {
    for (const alertCase of cases) {
      const facts: AlertFacts = {
        ...when,
        ...alertCase,
        name,
        site: alertCase.category === 'ScamWebsite',
        certainty: 'likely',
        device: name,
      };
      const url = 'https://x.test';
      const ownEmails = alertCase.person ? [] : [holderAlert(facts, url)];
      const otherEmails = [guardianAlert(facts, name, url), ...(alertCase.person ? [holderAlert(facts, url)] : [])];
      for (const { text } of ownEmails)
        expect(doNow(text)).toMatch(/^If someone is on the phone with you, hang up now\. .*I’m with you\.”/);
      for (const { text } of otherEmails)
        expect(doNow(text)).toMatch(
          /^Call .+ now\.( A scammer may be on the phone\.)? Say: “You did nothing wrong\. Hang up, and .+\. I’m with you\.”$/,
        );
      for (const { text } of [...ownEmails, ...otherEmails])
        for (const paragraph of text.split('\n\n').filter((block) => !block.startsWith('Is it over?')))
          expect(paragraph.trim()).not.toMatch(/\?$/);
    }
  });

  test('every SMS about an alert has its whole advice, and is not split', () => {
    for (const blocked of [true, false])
      for (const user of [null, person(name), { ...person(name), phone_number: '' }, person(''), { ...person(''), phone_number: '' }]) {
        const program = { name, category: 'RemoteControl', site: false, certainty: 'likely', help: undefined } as const;
        // The longest possible time is yesterday, with a named zone.
        const facts: AlertFacts = { ...when, ...program, now: new Date('2026-11-23T14:05:00.000Z'), blocked, device: name, person: user };
        const texts = [holderAlertSms(facts, 'https://x.test'), guardianAlertSms(facts, name, 'https://x.test')];
        for (const text of texts) {
          expect(fitsOneSms(text), text).toBe(true);
          expect(text).toMatch(/[Hh]ang up(\. Then turn the computer off)?\.|Say: Hang up(, turn it off)?\./);
          expect(text).toContain(blocked ? 'was blocked on' : 'was NOT blocked on');
          if (user?.phone_number) expect(text).toContain(user.phone_number);
        }
        const happened = { time: '2026-11-22T12:05:00.000Z', time_zone: 'UTC' };
        for (const lateSms of [lateHolderAlertSms(facts, 'https://x.test'), lateGuardianAlertSms(facts, name, 'https://x.test')]) {
          const text = lateText('', { ...happened, text: lateSms }, new Date('2026-11-23T14:05:00.000Z'));
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
])('a text is cut to the allowed number of words: %s', (_title, text, wordCount, expectedText) => {
  const full = Array.from({ length: serverLimits.email_body_words_max - wordCount }, () => 'word').join(' ');
  expect(wordsLeft({ body: [full], around: [] }).take(text)).toBe(expectedText);
});

test('an email about an alert begins with a button that dials the number, if a number is known', () => {
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
