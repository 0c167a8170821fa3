import { expect, test } from 'vitest';
import { people, readAloud } from '../../testing/read-aloud.ts';
import type { SilentDevice } from './outage.ts';
import { guardianLongOutageEmail, holderLongOutageEmail, longOutageSms } from './outage.ts';

/** Each message in full, for each kind of user of a computer (P8.2). */

const since = new Date('2026-11-21T14:05:00.000Z');

const expected: [string, keyof typeof people, string, string][] = [
  [
    'stopped',
    'me',
    'the holder',
    `Subject: Den PC is not protected
Porchlight was closed on Den PC on Saturday, November 21, at 9:05 AM and hasn’t been started since.
Is it over?: No. The computer may be on, and nothing protects it.
What to do now: If someone on the phone asked you to close it, hang up. Then restart Den PC.
See Den PC →
Text: Porchlight was closed on Den PC on Saturday, November 21, at 9:05 AM and hasn't been started since. Please check it.`,
  ],
  [
    'stopped',
    'me',
    'the guardian',
    `Subject: Ann: Den PC is not protected
Porchlight was closed on Den PC on Saturday, November 21, at 9:05 AM and hasn’t been started since.
Is it over?: No. The computer may be on, and nothing protects it.
What to do now: Call Ann. If a stranger is on the phone, say: “Hang up.” Then restart Den PC together.
See how Ann is →
Text: Porchlight was closed on Den PC on Saturday, November 21, at 9:05 AM and hasn't been started since. Call Ann.`,
  ],
  [
    'stopped',
    'Mum',
    'the holder',
    `Subject: Den PC is not protected
Porchlight was closed on Den PC on Saturday, November 21, at 9:05 AM and hasn’t been started since.
Is it over?: No. The computer may be on, and nothing protects it.
What to do now: Call Mum. If a stranger is on the phone, say: “Hang up.” Then restart Den PC together.
See Den PC →
Text: Porchlight was closed on Den PC on Saturday, November 21, at 9:05 AM and hasn't been started since. Call Mum.`,
  ],
  [
    'stopped',
    'Mum',
    'the guardian',
    `Subject: Mum: Den PC is not protected
Porchlight was closed on Den PC on Saturday, November 21, at 9:05 AM and hasn’t been started since.
Is it over?: No. The computer may be on, and nothing protects it.
What to do now: Call Mum. If a stranger is on the phone, say: “Hang up.” Then restart Den PC together.
See how Mum is →
Text: Porchlight was closed on Den PC on Saturday, November 21, at 9:05 AM and hasn't been started since. Call Mum.`,
  ],
  [
    'stopped',
    'Mum with a number',
    'the holder',
    `Subject: Den PC is not protected
Porchlight was closed on Den PC on Saturday, November 21, at 9:05 AM and hasn’t been started since.
Call Mum: +1 202 555 0143
Is it over?: No. The computer may be on, and nothing protects it.
What to do now: Call Mum. If a stranger is on the phone, say: “Hang up.” Then restart Den PC together.
See Den PC →
Text: Porchlight was closed on Den PC on Saturday, November 21, at 9:05 AM and hasn't been started since. Call Mum: +12025550143.`,
  ],
  [
    'stopped',
    'Mum with a number',
    'the guardian',
    `Subject: Mum: Den PC is not protected
Porchlight was closed on Den PC on Saturday, November 21, at 9:05 AM and hasn’t been started since.
Call Mum: +1 202 555 0143
Is it over?: No. The computer may be on, and nothing protects it.
What to do now: Call Mum. If a stranger is on the phone, say: “Hang up.” Then restart Den PC together.
See how Mum is →
Text: Porchlight was closed on Den PC on Saturday, November 21, at 9:05 AM and hasn't been started since. Call Mum: +12025550143.`,
  ],
  [
    'stopped',
    'someone without a name',
    'the holder',
    `Subject: Den PC is not protected
Porchlight was closed on Den PC on Saturday, November 21, at 9:05 AM and hasn’t been started since.
Is it over?: No. The computer may be on, and nothing protects it.
What to do now: Call the person at Den PC. If a stranger is on the phone, say: “Hang up.” Then restart Den PC together.
See Den PC →
Text: Porchlight was closed on Den PC on Saturday, November 21, at 9:05 AM and hasn't been started since. Call the person at Den PC.`,
  ],
  [
    'stopped',
    'someone without a name',
    'the guardian',
    `Subject: Ann: Den PC is not protected
Porchlight was closed on Den PC on Saturday, November 21, at 9:05 AM and hasn’t been started since.
Is it over?: No. The computer may be on, and nothing protects it.
What to do now: Call the person at Den PC. If a stranger is on the phone, say: “Hang up.” Then restart Den PC together.
See how Ann is →
Text: Porchlight was closed on Den PC on Saturday, November 21, at 9:05 AM and hasn't been started since. Call the person at Den PC.`,
  ],
  [
    'stopped',
    'nobody',
    'the holder',
    `Subject: Den PC is not protected
Porchlight was closed on Den PC on Saturday, November 21, at 9:05 AM and hasn’t been started since.
Is it over?: No. The computer may be on, and nothing protects it.
What to do now: If someone on the phone asked you to close it, hang up. Then restart Den PC.
See Den PC →
Text: Porchlight was closed on Den PC on Saturday, November 21, at 9:05 AM and hasn't been started since. Please check it.`,
  ],
  [
    'stopped',
    'nobody',
    'the guardian',
    `Subject: Ann: Den PC is not protected
Porchlight was closed on Den PC on Saturday, November 21, at 9:05 AM and hasn’t been started since.
Is it over?: No. The computer may be on, and nothing protects it.
What to do now: Call Ann. If a stranger is on the phone, say: “Hang up.” Then restart Den PC together.
See how Ann is →
Text: Porchlight was closed on Den PC on Saturday, November 21, at 9:05 AM and hasn't been started since. Call Ann.`,
  ],
  [
    'vanished',
    'me',
    'the holder',
    `Subject: Den PC is out of touch
We lost contact with Den PC on Saturday, November 21, at 9:05 AM.
Is it over?: We can’t tell. It may have no internet or power, or someone may have removed the protection.
What to do now: Check Den PC. Make sure it’s on and online, then restart it.
See Den PC →
Text: We lost contact with Den PC on Saturday, November 21, at 9:05 AM. Please check it.`,
  ],
  [
    'vanished',
    'me',
    'the guardian',
    `Subject: Ann: Den PC is out of touch
We lost contact with Den PC on Saturday, November 21, at 9:05 AM.
Is it over?: We can’t tell. It may have no internet or power, or someone may have removed the protection.
What to do now: Ask Ann to make sure it’s on and online, and then to restart it.
See how Ann is →
Text: We lost contact with Den PC on Saturday, November 21, at 9:05 AM. Call Ann.`,
  ],
  [
    'vanished',
    'Mum',
    'the holder',
    `Subject: Den PC is out of touch
We lost contact with Den PC on Saturday, November 21, at 9:05 AM.
Is it over?: We can’t tell. It may have no internet or power, or someone may have removed the protection.
What to do now: Ask Mum to make sure it’s on and online, and then to restart it.
See Den PC →
Text: We lost contact with Den PC on Saturday, November 21, at 9:05 AM. Call Mum.`,
  ],
  [
    'vanished',
    'Mum',
    'the guardian',
    `Subject: Mum: Den PC is out of touch
We lost contact with Den PC on Saturday, November 21, at 9:05 AM.
Is it over?: We can’t tell. It may have no internet or power, or someone may have removed the protection.
What to do now: Ask Mum to make sure it’s on and online, and then to restart it.
See how Mum is →
Text: We lost contact with Den PC on Saturday, November 21, at 9:05 AM. Call Mum.`,
  ],
  [
    'vanished',
    'Mum with a number',
    'the holder',
    `Subject: Den PC is out of touch
We lost contact with Den PC on Saturday, November 21, at 9:05 AM.
Call Mum: +1 202 555 0143
Is it over?: We can’t tell. It may have no internet or power, or someone may have removed the protection.
What to do now: Ask Mum to make sure it’s on and online, and then to restart it.
See Den PC →
Text: We lost contact with Den PC on Saturday, November 21, at 9:05 AM. Call Mum: +12025550143.`,
  ],
  [
    'vanished',
    'Mum with a number',
    'the guardian',
    `Subject: Mum: Den PC is out of touch
We lost contact with Den PC on Saturday, November 21, at 9:05 AM.
Call Mum: +1 202 555 0143
Is it over?: We can’t tell. It may have no internet or power, or someone may have removed the protection.
What to do now: Ask Mum to make sure it’s on and online, and then to restart it.
See how Mum is →
Text: We lost contact with Den PC on Saturday, November 21, at 9:05 AM. Call Mum: +12025550143.`,
  ],
  [
    'vanished',
    'someone without a name',
    'the holder',
    `Subject: Den PC is out of touch
We lost contact with Den PC on Saturday, November 21, at 9:05 AM.
Is it over?: We can’t tell. It may have no internet or power, or someone may have removed the protection.
What to do now: Ask the person at Den PC to make sure it’s on and online, and then to restart it.
See Den PC →
Text: We lost contact with Den PC on Saturday, November 21, at 9:05 AM. Call the person at Den PC.`,
  ],
  [
    'vanished',
    'someone without a name',
    'the guardian',
    `Subject: Ann: Den PC is out of touch
We lost contact with Den PC on Saturday, November 21, at 9:05 AM.
Is it over?: We can’t tell. It may have no internet or power, or someone may have removed the protection.
What to do now: Ask the person at Den PC to make sure it’s on and online, and then to restart it.
See how Ann is →
Text: We lost contact with Den PC on Saturday, November 21, at 9:05 AM. Call the person at Den PC.`,
  ],
  [
    'vanished',
    'nobody',
    'the holder',
    `Subject: Den PC is out of touch
We lost contact with Den PC on Saturday, November 21, at 9:05 AM.
Is it over?: We can’t tell. It may have no internet or power, or someone may have removed the protection.
What to do now: Check Den PC. Make sure it’s on and online, then restart it.
See Den PC →
Text: We lost contact with Den PC on Saturday, November 21, at 9:05 AM. Please check it.`,
  ],
  [
    'vanished',
    'nobody',
    'the guardian',
    `Subject: Ann: Den PC is out of touch
We lost contact with Den PC on Saturday, November 21, at 9:05 AM.
Is it over?: We can’t tell. It may have no internet or power, or someone may have removed the protection.
What to do now: Ask Ann to make sure it’s on and online, and then to restart it.
See how Ann is →
Text: We lost contact with Den PC on Saturday, November 21, at 9:05 AM. Call Ann.`,
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
