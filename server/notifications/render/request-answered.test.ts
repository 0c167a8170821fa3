import { expect, test } from 'vitest';
import { people } from '../../testing/read-aloud.ts';
import { readNotification } from '../../testing/read-notification.ts';
import type { Notification } from './render.ts';
import { render } from './render.ts';
import type { RequestFacts } from './request-wording.ts';

/** Each message in full, for each kind of user of a computer (P8.2, P10.2). */

const carol = { by: 'Carol', by_person: 'carol', undone: false, remains: false };
const cases = {
  'was answered with a yes': (facts) => ({ kind: 'request_answered', facts: { ...facts, ...carol, answer: 'yes' } }),
  'was answered with a no': (facts) => ({ kind: 'request_answered', facts: { ...facts, ...carol, answer: 'no' } }),
  'was undone by a no': (facts) => ({
    kind: 'request_answered',
    facts: { ...facts, ...carol, answer: 'no', undone: true, remains: false },
  }),
  'was answered by the holder': (facts) => ({
    kind: 'request_answered',
    facts: { ...facts, by: 'Ann', by_person: 'account', undone: false, remains: false, answer: 'no' },
  }),
  'was answered by the guardian': (facts) => ({
    kind: 'request_answered',
    facts: { ...facts, by: 'Bob', by_person: 'guardian', undone: false, remains: false, answer: 'no' },
  }),
} as const satisfies Record<string, (facts: RequestFacts) => Notification>;

const factsOf = (userKey: keyof typeof people): RequestFacts => ({
  request: 'r',
  incident: 'i',
  activities: [{ kind: 'allowed', device: 'Den PC', what: 'AnyDesk' }],
  device: 'Den PC',
  person: people[userKey],
  time: new Date('2026-11-21T14:05:00.000Z'),
  time_zone: 'America/New_York',
});

