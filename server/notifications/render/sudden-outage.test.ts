import { expect, test } from 'vitest';
import { people, readAloud } from '../../testing/read-aloud.ts';
import { backEmail, backSms, guardianOutageEmail, holderOutageEmail, type Outage, outageSms } from './sudden-outage.ts';

/** Each message in full, for each kind of user of a computer (P8.2). */

const since = new Date('2026-11-21T14:05:00.000Z');

const expected: [string, keyof typeof people, string, string][] = [
  [
    'silent',
    'me',
    'the holder',
    `Subject: We haven’t heard from Den PC since 9:05 AM
We haven’t heard from Den PC since 9:05 AM.
What it may be: Shortly before, we stopped something there, or its protection was changed. It may only have lost power or Wi-Fi. This was on Saturday, November 21.
What to do now: If a stranger on the phone is telling you what to press, hang up. Then make sure Den PC is on and online. We’ll write again when it’s back.
See Den PC →
Text: We haven't heard from Den PC since 9:05 AM. It may only have lost power or Wi-Fi. Please check it.`,
  ],
  [
    'silent',
    'me',
    'the guardian',
    `Subject: Ann: we haven’t heard from Den PC since 9:05 AM
We haven’t heard from Den PC since 9:05 AM.
What it may be: Shortly before, we stopped something there, or its protection was changed. It may only have lost power or Wi-Fi. This was on Saturday, November 21.
What to do now: Call Ann and ask if everything is all right. If a stranger is on the phone, say: “Hang up.” We’ll write again when it’s back.
See how Ann is →
Text: We haven't heard from Den PC since 9:05 AM. It may only have lost power or Wi-Fi. Call Ann.`,
  ],
  [
    'silent',
    'Mum',
    'the holder',
    `Subject: We haven’t heard from Den PC since 9:05 AM
We haven’t heard from Den PC since 9:05 AM.
What it may be: Shortly before, we stopped something there, or its protection was changed. It may only have lost power or Wi-Fi. This was on Saturday, November 21.
What to do now: Call Mum and ask if everything is all right. If a stranger is on the phone, say: “Hang up.” We’ll write again when it’s back.
See Den PC →
Text: We haven't heard from Den PC since 9:05 AM. It may only have lost power or Wi-Fi. Call Mum.`,
  ],
  [
    'silent',
    'Mum',
    'the guardian',
    `Subject: Mum: we haven’t heard from Den PC since 9:05 AM
We haven’t heard from Den PC since 9:05 AM.
What it may be: Shortly before, we stopped something there, or its protection was changed. It may only have lost power or Wi-Fi. This was on Saturday, November 21.
What to do now: Call Mum and ask if everything is all right. If a stranger is on the phone, say: “Hang up.” We’ll write again when it’s back.
See how Mum is →
Text: We haven't heard from Den PC since 9:05 AM. It may only have lost power or Wi-Fi. Call Mum.`,
  ],
  [
    'silent',
    'Mum with a number',
    'the holder',
    `Subject: We haven’t heard from Den PC since 9:05 AM
We haven’t heard from Den PC since 9:05 AM.
Call Mum: +1 202 555 0143
What it may be: Shortly before, we stopped something there, or its protection was changed. It may only have lost power or Wi-Fi. This was on Saturday, November 21.
What to do now: Call Mum and ask if everything is all right. If a stranger is on the phone, say: “Hang up.” We’ll write again when it’s back.
See Den PC →
Text: We haven't heard from Den PC since 9:05 AM. It may only have lost power or Wi-Fi. Call Mum: +12025550143.`,
  ],
  [
    'silent',
    'Mum with a number',
    'the guardian',
    `Subject: Mum: we haven’t heard from Den PC since 9:05 AM
We haven’t heard from Den PC since 9:05 AM.
Call Mum: +1 202 555 0143
What it may be: Shortly before, we stopped something there, or its protection was changed. It may only have lost power or Wi-Fi. This was on Saturday, November 21.
What to do now: Call Mum and ask if everything is all right. If a stranger is on the phone, say: “Hang up.” We’ll write again when it’s back.
See how Mum is →
Text: We haven't heard from Den PC since 9:05 AM. It may only have lost power or Wi-Fi. Call Mum: +12025550143.`,
  ],
  [
    'silent',
    'someone without a name',
    'the holder',
    `Subject: We haven’t heard from Den PC since 9:05 AM
We haven’t heard from Den PC since 9:05 AM.
What it may be: Shortly before, we stopped something there, or its protection was changed. It may only have lost power or Wi-Fi. This was on Saturday, November 21.
What to do now: Call the person at Den PC and ask if everything is all right. If a stranger is on the phone, say: “Hang up.” We’ll write again when it’s back.
See Den PC →
Text: We haven't heard from Den PC since 9:05 AM. It may only have lost power or Wi-Fi. Call the person at Den PC.`,
  ],
  [
    'silent',
    'someone without a name',
    'the guardian',
    `Subject: Ann: we haven’t heard from Den PC since 9:05 AM
We haven’t heard from Den PC since 9:05 AM.
What it may be: Shortly before, we stopped something there, or its protection was changed. It may only have lost power or Wi-Fi. This was on Saturday, November 21.
What to do now: Call the person at Den PC and ask if everything is all right. If a stranger is on the phone, say: “Hang up.” We’ll write again when it’s back.
See how Ann is →
Text: We haven't heard from Den PC since 9:05 AM. It may only have lost power or Wi-Fi. Call the person at Den PC.`,
  ],
  [
    'silent',
    'nobody',
    'the holder',
    `Subject: We haven’t heard from Den PC since 9:05 AM
We haven’t heard from Den PC since 9:05 AM.
What it may be: Shortly before, we stopped something there, or its protection was changed. It may only have lost power or Wi-Fi. This was on Saturday, November 21.
What to do now: If a stranger on the phone is telling you what to press, hang up. Then make sure Den PC is on and online. We’ll write again when it’s back.
See Den PC →
Text: We haven't heard from Den PC since 9:05 AM. It may only have lost power or Wi-Fi. Please check it.`,
  ],
  [
    'silent',
    'nobody',
    'the guardian',
    `Subject: Ann: we haven’t heard from Den PC since 9:05 AM
We haven’t heard from Den PC since 9:05 AM.
What it may be: Shortly before, we stopped something there, or its protection was changed. It may only have lost power or Wi-Fi. This was on Saturday, November 21.
What to do now: Call Ann and ask if everything is all right. If a stranger is on the phone, say: “Hang up.” We’ll write again when it’s back.
See how Ann is →
Text: We haven't heard from Den PC since 9:05 AM. It may only have lost power or Wi-Fi. Call Ann.`,
  ],
  [
    'back',
    'me',
    'the holder',
    `Subject: Den PC is back
Den PC is back
We hadn’t heard from it since 9:05 AM. It was off, or Porchlight was closed there. But it isn’t protected now. Open Porchlight on it and check.
Open →
Text: Den PC is back. It was off, or Porchlight was closed there. But it isn't protected now. Please check it.`,
  ],
  [
    'back',
    'me',
    'the guardian',
    `Subject: Den PC is back
Den PC is back
We hadn’t heard from it since 9:05 AM. It was off, or Porchlight was closed there. But it isn’t protected now. Ask Ann to open Porchlight and check.
Open →
Text: Den PC is back. It was off, or Porchlight was closed there. But it isn't protected now. Call Ann.`,
  ],
  [
    'back',
    'Mum',
    'the holder',
    `Subject: Den PC is back
Den PC is back
We hadn’t heard from it since 9:05 AM. It was off, or Porchlight was closed there. But it isn’t protected now. Ask Mum to open Porchlight and check.
Open →
Text: Den PC is back. It was off, or Porchlight was closed there. But it isn't protected now. Call Mum.`,
  ],
  [
    'back',
    'Mum',
    'the guardian',
    `Subject: Den PC is back
Den PC is back
We hadn’t heard from it since 9:05 AM. It was off, or Porchlight was closed there. But it isn’t protected now. Ask Mum to open Porchlight and check.
Open →
Text: Den PC is back. It was off, or Porchlight was closed there. But it isn't protected now. Call Mum.`,
  ],
  [
    'back',
    'Mum with a number',
    'the holder',
    `Subject: Den PC is back
Den PC is back
Call Mum: +1 202 555 0143
We hadn’t heard from it since 9:05 AM. It was off, or Porchlight was closed there. But it isn’t protected now. Ask Mum to open Porchlight and check.
Open →
Text: Den PC is back. It was off, or Porchlight was closed there. But it isn't protected now. Call Mum: +12025550143.`,
  ],
  [
    'back',
    'Mum with a number',
    'the guardian',
    `Subject: Den PC is back
Den PC is back
Call Mum: +1 202 555 0143
We hadn’t heard from it since 9:05 AM. It was off, or Porchlight was closed there. But it isn’t protected now. Ask Mum to open Porchlight and check.
Open →
Text: Den PC is back. It was off, or Porchlight was closed there. But it isn't protected now. Call Mum: +12025550143.`,
  ],
  [
    'back',
    'someone without a name',
    'the holder',
    `Subject: Den PC is back
Den PC is back
We hadn’t heard from it since 9:05 AM. It was off, or Porchlight was closed there. But it isn’t protected now. Ask the person at Den PC to open Porchlight and check.
Open →
Text: Den PC is back. It was off, or Porchlight was closed there. But it isn't protected now. Call the person at Den PC.`,
  ],
  [
    'back',
    'someone without a name',
    'the guardian',
    `Subject: Den PC is back
Den PC is back
We hadn’t heard from it since 9:05 AM. It was off, or Porchlight was closed there. But it isn’t protected now. Ask the person at Den PC to open Porchlight and check.
Open →
Text: Den PC is back. It was off, or Porchlight was closed there. But it isn't protected now. Call the person at Den PC.`,
  ],
  [
    'back',
    'nobody',
    'the holder',
    `Subject: Den PC is back
Den PC is back
We hadn’t heard from it since 9:05 AM. It was off, or Porchlight was closed there. But it isn’t protected now. Open Porchlight on it and check.
Open →
Text: Den PC is back. It was off, or Porchlight was closed there. But it isn't protected now. Please check it.`,
  ],
  [
    'back',
    'nobody',
    'the guardian',
    `Subject: Den PC is back
Den PC is back
We hadn’t heard from it since 9:05 AM. It was off, or Porchlight was closed there. But it isn’t protected now. Ask Ann to open Porchlight and check.
Open →
Text: Den PC is back. It was off, or Porchlight was closed there. But it isn't protected now. Call Ann.`,
  ],
];

const button = { label: 'Open', url: 'https://x.test' };
const how = { how: 'started', protecting: false } as const;

test.each(expected)(
  'the email and SMS about a computer that is %s and used by %s have the expected text for %s',
  (state, userKey, recipient, expectedText) => {
    const outage: Outage = { uuid: '', name: 'Den PC', person: people[userKey], time_zone: 'America/New_York', since, trouble: true };
    const holder = recipient === 'the holder' ? null : 'Ann Example';
    const silent = () => (holder === null ? holderOutageEmail(outage, button.url) : guardianOutageEmail(outage, holder, button.url));
    const readMessage =
      state === 'back'
        ? readAloud(backEmail(outage, how, holder, button), backSms(outage, how, holder))
        : readAloud(silent(), outageSms(outage, holder));
    expect(readMessage).toBe(expectedText);
  },
);
