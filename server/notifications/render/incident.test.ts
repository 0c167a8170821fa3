import { expect, test } from 'vitest';
import { people } from '../../testing/read-aloud.ts';
import { readNotification } from '../../testing/read-notification.ts';
import { type Notification, render } from './render.ts';

/** Each email in full, for each kind of user of a computer (P8.2, P9.2). */

const time = new Date('2026-11-21T14:05:00.000Z');
const factsOf = (userKey: keyof typeof people) => ({
  incident: 'i',
  device: 'Den PC',
  person: people[userKey],
  time_zone: 'America/New_York',
});
type IncidentFacts = ReturnType<typeof factsOf>;

const cases = {
  'was ended by another guardian': (facts) => ({ kind: 'incident_over', facts: { ...facts, by: 'Carol', by_person: 'carol', time } }),
  'was ended by the holder': (facts) => ({ kind: 'incident_over', facts: { ...facts, by: 'Ann', by_person: 'account', time } }),
  'was ended by the guardian': (facts) => ({ kind: 'incident_over', facts: { ...facts, by: 'Bob', by_person: 'guardian', time } }),
  'opened the day before': (facts) => ({ kind: 'incident_checkup', facts: { ...facts, opened: time } }),
} as const satisfies Record<string, (facts: IncidentFacts) => Notification>;

const expected: [keyof typeof cases, keyof typeof people, 'the holder' | 'the guardian', string][] = [
  [
    'was ended by another guardian',
    'me',
    'the holder',
    `Subject: Carol said it’s over on Den PC
Carol said it’s over on Den PC.
What happened: Carol pressed “It’s over” at 9:05 AM on Saturday, November 21.
Is it over?: We think so. We’ll still watch Den PC closely for 7 days.
What to do now: Nothing. If a stranger calls again, hang up.
See what happened →
Text: none`,
  ],
  [
    'was ended by another guardian',
    'Mum with a number',
    'the holder',
    `Subject: Carol said it’s over on Den PC
Carol said it’s over on Den PC.
Call Mum: +1 202 555 0143
What happened: Carol pressed “It’s over” at 9:05 AM on Saturday, November 21.
Is it over?: We think so. We’ll still watch Den PC closely for 7 days.
What to do now: Nothing. If something still seems wrong, call Mum.
See what happened →
Text: none`,
  ],
  [
    'was ended by another guardian',
    'me',
    'the guardian',
    `Subject: Carol said it’s over on Den PC
Carol said it’s over on Den PC.
What happened: Carol pressed “It’s over” at 9:05 AM on Saturday, November 21.
Is it over?: We think so. We’ll still watch Den PC closely for 7 days.
What to do now: Nothing. If something still seems wrong, call Ann.
See what happened →
Stop this →
Text: none`,
  ],
  [
    'was ended by another guardian',
    'Mum with a number',
    'the guardian',
    `Subject: Carol said it’s over on Den PC
Carol said it’s over on Den PC.
Call Mum: +1 202 555 0143
What happened: Carol pressed “It’s over” at 9:05 AM on Saturday, November 21.
Is it over?: We think so. We’ll still watch Den PC closely for 7 days.
What to do now: Nothing. If something still seems wrong, call Mum.
See what happened →
Stop this →
Text: none`,
  ],
  [
    'was ended by another guardian',
    'someone without a name',
    'the guardian',
    `Subject: Carol said it’s over on Den PC
Carol said it’s over on Den PC.
What happened: Carol pressed “It’s over” at 9:05 AM on Saturday, November 21.
Is it over?: We think so. We’ll still watch Den PC closely for 7 days.
What to do now: Nothing. If something still seems wrong, call the person at Den PC.
See what happened →
Stop this →
Text: none`,
  ],
  ['was ended by the holder', 'Mum with a number', 'the holder', `none`],
  [
    'was ended by the holder',
    'Mum with a number',
    'the guardian',
    `Subject: Ann said it’s over on Den PC
Ann said it’s over on Den PC.
Call Mum: +1 202 555 0143
What happened: Ann pressed “It’s over” at 9:05 AM on Saturday, November 21.
Is it over?: We think so. We’ll still watch Den PC closely for 7 days.
What to do now: Nothing. If something still seems wrong, call Mum.
See what happened →
Stop this →
Text: none`,
  ],
  [
    'was ended by the guardian',
    'Mum with a number',
    'the holder',
    `Subject: Bob said it’s over on Den PC
Bob said it’s over on Den PC.
Call Mum: +1 202 555 0143
What happened: Bob pressed “It’s over” at 9:05 AM on Saturday, November 21.
Is it over?: We think so. We’ll still watch Den PC closely for 7 days.
What to do now: Nothing. If something still seems wrong, call Mum.
See what happened →
Text: none`,
  ],
  ['was ended by the guardian', 'Mum with a number', 'the guardian', `none`],
  [
    'opened the day before',
    'me',
    'the holder',
    `Subject: How did it go on Den PC?
How are you now?
What happened: There was trouble on Den PC on Saturday, November 21. We’d like to know how it went.
What to do now: Press the button and choose an answer. If a stranger got money or a card number, call the bank. Use the number on the card.
Say how it went →
Text: none`,
  ],
  [
    'opened the day before',
    'Mum with a number',
    'the holder',
    `Subject: How did it go on Den PC?
How is Mum now?
Call Mum: +1 202 555 0143
What happened: There was trouble on Den PC on Saturday, November 21. We’d like to know how it went.
What to do now: Ask Mum, and press the button. If a stranger got money or a card number, call the bank together. Use the number on the card.
Say how it went →
Text: none`,
  ],
  [
    'opened the day before',
    'me',
    'the guardian',
    `Subject: How did it go on Den PC?
How is Ann now?
What happened: There was trouble on Den PC on Saturday, November 21. We’d like to know how it went.
What to do now: Ask Ann, and press the button. If a stranger got money or a card number, call the bank together. Use the number on the card.
Say how it went →
Stop this →
Text: none`,
  ],
  [
    'opened the day before',
    'Mum with a number',
    'the guardian',
    `Subject: How did it go on Den PC?
How is Mum now?
Call Mum: +1 202 555 0143
What happened: There was trouble on Den PC on Saturday, November 21. We’d like to know how it went.
What to do now: Ask Mum, and press the button. If a stranger got money or a card number, call the bank together. Use the number on the card.
Say how it went →
Stop this →
Text: none`,
  ],
  [
    'opened the day before',
    'someone without a name',
    'the guardian',
    `Subject: How did it go on Den PC?
How is the person at Den PC now?
What happened: There was trouble on Den PC on Saturday, November 21. We’d like to know how it went.
What to do now: Ask the person at Den PC, and press the button. If a stranger got money or a card number, call the bank together. Use the number on the card.
Say how it went →
Stop this →
Text: none`,
  ],
];