const expected: [keyof typeof cases, keyof typeof people, 'the holder' | 'the guardian', string][] = [
  [
    'was answered with a yes',
    'me',
    'the holder',
    `Subject: Carol said yes: you wanted to allow AnyDesk on Den PC
Carol said yes.
What happened: You wanted to allow AnyDesk on Den PC. Carol answered at 9:05 AM on Saturday, November 21.
What it means: It can go through now, for ten minutes.
What to do now: If someone on the phone told you to do this, hang up. Then ask Carol to say no: a no always wins.
See what happened →
Text: Carol said yes. You wanted to allow AnyDesk on Den PC. It can go through now. Someone on the phone? Hang up.`,
  ],
  [
    'was answered with a yes',
    'Mum with a number',
    'the holder',
    `Subject: Carol said yes: someone wanted to allow AnyDesk on Den PC
Carol said yes.
Call Mum: +1 202 555 0143
What happened: Someone wanted to allow AnyDesk on Den PC. Carol answered at 9:05 AM on Saturday, November 21.
What it means: It can go through now, for ten minutes.
What to do now: Call Mum and ask if someone on the phone wants this. Not sure? Say no: a no always wins.
See it and answer →
Text: Carol said yes. Someone wanted to allow AnyDesk on Den PC. It can go through now. Not expected? Call Mum: +12025550143.`,
  ],
  [
    'was answered with a yes',
    'me',
    'the guardian',
    `Subject: Carol said yes: Ann wanted to allow AnyDesk on Den PC
Carol said yes.
What happened: Ann wanted to allow AnyDesk on Den PC. Carol answered at 9:05 AM on Saturday, November 21.
What it means: It can go through now, for ten minutes.
What to do now: Call Ann and ask if someone on the phone wants this. Not sure? Say no: a no always wins.
See it and answer →
Text: Carol said yes. Ann wanted to allow AnyDesk on Den PC. It can go through now. Not expected? Call Ann.`,
  ],
  [
    'was answered with a yes',
    'Mum with a number',
    'the guardian',
    `Subject: Carol said yes: Ann wanted to allow AnyDesk on Den PC
Carol said yes.
Call Mum: +1 202 555 0143
What happened: Ann wanted to allow AnyDesk on Den PC. Carol answered at 9:05 AM on Saturday, November 21.
What it means: It can go through now, for ten minutes.
What to do now: Call Mum and ask if someone on the phone wants this. Not sure? Say no: a no always wins.
See it and answer →
Text: Carol said yes. Ann wanted to allow AnyDesk on Den PC. It can go through now. Not expected? Call Mum: +12025550143.`,
  ],
  [
    'was answered with a no',
    'me',
    'the holder',
    `Subject: Carol said no: you wanted to allow AnyDesk on Den PC
Carol said no.
What happened: You wanted to allow AnyDesk on Den PC. Carol answered at 9:05 AM on Saturday, November 21.
What it means: Nothing has changed. It stays as it is for 24 hours.
What to do now: If someone on the phone told you to do this, hang up. Questions? Ask Carol.
See what happened →
Text: Carol said no. You wanted to allow AnyDesk on Den PC. Nothing changed. Someone on the phone? Hang up.`,
  ],
  [
    'was answered with a no',
    'Mum with a number',
    'the holder',
    `Subject: Carol said no: someone wanted to allow AnyDesk on Den PC
Carol said no.
Call Mum: +1 202 555 0143
What happened: Someone wanted to allow AnyDesk on Den PC. Carol answered at 9:05 AM on Saturday, November 21.
What it means: Nothing has changed. It stays as it is for 24 hours.
What to do now: Call Mum and ask if everything is all right.
See what happened →
Text: Carol said no. Someone wanted to allow AnyDesk on Den PC. Nothing changed. Is all well? Call Mum: +12025550143.`,
  ],
  [
    'was answered with a no',
    'Mum with a number',
    'the guardian',
    `Subject: Carol said no: Ann wanted to allow AnyDesk on Den PC
Carol said no.
Call Mum: +1 202 555 0143
What happened: Ann wanted to allow AnyDesk on Den PC. Carol answered at 9:05 AM on Saturday, November 21.
What it means: Nothing has changed. It stays as it is for 24 hours.
What to do now: Call Mum and ask if everything is all right.
See what happened →
Text: Carol said no. Ann wanted to allow AnyDesk on Den PC. Nothing changed. Is all well? Call Mum: +12025550143.`,
  ],
  [
    'was undone by a no',
    'me',
    'the holder',
    `Subject: Carol said no: you wanted to allow AnyDesk on Den PC
Carol said no.
What happened: You wanted to allow AnyDesk on Den PC. Carol answered at 9:05 AM on Saturday, November 21.
What it means: It had been let through. We took that back.
What to do now: If someone on the phone told you to do this, hang up. Questions? Ask Carol.
See what happened →
Text: Carol said no. You wanted to allow AnyDesk on Den PC. We took it back. Someone on the phone? Hang up.`,
  ],
  [
    'was undone by a no',
    'Mum with a number',
    'the holder',
    `Subject: Carol said no: someone wanted to allow AnyDesk on Den PC
Carol said no.
Call Mum: +1 202 555 0143
What happened: Someone wanted to allow AnyDesk on Den PC. Carol answered at 9:05 AM on Saturday, November 21.
What it means: It had been let through. We took that back.
What to do now: Call Mum and ask if everything is all right.
See what happened →
Text: Carol said no. Someone wanted to allow AnyDesk on Den PC. We took it back. Is all well? Call Mum: +12025550143.`,
  ],
  [
    'was undone by a no',
    'Mum with a number',
    'the guardian',
    `Subject: Carol said no: Ann wanted to allow AnyDesk on Den PC
Carol said no.
Call Mum: +1 202 555 0143
What happened: Ann wanted to allow AnyDesk on Den PC. Carol answered at 9:05 AM on Saturday, November 21.
What it means: It had been let through. We took that back.
What to do now: Call Mum and ask if everything is all right.
See what happened →
Text: Carol said no. Ann wanted to allow AnyDesk on Den PC. We took it back. Is all well? Call Mum: +12025550143.`,
  ],
  ['was answered by the holder', 'Mum with a number', 'the holder', `none`],
  [
    'was answered by the holder',
    'Mum with a number',
    'the guardian',
    `Subject: Ann said no: someone wanted to allow AnyDesk on Den PC
Ann said no.
Call Mum: +1 202 555 0143
What happened: Someone wanted to allow AnyDesk on Den PC. Ann answered at 9:05 AM on Saturday, November 21.
What it means: Nothing has changed. It stays as it is for 24 hours.
What to do now: Call Mum and ask if everything is all right.
See what happened →
Text: Ann said no. Someone wanted to allow AnyDesk on Den PC. Nothing changed. Is all well? Call Mum: +12025550143.`,
  ],
  [
    'was answered by the guardian',
    'Mum with a number',
    'the holder',
    `Subject: Bob said no: someone wanted to allow AnyDesk on Den PC
Bob said no.
Call Mum: +1 202 555 0143
What happened: Someone wanted to allow AnyDesk on Den PC. Bob answered at 9:05 AM on Saturday, November 21.
What it means: Nothing has changed. It stays as it is for 24 hours.
What to do now: Call Mum and ask if everything is all right.
See what happened →
Text: Bob said no. Someone wanted to allow AnyDesk on Den PC. Nothing changed. Is all well? Call Mum: +12025550143.`,
  ],
  ['was answered by the guardian', 'Mum with a number', 'the guardian', `none`],
];

