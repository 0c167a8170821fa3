import type { ScanItem } from '@porchlight/contract/scan.ts';
import { expect, test } from 'vitest';
import { people, readAloud } from '../../testing/read-aloud.ts';
import { guardianScanEmail, guardianScanSms, holderScanEmail, holderScanSms, type ScanFacts } from './scan.ts';

/** Each message in full, for each kind of user of a computer (P8.2). */

const time = new Date('2026-11-21T14:05:00.000Z');
const anydesk: ScanItem = {
  ...{ kind: 'downloads', identifier: 'anydesk', name: 'AnyDesk', category: 'RemoteControl', certainty: 'certain' },
  ...{ details: 'AnyDesk.exe', did: 'put_away', blocked: true },
};

const expected: [string, keyof typeof people, string, string][] = [
  [
    'found',
    'me',
    'the holder',
    `Subject: AnyDesk was found on Den PC and blocked
What we found on Den PC
What happened: We checked Den PC at 9:05 AM on Saturday, November 21 and found AnyDesk.
What we did: We made sure it can’t start.
Is it over?: Yes. We’ll keep watching.
What to do now: If a caller wanted it, hang up and call the bank.
See the device →
Text: Porchlight: AnyDesk on Den PC: found and blocked. If someone on the phone asked for it, hang up. https://x.test`,
  ],
  [
    'found',
    'me',
    'the guardian',
    `Subject: Ann: AnyDesk was found on Den PC and blocked
What we found on Den PC
What happened: We checked Den PC at 9:05 AM on Saturday, November 21 and found AnyDesk.
What we did: We made sure it can’t start.
Is it over?: Yes. We’ll keep watching.
What to do now: Ask Ann how it got there. If a caller asked for it, call the bank together.
See how Ann is →
Text: Porchlight: AnyDesk on Den PC: found and blocked. Ask Ann how it got there. https://x.test`,
  ],
  [
    'found',
    'Mum',
    'the holder',
    `Subject: AnyDesk was found on Den PC and blocked
What we found on Den PC
What happened: We checked Den PC at 9:05 AM on Saturday, November 21 and found AnyDesk.
What we did: We made sure it can’t start.
Is it over?: Yes. We’ll keep watching.
What to do now: Ask Mum how it got there. If a caller asked for it, call the bank together.
See the device →
Text: Porchlight: AnyDesk on Den PC: found and blocked. Ask Mum how it got there. https://x.test`,
  ],
  [
    'found',
    'Mum',
    'the guardian',
    `Subject: Mum: AnyDesk was found on Den PC and blocked
What we found on Den PC
What happened: We checked Den PC at 9:05 AM on Saturday, November 21 and found AnyDesk.
What we did: We made sure it can’t start.
Is it over?: Yes. We’ll keep watching.
What to do now: Ask Mum how it got there. If a caller asked for it, call the bank together.
See how Mum is →
Text: Porchlight: AnyDesk on Den PC: found and blocked. Ask Mum how it got there. https://x.test`,
  ],
  [
    'found',
    'Mum with a number',
    'the holder',
    `Subject: AnyDesk was found on Den PC and blocked
What we found on Den PC
Call Mum: +1 202 555 0143
What happened: We checked Den PC at 9:05 AM on Saturday, November 21 and found AnyDesk.
What we did: We made sure it can’t start.
Is it over?: Yes. We’ll keep watching.
What to do now: Ask Mum how it got there. If a caller asked for it, call the bank together.
See the device →
Text: Porchlight: AnyDesk on Den PC: found and blocked. Ask Mum how it got there: +12025550143. https://x.test`,
  ],
  [
    'found',
    'Mum with a number',
    'the guardian',
    `Subject: Mum: AnyDesk was found on Den PC and blocked
What we found on Den PC
Call Mum: +1 202 555 0143
What happened: We checked Den PC at 9:05 AM on Saturday, November 21 and found AnyDesk.
What we did: We made sure it can’t start.
Is it over?: Yes. We’ll keep watching.
What to do now: Ask Mum how it got there. If a caller asked for it, call the bank together.
See how Mum is →
Text: Porchlight: AnyDesk on Den PC: found and blocked. Ask Mum how it got there: +12025550143. https://x.test`,
  ],
  [
    'found',
    'someone without a name',
    'the holder',
    `Subject: AnyDesk was found on Den PC and blocked
What we found on Den PC
What happened: We checked Den PC at 9:05 AM on Saturday, November 21 and found AnyDesk.
What we did: We made sure it can’t start.
Is it over?: Yes. We’ll keep watching.
What to do now: Ask the person at Den PC how it got there. If a caller asked for it, call the bank together.
See the device →
Text: Porchlight: AnyDesk on Den PC: found and blocked. Ask the person at Den PC how it got there. https://x.test`,
  ],
  [
    'found',
    'someone without a name',
    'the guardian',
    `Subject: Ann: AnyDesk was found on Den PC and blocked
What we found on Den PC
What happened: We checked Den PC at 9:05 AM on Saturday, November 21 and found AnyDesk.
What we did: We made sure it can’t start.
Is it over?: Yes. We’ll keep watching.
What to do now: Ask the person at Den PC how it got there. If a caller asked for it, call the bank together.
See how Ann is →
Text: Porchlight: AnyDesk on Den PC: found and blocked. Ask the person at Den PC how it got there. https://x.test`,
  ],
  [
    'found',
    'nobody',
    'the holder',
    `Subject: AnyDesk was found on Den PC and blocked
What we found on Den PC
What happened: We checked Den PC at 9:05 AM on Saturday, November 21 and found AnyDesk.
What we did: We made sure it can’t start.
Is it over?: Yes. We’ll keep watching.
What to do now: If a caller wanted it, hang up and call the bank. If someone else uses it, ask them.
See the device →
Text: Porchlight: AnyDesk on Den PC: found and blocked. If someone on the phone asked for it, hang up. https://x.test`,
  ],
  [
    'found',
    'nobody',
    'the guardian',
    `Subject: Ann: AnyDesk was found on Den PC and blocked
What we found on Den PC
What happened: We checked Den PC at 9:05 AM on Saturday, November 21 and found AnyDesk.
What we did: We made sure it can’t start.
Is it over?: Yes. We’ll keep watching.
What to do now: Ask Ann how it got there. If a caller asked for it, call the bank together.
See how Ann is →
Text: Porchlight: AnyDesk on Den PC: found and blocked. Ask Ann how it got there. https://x.test`,
  ],
];

test.each(expected)(
  'the email and SMS about a scan (%s) of a computer used by %s have the expected text for %s',
  (_title, userKey, recipient, expectedText) => {
    const facts: ScanFacts = { items: [anydesk], device: 'Den PC', person: people[userKey], time, time_zone: 'America/New_York' };
    const [email, text] =
      recipient === 'the holder'
        ? [holderScanEmail(facts, 'https://x.test'), holderScanSms(facts, 'https://x.test')]
        : [guardianScanEmail(facts, 'Ann Example', 'https://x.test'), guardianScanSms(facts, 'Ann Example', 'https://x.test')];
    expect(readAloud(email, text)).toBe(expectedText);
  },
);
