import { expect, test } from 'vitest';
import { people, readAloud } from '../../testing/read-aloud.ts';
import type { SilentDevice } from './outage.ts';
import { guardianLongOutageEmail, holderLongOutageEmail, longOutageSms } from './outage.ts';

/** Each message in full, for each kind of user of a computer (P8.2). */

const since = new Date('2026-11-21T14:05:00.000Z');

const expected: [string, keyof typeof people, string, string][] = [
  [
    'switched_off',
    'me',
    'the holder',
    `Subject: Den PC hasn’t been on for a while
Den PC was switched off on Saturday, November 21, at 9:05 AM and hasn’t been on since.
Is it over?: Nothing is wrong. It’s protected again as soon as it’s on.
What to do now: Nothing, if you know about it.
See Den PC →
Text: none`,
  ],
  [
    'switched_off',
    'me',
    'the guardian',
    `Subject: Ann: Den PC hasn’t been on for a while
Den PC was switched off on Saturday, November 21, at 9:05 AM and hasn’t been on since.
Is it over?: Nothing is wrong. It’s protected again as soon as it’s on.
What to do now: Nothing, if Ann is away. You could call and say hello.
See how Ann is →
Text: none`,
  ],
  [
    'switched_off',
    'Mum',
    'the holder',
    `Subject: Den PC hasn’t been on for a while
Den PC was switched off on Saturday, November 21, at 9:05 AM and hasn’t been on since.
Is it over?: Nothing is wrong. It’s protected again as soon as it’s on.
What to do now: Nothing, if Mum is away. You could call and say hello.
See Den PC →
Text: none`,
  ],
  [
    'switched_off',
    'Mum',
    'the guardian',
    `Subject: Mum: Den PC hasn’t been on for a while
Den PC was switched off on Saturday, November 21, at 9:05 AM and hasn’t been on since.
Is it over?: Nothing is wrong. It’s protected again as soon as it’s on.
What to do now: Nothing, if Mum is away. You could call and say hello.
See how Mum is →
Text: none`,
  ],
  [
    'switched_off',
    'Mum with a number',
    'the holder',
    `Subject: Den PC hasn’t been on for a while
Den PC was switched off on Saturday, November 21, at 9:05 AM and hasn’t been on since.
Is it over?: Nothing is wrong. It’s protected again as soon as it’s on.
What to do now: Nothing, if Mum is away. You could call and say hello.
See Den PC →
Text: none`,
  ],
  [
    'switched_off',
    'Mum with a number',
    'the guardian',
    `Subject: Mum: Den PC hasn’t been on for a while
Den PC was switched off on Saturday, November 21, at 9:05 AM and hasn’t been on since.
Is it over?: Nothing is wrong. It’s protected again as soon as it’s on.
What to do now: Nothing, if Mum is away. You could call and say hello.
See how Mum is →
Text: none`,
  ],
  [
    'switched_off',
    'someone without a name',
    'the holder',
    `Subject: Den PC hasn’t been on for a while
Den PC was switched off on Saturday, November 21, at 9:05 AM and hasn’t been on since.
Is it over?: Nothing is wrong. It’s protected again as soon as it’s on.
What to do now: Nothing, if the person at Den PC is away. You could call and say hello.
See Den PC →
Text: none`,
  ],
  [
    'switched_off',
    'someone without a name',
    'the guardian',
    `Subject: Ann: Den PC hasn’t been on for a while
Den PC was switched off on Saturday, November 21, at 9:05 AM and hasn’t been on since.
Is it over?: Nothing is wrong. It’s protected again as soon as it’s on.
What to do now: Nothing, if the person at Den PC is away. You could call and say hello.
See how Ann is →
Text: none`,
  ],
  [
    'switched_off',
    'nobody',
    'the holder',
    `Subject: Den PC hasn’t been on for a while
Den PC was switched off on Saturday, November 21, at 9:05 AM and hasn’t been on since.
Is it over?: Nothing is wrong. It’s protected again as soon as it’s on.
What to do now: Nothing, if you know about it.
See Den PC →
Text: none`,
  ],
  [
    'switched_off',
    'nobody',
    'the guardian',
    `Subject: Ann: Den PC hasn’t been on for a while
Den PC was switched off on Saturday, November 21, at 9:05 AM and hasn’t been on since.
Is it over?: Nothing is wrong. It’s protected again as soon as it’s on.
What to do now: Nothing, if Ann is away. You could call and say hello.
See how Ann is →
Text: none`,
  ],
  [
    'asleep',
    'me',
    'the holder',
    `Subject: Den PC hasn’t been on for a while
Den PC went to sleep on Saturday, November 21, at 9:05 AM and hasn’t been on since.
Is it over?: Nothing is wrong. It’s protected again as soon as it’s on.
What to do now: Nothing, if you know about it.
See Den PC →
Text: none`,
  ],
  [
    'asleep',
    'me',
    'the guardian',
    `Subject: Ann: Den PC hasn’t been on for a while
Den PC went to sleep on Saturday, November 21, at 9:05 AM and hasn’t been on since.
Is it over?: Nothing is wrong. It’s protected again as soon as it’s on.
What to do now: Nothing, if Ann is away. You could call and say hello.
See how Ann is →
Text: none`,
  ],
  [
    'asleep',
    'Mum',
    'the holder',
    `Subject: Den PC hasn’t been on for a while
Den PC went to sleep on Saturday, November 21, at 9:05 AM and hasn’t been on since.
Is it over?: Nothing is wrong. It’s protected again as soon as it’s on.
What to do now: Nothing, if Mum is away. You could call and say hello.
See Den PC →
Text: none`,
  ],
  [
    'asleep',
    'Mum',
    'the guardian',
    `Subject: Mum: Den PC hasn’t been on for a while
Den PC went to sleep on Saturday, November 21, at 9:05 AM and hasn’t been on since.
Is it over?: Nothing is wrong. It’s protected again as soon as it’s on.
What to do now: Nothing, if Mum is away. You could call and say hello.
See how Mum is →
Text: none`,
  ],
  [
    'asleep',
    'Mum with a number',
    'the holder',
    `Subject: Den PC hasn’t been on for a while
Den PC went to sleep on Saturday, November 21, at 9:05 AM and hasn’t been on since.
Is it over?: Nothing is wrong. It’s protected again as soon as it’s on.
What to do now: Nothing, if Mum is away. You could call and say hello.
See Den PC →
Text: none`,
  ],
  [
    'asleep',
    'Mum with a number',
    'the guardian',
    `Subject: Mum: Den PC hasn’t been on for a while
Den PC went to sleep on Saturday, November 21, at 9:05 AM and hasn’t been on since.
Is it over?: Nothing is wrong. It’s protected again as soon as it’s on.
What to do now: Nothing, if Mum is away. You could call and say hello.
See how Mum is →
Text: none`,
  ],
  [
    'asleep',
    'someone without a name',
    'the holder',
    `Subject: Den PC hasn’t been on for a while
Den PC went to sleep on Saturday, November 21, at 9:05 AM and hasn’t been on since.
Is it over?: Nothing is wrong. It’s protected again as soon as it’s on.
What to do now: Nothing, if the person at Den PC is away. You could call and say hello.
See Den PC →
Text: none`,
  ],
  [
    'asleep',
    'someone without a name',
    'the guardian',
    `Subject: Ann: Den PC hasn’t been on for a while
Den PC went to sleep on Saturday, November 21, at 9:05 AM and hasn’t been on since.
Is it over?: Nothing is wrong. It’s protected again as soon as it’s on.
What to do now: Nothing, if the person at Den PC is away. You could call and say hello.
See how Ann is →
Text: none`,
  ],
  [
    'asleep',
    'nobody',
    'the holder',
    `Subject: Den PC hasn’t been on for a while
Den PC went to sleep on Saturday, November 21, at 9:05 AM and hasn’t been on since.
Is it over?: Nothing is wrong. It’s protected again as soon as it’s on.
What to do now: Nothing, if you know about it.
See Den PC →
Text: none`,
  ],
  [
    'asleep',
    'nobody',
    'the guardian',
    `Subject: Ann: Den PC hasn’t been on for a while
Den PC went to sleep on Saturday, November 21, at 9:05 AM and hasn’t been on since.
Is it over?: Nothing is wrong. It’s protected again as soon as it’s on.
What to do now: Nothing, if Ann is away. You could call and say hello.
See how Ann is →
Text: none`,
  ],
];

test.each(expected)(
  'the email and SMS about the outage %s of a computer used by %s have the expected text for %s',
  (kind, userKey, recipient, expectedText) => {
    const device = { uuid: '', account: '', name: 'Den PC', time_zone: 'America/New_York', since };
    const silent: SilentDevice = { ...device, person: people[userKey], kind: kind as SilentDevice['kind'] };
    const holder = recipient === 'the holder';
    const email = holder
      ? holderLongOutageEmail(silent, 'https://x.test')
      : guardianLongOutageEmail(silent, 'Ann Example', 'https://x.test');
    expect(readAloud(email, longOutageSms(silent, holder ? null : 'Ann Example'))).toBe(expectedText);
  },
);
