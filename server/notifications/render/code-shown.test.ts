import { codePurpose } from '@porchlight/contract/one-time-codes.ts';
import { serverLimits } from '@porchlight/contract/server-limits.ts';
import { expect, test } from 'vitest';
import { fitsOneSms } from '../../lib/sms-text.ts';
import { people } from '../../testing/read-aloud.ts';
import { readNotification } from '../../testing/read-notification.ts';
import type { CodeShownFacts } from './code-shown.ts';
import { render } from './render.ts';

/** Each message in full, for each kind of user of a computer (P8.2, P10.7). */

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

const expected: [keyof typeof cases, keyof typeof people, 'the holder' | 'the guardian', string][] = [
  [
    'to pause',
    'me',
    'the holder',
    `Subject: Carol opened a code for Den PC
Carol opened a code for Den PC.
What it means: With it someone there can pause Porchlight once, within 20 minutes. Carol opened it at 9:05 AM on Saturday, November 21.
What to do now: If someone on the phone wants the code, hang up. Don’t type it in for them. Questions? Call Carol.
See what happened →
Text: Carol opened a code for Den PC. With it someone there can pause Porchlight once, within 20 minutes. Someone on the phone? Hang up.`,
  ],
  [
    'to pause',
    'Mum with a number',
    'the holder',
    `Subject: Carol opened a code for Den PC
Carol opened a code for Den PC.
Call Mum: +1 202 555 0143
What it means: With it someone there can pause Porchlight once, within 20 minutes. Carol opened it at 9:05 AM on Saturday, November 21.
What to do now: Call Mum and ask if someone on the phone wants this. If so, say: “Hang up. I’m with you.” Then call Carol.
See what happened →
Text: Carol opened a code for Den PC. With it someone there can pause Porchlight once, within 20 minutes. Not expected? Call Mum: +12025550143.`,
  ],
  [
    'to pause',
    'me',
    'the guardian',
    `Subject: Carol opened a code for Den PC
Carol opened a code for Den PC.
What it means: With it someone there can pause Porchlight once, within 20 minutes. Carol opened it at 9:05 AM on Saturday, November 21.
What to do now: Call Ann and ask if someone on the phone wants this. If so, say: “Hang up. I’m with you.” Then call Carol.
See what happened →
Text: Carol opened a code for Den PC. With it someone there can pause Porchlight once, within 20 minutes. Not expected? Call Ann.`,
  ],
  [
    'to pause',
    'Mum with a number',
    'the guardian',
    `Subject: Carol opened a code for Den PC
Carol opened a code for Den PC.
Call Mum: +1 202 555 0143
What it means: With it someone there can pause Porchlight once, within 20 minutes. Carol opened it at 9:05 AM on Saturday, November 21.
What to do now: Call Mum and ask if someone on the phone wants this. If so, say: “Hang up. I’m with you.” Then call Carol.
See what happened →
Text: Carol opened a code for Den PC. With it someone there can pause Porchlight once, within 20 minutes. Not expected? Call Mum: +12025550143.`,
  ],
  [
    'to pause',
    'someone without a name',
    'the guardian',
    `Subject: Carol opened a code for Den PC
Carol opened a code for Den PC.
What it means: With it someone there can pause Porchlight once, within 20 minutes. Carol opened it at 9:05 AM on Saturday, November 21.
What to do now: Call the person at Den PC and ask if someone on the phone wants this. If so, say: “Hang up. I’m with you.” Then call Carol.
See what happened →
Text: Carol opened a code for Den PC. With it someone there can pause Porchlight once, within 20 minutes. Not expected? Call the person at Den PC.`,
  ],
  [
    'to uninstall',
    'nobody',
    'the holder',
    `Subject: Carol opened a code for Den PC
Carol opened a code for Den PC.
What it means: With it someone there can uninstall Porchlight, within 20 minutes. Carol opened it at 9:05 AM on Saturday, November 21.
What to do now: If someone on the phone wants the code, hang up. Don’t type it in for them. Questions? Call Carol.
See what happened →
Text: Carol opened a code for Den PC. With it someone there can uninstall Porchlight, within 20 minutes. Someone on the phone? Hang up.`,
  ],
  [
    'to allow AnyDesk',
    'Mum',
    'the holder',
    `Subject: Carol opened a code for Den PC
Carol opened a code for Den PC.
What it means: With it someone there can allow AnyDesk for an hour, within 20 minutes. Carol opened it at 9:05 AM on Saturday, November 21.
What to do now: Call Mum and ask if someone on the phone wants this. If so, say: “Hang up. I’m with you.” Then call Carol.
See what happened →
Text: Carol opened a code for Den PC. With it someone there can allow AnyDesk for an hour, within 20 minutes. Not expected? Call Mum.`,
  ],
  [
    'to allow AnyDesk',
    'nobody',
    'the guardian',
    `Subject: Carol opened a code for Den PC
Carol opened a code for Den PC.
What it means: With it someone there can allow AnyDesk for an hour, within 20 minutes. Carol opened it at 9:05 AM on Saturday, November 21.
What to do now: Call Ann and ask if someone on the phone wants this. If so, say: “Hang up. I’m with you.” Then call Carol.
See what happened →
Text: Carol opened a code for Den PC. With it someone there can allow AnyDesk for an hour, within 20 minutes. Not expected? Call Ann.`,
  ],
  [
    'to link elsewhere, without an incident',
    'me',
    'the holder',
    `Subject: Carol opened a code for Den PC
Carol opened a code for Den PC.
What it means: With it someone there can connect it to another account, within 20 minutes. Carol opened it at 9:05 AM on Saturday, November 21.
What to do now: If someone on the phone wants the code, hang up. Don’t type it in for them. Questions? Call Carol.
Open Porchlight →
Text: Carol opened a code for Den PC. With it someone there can connect it to another account, within 20 minutes. Someone on the phone? Hang up.`,
  ],
  [
    'to link elsewhere, without an incident',
    'Mum with a number',
    'the guardian',
    `Subject: Carol opened a code for Den PC
Carol opened a code for Den PC.
Call Mum: +1 202 555 0143
What it means: With it someone there can connect it to another account, within 20 minutes. Carol opened it at 9:05 AM on Saturday, November 21.
What to do now: Call Mum and ask if someone on the phone wants this. If so, say: “Hang up. I’m with you.” Then call Carol.
See how Mum is →
Text: Carol opened a code for Den PC. With it someone there can connect it to another account, within 20 minutes. Not expected? Call Mum: +12025550143.`,
  ],
  [
    'to pause, sent late',
    'me',
    'the holder',
    `Subject: Carol opened a code for Den PC
Carol opened a code for Den PC.
This happened at 9:05 AM, 3 hours ago. We could not send it sooner.
What it means: With it someone there could pause Porchlight once, in the 20 minutes after that.
What to do now: If someone on the phone wanted the code, hang up. Then call Carol.
See what happened →
Text: Carol opened a code for Den PC at 9:05 AM, 3 hours ago. Someone there could pause Porchlight once. Someone on the phone? Hang up. We could not send it sooner.`,
  ],
  [
    'to pause, sent late',
    'Mum with a number',
    'the guardian',
    `Subject: Carol opened a code for Den PC
Carol opened a code for Den PC.
Call Mum: +1 202 555 0143
This happened at 9:05 AM, 3 hours ago. We could not send it sooner.
What it means: With it someone there could pause Porchlight once, in the 20 minutes after that.
What to do now: Call Mum and ask if everything is all right.
See what happened →
Text: Carol opened a code for Den PC at 9:05 AM, 3 hours ago. Someone there could pause Porchlight once. Call Mum: +12025550143. We could not send it sooner.`,
  ],
];

test.each(expected)(
  '[P10.7] the email and SMS about a code %s, on a computer used by %s, have the expected text for %s',
  (name, userKey, reader, expectedText) => {
    const [facts, late] = cases[name];
    expect(readNotification({ kind: 'code_shown', facts: { ...facts, person: people[userKey] } }, reader, late)).toBe(expectedText);
  },
);

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