test.each(expected)(
  'the email about an incident that %s, on a computer used by %s, has the expected text for %s',
  (name, userKey, reader, expectedText) => {
    expect(readNotification(cases[name](factsOf(userKey)), reader)).toBe(expectedText);
  },
);

test.each(['was ended by another guardian', 'opened the day before'] as const)(
  'the button of the email about an incident that %s leads to its page, and the second link of a guardian’s to Stop this',
  (name) => {
    const { toHolder, toGuardian } = render(cases[name](factsOf('me')));
    expect(toHolder({ uuid: 'ann', name: 'Ann', dashboard_url: 'https://x.test' }).email?.text.match(/https:\S+/g)).toEqual([
      'https://x.test/incident/i',
    ]);
    expect(
      toGuardian({ uuid: 'g', name: 'Bob', holder_name: 'Ann', link: 'https://x.test/guardian/g/key' }).email?.text.match(/https:\S+/g),
    ).toEqual(['https://x.test/guardian/g/key?incident=i', 'https://x.test/guardian/g/key?stop=1']);
  },
);

test('an incident that is over again is notified again, and how it went is asked once', () => {
  const deliveries = (['was ended by another guardian', 'opened the day before'] as const).map(
    (name) => render(cases[name](factsOf('me'))).delivery,
  );
  expect(deliveries).toEqual([
    { category: 'act', about: 'i:over:2026-11-21T14:05:00.000Z', urgency: 'ordinary' },
    { category: 'act', about: 'i:checkup', urgency: 'ordinary' },
  ]);
});
