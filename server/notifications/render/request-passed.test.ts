import { expect, test } from 'vitest';
import { people } from '../../testing/read-aloud.ts';
import { readNotification } from '../../testing/read-notification.ts';
import type { Notification } from './render.ts';
import { render } from './render.ts';
import type { RequestFacts } from './request-wording.ts';

/** Each message in full, for each kind of user of a computer (P8.2, P10.2). */

const cases = {
  'passed after a day': (facts) => ({ kind: 'request_passed', facts: { ...facts, after: 'day' } }),
  'passed after an hour': (facts) => ({ kind: 'request_passed', facts: { ...facts, after: 'hour' } }),
  'was lifted': (facts) => ({ kind: 'request_lifted', facts }),
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
    'passed after a day',
    'me',
    'the holder',
    `Subject: Nobody answered, so it went through: you wanted to allow AnyDesk on Den PC
Nobody answered, so it went through.
What happened: You wanted to allow AnyDesk on Den PC. It went through at 9:05 AM on Saturday, November 21.
What it means: It was asked for again after a day, with the password.
What to do now: If someone on the phone told you to do this, hang up. Then press See what happened.
See what happened →
Text: Nobody answered, so it went through. You wanted to allow AnyDesk on Den PC. Someone on the phone? Hang up.`,
  ],
  [
    'passed after a day',
    'Mum with a number',
    'the holder',
    `Subject: Nobody answered, so it went through: someone wanted to allow AnyDesk on Den PC
Nobody answered, so it went through.
Call Mum: +1 202 555 0143
What happened: Someone wanted to allow AnyDesk on Den PC. It went through at 9:05 AM on Saturday, November 21.
What it means: It was asked for again after a day, with the password.
What to do now: Not expected? Call Mum. Say: “Hang up. I’m with you.”
See what happened →
Text: Nobody answered, so it went through. Someone wanted to allow AnyDesk on Den PC. Not expected? Call Mum: +12025550143.`,
  ],
  [
    'passed after a day',
    'me',
    'the guardian',
    `Subject: Nobody answered, so it went through: Ann wanted to allow AnyDesk on Den PC
Nobody answered, so it went through.
What happened: Ann wanted to allow AnyDesk on Den PC. It went through at 9:05 AM on Saturday, November 21.
What it means: It was asked for again after a day, with the password.
What to do now: Not expected? Call Ann. Say: “Hang up. I’m with you.”
See what happened →
Text: Nobody answered, so it went through. Ann wanted to allow AnyDesk on Den PC. Not expected? Call Ann.`,
  ],
  [
    'passed after a day',
    'Mum with a number',
    'the guardian',
    `Subject: Nobody answered, so it went through: Ann wanted to allow AnyDesk on Den PC
Nobody answered, so it went through.
Call Mum: +1 202 555 0143
What happened: Ann wanted to allow AnyDesk on Den PC. It went through at 9:05 AM on Saturday, November 21.
What it means: It was asked for again after a day, with the password.
What to do now: Not expected? Call Mum. Say: “Hang up. I’m with you.”
See what happened →
Text: Nobody answered, so it went through. Ann wanted to allow AnyDesk on Den PC. Not expected? Call Mum: +12025550143.`,
  ],
  [
    'passed after an hour',
    'me',
    'the holder',
    `Subject: Nobody could answer, so it went through: you wanted to allow AnyDesk on Den PC
Nobody could answer, so it went through.
What happened: You wanted to allow AnyDesk on Den PC. It went through at 9:05 AM on Saturday, November 21.
What it means: It was asked for again after an hour, with the password.
What to do now: If someone on the phone told you to do this, hang up. Then press See what happened.
See what happened →
Text: Nobody could answer, so it went through. You wanted to allow AnyDesk on Den PC. Someone on the phone? Hang up.`,
  ],
  [
    'was lifted',
    'me',
    'the holder',
    `Subject: Our support let it through: you wanted to allow AnyDesk on Den PC
Our support let it through.
What happened: You wanted to allow AnyDesk on Den PC. Someone asked our support, and we let it through at 9:05 AM on Saturday, November 21.
What it means: It can go through now, for ten minutes.
What to do now: If you didn’t ask us, or if someone on the phone told you to, hang up and write to us.
See what happened →
Text: Our support let it through. You wanted to allow AnyDesk on Den PC. Someone on the phone? Hang up.`,
  ],
  [
    'was lifted',
    'Mum with a number',
    'the holder',
    `Subject: Our support let it through: someone wanted to allow AnyDesk on Den PC
Our support let it through.
Call Mum: +1 202 555 0143
What happened: Someone wanted to allow AnyDesk on Den PC. Someone asked our support, and we let it through at 9:05 AM on Saturday, November 21.
What it means: It can go through now, for ten minutes.
What to do now: Not expected? Call Mum, and say no: a no always wins.
See it and answer →
Text: Our support let it through. Someone wanted to allow AnyDesk on Den PC. Not expected? Call Mum: +12025550143.`,
  ],
  [
    'was lifted',
    'Mum with a number',
    'the guardian',
    `Subject: Our support let it through: Ann wanted to allow AnyDesk on Den PC
Our support let it through.
Call Mum: +1 202 555 0143
What happened: Ann wanted to allow AnyDesk on Den PC. Someone asked our support, and we let it through at 9:05 AM on Saturday, November 21.
What it means: It can go through now, for ten minutes.
What to do now: Not expected? Call Mum, and say no: a no always wins.
See it and answer →
Text: Our support let it through. Ann wanted to allow AnyDesk on Den PC. Not expected? Call Mum: +12025550143.`,
  ],
];