test.each(expected)(
  'the email and SMS about a request that %s, on a computer used by %s, have the expected text for %s',
  (name, userKey, reader, expectedText) => {
    expect(readNotification(cases[name](factsOf(userKey)), reader)).toBe(expectedText);
  },
);

const expectedLate: typeof expected = [
  [
    'was answered with a yes',
    'me',
    'the holder',
    `Subject: Carol said yes: you wanted to allow AnyDesk on Den PC
Carol said yes.
This happened at 9:05 AM, 3 hours ago. We could not send it sooner.
What happened: You wanted to allow AnyDesk on Den PC.
What it means: It could go through for ten minutes.
What to do now: If someone on the phone told you to do this, hang up. Then ask Carol to say no: a no always wins.
See what happened →
Text: Carol said yes at 9:05 AM, 3 hours ago. You wanted to allow AnyDesk on Den PC. Someone on the phone? Hang up. We could not send it sooner.`,
  ],
  [
    'was answered with a yes',
    'Mum with a number',
    'the guardian',
    `Subject: Carol said yes: Ann wanted to allow AnyDesk on Den PC
Carol said yes.
Call Mum: +1 202 555 0143
This happened at 9:05 AM, 3 hours ago. We could not send it sooner.
What happened: Ann wanted to allow AnyDesk on Den PC.
What it means: It could go through for ten minutes.
What to do now: Call Mum and ask if someone on the phone wants this. Not sure? Say no: a no always wins.
See it and answer →
Text: Carol said yes at 9:05 AM, 3 hours ago. Ann wanted to allow AnyDesk on Den PC. Call Mum: +12025550143. We could not send it sooner.`,
  ],
  [
    'was answered with a no',
    'me',
    'the holder',
    `Subject: Carol said no: you wanted to allow AnyDesk on Den PC
Carol said no.
This happened at 9:05 AM, 3 hours ago. We could not send it sooner.
What happened: You wanted to allow AnyDesk on Den PC.
What it means: Nothing changed.
What to do now: If someone on the phone told you to do this, hang up. Questions? Ask Carol.
See what happened →
Text: Carol said no at 9:05 AM, 3 hours ago. You wanted to allow AnyDesk on Den PC. Someone on the phone? Hang up. We could not send it sooner.`,
  ],
  [
    'was answered with a no',
    'Mum with a number',
    'the guardian',
    `Subject: Carol said no: Ann wanted to allow AnyDesk on Den PC
Carol said no.
Call Mum: +1 202 555 0143
This happened at 9:05 AM, 3 hours ago. We could not send it sooner.
What happened: Ann wanted to allow AnyDesk on Den PC.
What it means: Nothing changed.
What to do now: Call Mum and ask if everything is all right.
See what happened →
Text: Carol said no at 9:05 AM, 3 hours ago. Ann wanted to allow AnyDesk on Den PC. Call Mum: +12025550143. We could not send it sooner.`,
  ],
];

test.each(expectedLate)(
  'the late email and SMS about a request that %s, on a computer used by %s, have the expected text for %s',
  (name, userKey, reader, expectedText) => {
    expect(readNotification(cases[name](factsOf(userKey)), reader, true)).toBe(expectedText);
  },
);

test('each answer of each person has its own notification, which is sent at once', () => {
  const deliveries = Object.values(cases).map((notification) => render(notification(factsOf('me'))).delivery);
  expect(deliveries.map(({ about }) => about)).toEqual(['r:yes:carol', 'r:no:carol', 'r:no:carol', 'r:no:account', 'r:no:guardian']);
  expect(new Set(deliveries.map(({ urgency }) => urgency))).toEqual(new Set(['urgent']));
});
