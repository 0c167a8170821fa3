import { codePurpose } from '@porchlight/contract/one-time-codes.ts';
import { serverLimits } from '@porchlight/contract/server-limits.ts';
import { expect, test } from 'vitest';
import { people } from '../../testing/read-aloud.ts';
import { readNotification } from '../../testing/read-notification.ts';
import { expectReviewedTexts } from '../../testing/reviewed-texts.ts';
import { fitsOneSms } from '../../texts/sms-text.ts';
import type { CodeShownFacts } from './code-shown.ts';
import { render } from './render.ts';

const pause: Omit<CodeShownFacts, 'person'> = {
  id: 'c',
  incident: 'i',
  device: 'Den PC',
  purpose: 'pause',
  program: null,
  by: 'Carol',
  by_person: 'carol',
  time: new Date('2026-11-21T14:05:00.000Z'),
  time_zone: 'America/New_York',
};
/** The facts, and whether the messages leave late. */
const cases = {
  'to pause': [pause, false],
  'to uninstall': [{ ...pause, purpose: 'uninstall' }, false],
  'to allow AnyDesk': [{ ...pause, purpose: 'allow', program: 'AnyDesk' }, false],
  'to link elsewhere, without an incident': [{ ...pause, purpose: 'link', incident: null }, false],
  'to pause, sent late': [pause, true],
} as const satisfies Record<string, [Omit<CodeShownFacts, 'person'>, boolean]>;

test('[P10.7] the email and SMS about a code have the reviewed text for each user of the computer and reader (P8.2)', () =>
  expectReviewedTexts<keyof typeof cases>(
    'code-shown',
    [
      ['to pause', 'the holder', 'me', 'Mum with a number'],
      ['to pause', 'the guardian', 'me', 'Mum with a number', 'someone without a name'],
      ['to uninstall', 'the holder', 'nobody'],
      ['to allow AnyDesk', 'the holder', 'Mum'],
      ['to allow AnyDesk', 'the guardian', 'nobody'],
      ['to link elsewhere, without an incident', 'the holder', 'me'],
      ['to link elsewhere, without an incident', 'the guardian', 'Mum with a number'],
      ['to pause, sent late', 'the holder', 'me'],
      ['to pause, sent late', 'the guardian', 'Mum with a number'],
    ],
    (name, user, reader) => {
      const [facts, late] = cases[name];
      return readNotification({ kind: 'code_shown', facts: { ...facts, person: people[user] } }, reader, late);
    },
  ));

test('[P10.7] the guardian who opened a code gets no message about it', () => {
  expect(readNotification({ kind: 'code_shown', facts: { ...pause, person: null, by_person: 'guardian' } }, 'the guardian')).toBe('none');
});

test('[P10.7] the button leads to the incident, or without one to the dashboard and the guardian’s page', () => {
  const urlsOf = (incident: string | null) => {
    const { toHolder, toGuardian } = render({ kind: 'code_shown', facts: { ...pause, incident, person: null } });
    return [
      toHolder({ uuid: 'ann', name: 'Ann', dashboard_url: 'https://x.test' }),
      toGuardian({ uuid: 'g', name: 'Bob', holder_name: 'Ann', link: 'https://x.test/guardian/g/key' }),
    ].map(({ email }) => email?.text.match(/https:\S+/g));
  };
  expect(urlsOf('i')).toEqual([['https://x.test/incident/i'], ['https://x.test/guardian/g/key?incident=i']]);
  expect(urlsOf(null)).toEqual([['https://x.test'], ['https://x.test/guardian/g/key']]);
});

test('[P10.7] each code is notified at once, also with emails off', () => {
  expect(render({ kind: 'code_shown', facts: { ...pause, person: null } }).delivery).toEqual({
    ...{ category: 'act', about: 'c', urgency: 'urgent', always: true, reserve: true },
    happened: { time: pause.time, time_zone: pause.time_zone },
  });
});

/** The names with the most words and the most characters, and the users for whom the messages are longest. */
const names = ['Łucja-Małgorzata-Aleksandra-Wilhelmina-Zuzanna Ćwierć', 'x'.repeat(100)];
const longestNumber = '+881234567890123';
const users = (name: string) => [
  null,
  { name: '', phone_number: longestNumber, is_holder: false },
  { name: name.slice(0, 40), phone_number: longestNumber, is_holder: false },
];
const longest = codePurpose.options.flatMap((purpose) => names.map((name) => ({ purpose, name })));
test.each(longest)(
  '[P10.7] about a code to $purpose, with the name $name, the email is short and the SMS fits in one',
  ({ purpose, name }) => {
    for (const person of users(name)) {
      for (const reader of ['the holder', 'the guardian'] as const) {
        for (const late of [false, true]) {
          const facts = { ...pause, purpose, person, program: name, device: name, by: name };
          const [email = '', sms = ''] = readNotification({ kind: 'code_shown', facts }, reader, late).split('\nText: ');
          expect(fitsOneSms(sms), sms).toBe(true);
          expect(email.split(/\s+/).length, email).toBeLessThanOrEqual(serverLimits.email_words_max);
          expect(sms).toMatch(/Hang up\.|Call /);
        }
      }
    }
  },
);