test.each(expected)(
  'the email and SMS about a request that %s, on a computer used by %s, have the expected text for %s',
  (name, userKey, reader, expectedText) => {
    expect(readNotification(cases[name](factsOf(userKey)), reader)).toBe(expectedText);
  },
);

const expectedLate: typeof expected = [
  [
    'passed after a day',
    'me',
    'the holder',
    `Subject: Nobody answered, so it went through: you wanted to allow AnyDesk on Den PC
Nobody answered, so it went through.
This happened at 9:05 AM, 3 hours ago. We could not send it sooner.
What happened: You wanted to allow AnyDesk on Den PC.
What it means: It was asked for again after a day, with the password.
What to do now: If someone on the phone told you to do this, hang up. Then press See what happened.
See what happened →
Text: It went through at 9:05 AM, 3 hours ago. You wanted to allow AnyDesk on Den PC. Someone on the phone? Hang up. We could not send it sooner.`,
  ],
  [
    'passed after a day',
    'Mum with a number',
    'the guardian',
    `Subject: Nobody answered, so it went through: Ann wanted to allow AnyDesk on Den PC
Nobody answered, so it went through.
Call Mum: +1 202 555 0143
This happened at 9:05 AM, 3 hours ago. We could not send it sooner.
What happened: Ann wanted to allow AnyDesk on Den PC.
What it means: It was asked for again after a day, with the password.
What to do now: Not expected? Call Mum. Say: “Hang up. I’m with you.”
See what happened →
Text: It went through at 9:05 AM, 3 hours ago. Ann wanted to allow AnyDesk on Den PC. Call Mum: +12025550143. We could not send it sooner.`,
  ],
  [
    'was lifted',
    'me',
    'the holder',
    `Subject: Our support let it through: you wanted to allow AnyDesk on Den PC
Our support let it through.
This happened at 9:05 AM, 3 hours ago. We could not send it sooner.
What happened: You wanted to allow AnyDesk on Den PC.
What it means: It could go through for ten minutes.
What to do now: If you didn’t ask us, or if someone on the phone told you to, hang up and write to us.
See what happened →
Text: Support let it through at 9:05 AM, 3 hours ago. You wanted to allow AnyDesk on Den PC. Someone on the phone? Hang up. We could not send it sooner.`,
  ],
  [
    'was lifted',
    'Mum with a number',
    'the guardian',
    `Subject: Our support let it through: Ann wanted to allow AnyDesk on Den PC
Our support let it through.
Call Mum: +1 202 555 0143
This happened at 9:05 AM, 3 hours ago. We could not send it sooner.
What happened: Ann wanted to allow AnyDesk on Den PC.
What it means: It could go through for ten minutes.
What to do now: Not expected? Call Mum, and say no: a no always wins.
See it and answer →
Text: Support let it through at 9:05 AM, 3 hours ago. Ann wanted to allow AnyDesk on Den PC. Call Mum: +12025550143. We could not send it sooner.`,
  ],
];

test.each(expectedLate)(
  'the late email and SMS about a request that %s, on a computer used by %s, have the expected text for %s',
  (name, userKey, reader, expectedText) => {
    expect(readNotification(cases[name](factsOf(userKey)), reader, true)).toBe(expectedText);
  },
);

test('a request that passed without a yes is notified at once, also with emails off', () => {
  const deliveries = Object.values(cases).map((notification) => render(notification(factsOf('me'))).delivery);
  const rule = { category: 'act', urgency: 'urgent', always: true };
  expect(deliveries).toMatchObject(['r:passed', 'r:passed', 'r:lifted'].map((about) => ({ ...rule, about })));
});
