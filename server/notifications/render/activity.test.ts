import type { ActivityKind } from '@porchlight/contract/activity-log.ts';
import { expect, test } from 'vitest';
import { people, readAloud } from '../../testing/read-aloud.ts';
import { guardianActEmail, guardianActSms, holderActEmail, holderActSms, type LoggedAct } from './activity.ts';

/** Each message in full, for each kind of user of a computer (P8.2). */

const time = new Date('2026-11-21T14:05:00.000Z');
const whats: Partial<Record<string, string>> = {
  paused: '9:35 AM on Saturday, November 21',
  asked: 'AnyDesk',
  isolation_off: 'Bob Example',
  guardians_reordered: 'Bob',
  call_consent_off: 'Mum',
};

const expected: [string, keyof typeof people, string, string][] = [
  [
    'paused',
    'me',
    'the holder',
    `Subject: Protection on Den PC was paused until 9:35 AM on Saturday, November 21
Protection on Den PC was paused until 9:35 AM on Saturday, November 21.
This happened at 9:05 AM on Saturday, November 21. Until then, nothing is blocked on that computer.
If this was you, there’s nothing to do. If not, or if someone on the phone asked for it, hang up and press Resume protection.
Resume protection →
Text: Protection on Den PC was paused until 9:35 AM on Saturday, November 21. Not you, or did someone on the phone ask for it? Hang up.`,
  ],
  [
    'paused',
    'me',
    'the guardian',
    `Subject: Protection on Den PC was paused until 9:35 AM on Saturday, November 21
Protection on Den PC was paused until 9:35 AM on Saturday, November 21.
What it means: Until then, nothing is blocked on that computer. This happened at 9:05 AM on Saturday, November 21.
What to do now: Not expected? Call Ann. If a stranger on the phone tells them what to press, it’s a scam. Say: “Hang up. I’m with you.”
See how Ann is →
Text: Protection on Den PC was paused until 9:35 AM on Saturday, November 21. Not expected? Call Ann.`,
  ],
  [
    'paused',
    'Mum',
    'the holder',
    `Subject: Protection on Den PC was paused until 9:35 AM on Saturday, November 21
Protection on Den PC was paused until 9:35 AM on Saturday, November 21.
What it means: Until then, nothing is blocked on that computer. This happened at 9:05 AM on Saturday, November 21.
What to do now: Not expected? Call Mum. If a stranger on the phone tells them what to press, it’s a scam. Say: “Hang up. I’m with you.”
Resume protection →
Text: Protection on Den PC was paused until 9:35 AM on Saturday, November 21. Not expected? Call Mum.`,
  ],
  [
    'paused',
    'Mum',
    'the guardian',
    `Subject: Protection on Den PC was paused until 9:35 AM on Saturday, November 21
Protection on Den PC was paused until 9:35 AM on Saturday, November 21.
What it means: Until then, nothing is blocked on that computer. This happened at 9:05 AM on Saturday, November 21.
What to do now: Not expected? Call Mum. If a stranger on the phone tells them what to press, it’s a scam. Say: “Hang up. I’m with you.”
See how Mum is →
Text: Protection on Den PC was paused until 9:35 AM on Saturday, November 21. Not expected? Call Mum.`,
  ],
  [
    'paused',
    'Mum with a number',
    'the holder',
    `Subject: Protection on Den PC was paused until 9:35 AM on Saturday, November 21
Protection on Den PC was paused until 9:35 AM on Saturday, November 21.
Call Mum: +1 202 555 0143
What it means: Until then, nothing is blocked on that computer. This happened at 9:05 AM on Saturday, November 21.
What to do now: Not expected? Call Mum. If a stranger on the phone tells them what to press, it’s a scam. Say: “Hang up. I’m with you.”
Resume protection →
Text: Protection on Den PC was paused until 9:35 AM on Saturday, November 21. Not expected? Call Mum: +12025550143.`,
  ],
  [
    'paused',
    'Mum with a number',
    'the guardian',
    `Subject: Protection on Den PC was paused until 9:35 AM on Saturday, November 21
Protection on Den PC was paused until 9:35 AM on Saturday, November 21.
Call Mum: +1 202 555 0143
What it means: Until then, nothing is blocked on that computer. This happened at 9:05 AM on Saturday, November 21.
What to do now: Not expected? Call Mum. If a stranger on the phone tells them what to press, it’s a scam. Say: “Hang up. I’m with you.”
See how Mum is →
Text: Protection on Den PC was paused until 9:35 AM on Saturday, November 21. Not expected? Call Mum: +12025550143.`,
  ],
  [
    'paused',
    'someone without a name',
    'the holder',
    `Subject: Protection on Den PC was paused until 9:35 AM on Saturday, November 21
Protection on Den PC was paused until 9:35 AM on Saturday, November 21.
What it means: Until then, nothing is blocked on that computer. This happened at 9:05 AM on Saturday, November 21.
What to do now: Not expected? Call the person at Den PC. If a stranger on the phone tells them what to press, it’s a scam. Say: “Hang up. I’m with you.”
Resume protection →
Text: Protection on Den PC was paused until 9:35 AM on Saturday, November 21. Not expected? Call the person at Den PC.`,
  ],
  [
    'paused',
    'someone without a name',
    'the guardian',
    `Subject: Protection on Den PC was paused until 9:35 AM on Saturday, November 21
Protection on Den PC was paused until 9:35 AM on Saturday, November 21.
What it means: Until then, nothing is blocked on that computer. This happened at 9:05 AM on Saturday, November 21.
What to do now: Not expected? Call the person at Den PC. If a stranger on the phone tells them what to press, it’s a scam. Say: “Hang up. I’m with you.”
See how Ann is →
Text: Protection on Den PC was paused until 9:35 AM on Saturday, November 21. Not expected? Call the person at Den PC.`,
  ],
  [
    'paused',
    'nobody',
    'the holder',
    `Subject: Protection on Den PC was paused until 9:35 AM on Saturday, November 21
Protection on Den PC was paused until 9:35 AM on Saturday, November 21.
This happened at 9:05 AM on Saturday, November 21. Until then, nothing is blocked on that computer.
If this was you, there’s nothing to do. If not, or if someone on the phone asked for it, hang up and press Resume protection.
Resume protection →
Text: Protection on Den PC was paused until 9:35 AM on Saturday, November 21. Not you, or did someone on the phone ask for it? Hang up.`,
  ],
  [
    'paused',
    'nobody',
    'the guardian',
    `Subject: Protection on Den PC was paused until 9:35 AM on Saturday, November 21
Protection on Den PC was paused until 9:35 AM on Saturday, November 21.
What it means: Until then, nothing is blocked on that computer. This happened at 9:05 AM on Saturday, November 21.
What to do now: Not expected? Call Ann. If a stranger on the phone tells them what to press, it’s a scam. Say: “Hang up. I’m with you.”
See how Ann is →
Text: Protection on Den PC was paused until 9:35 AM on Saturday, November 21. Not expected? Call Ann.`,
  ],
  [
    'asked',
    'me',
    'the holder',
    `Subject: Somebody on Den PC asked to use AnyDesk
Somebody on Den PC asked to use AnyDesk.
This happened at 9:05 AM on Saturday, November 21. It’s still blocked. Ask who wants it before you allow it.
If someone on the phone wants it, it’s a scam. Hang up.
Go to my dashboard →
Text: Somebody on Den PC asked to use AnyDesk. Not you, or did someone on the phone ask for it? Hang up.`,
  ],
  [
    'asked',
    'me',
    'the guardian',
    `Subject: Somebody on Den PC asked to use AnyDesk
Somebody on Den PC asked to use AnyDesk.
What it means: It’s still blocked. Ask Ann what it’s for. This happened at 9:05 AM on Saturday, November 21.
What to do now: Not expected? Call Ann. If a stranger on the phone tells them what to press, it’s a scam. Say: “Hang up. I’m with you.”
See how Ann is →
Text: Somebody on Den PC asked to use AnyDesk. Not expected? Call Ann.`,
  ],
  [
    'asked',
    'Mum',
    'the holder',
    `Subject: Somebody on Den PC asked to use AnyDesk
Somebody on Den PC asked to use AnyDesk.
What it means: It’s still blocked. Ask Mum what it’s for. This happened at 9:05 AM on Saturday, November 21.
What to do now: Not expected? Call Mum. If a stranger on the phone tells them what to press, it’s a scam. Say: “Hang up. I’m with you.”
Go to my dashboard →
Text: Somebody on Den PC asked to use AnyDesk. Not expected? Call Mum.`,
  ],
  [
    'asked',
    'Mum',
    'the guardian',
    `Subject: Somebody on Den PC asked to use AnyDesk
Somebody on Den PC asked to use AnyDesk.
What it means: It’s still blocked. Ask Mum what it’s for. This happened at 9:05 AM on Saturday, November 21.
What to do now: Not expected? Call Mum. If a stranger on the phone tells them what to press, it’s a scam. Say: “Hang up. I’m with you.”
See how Mum is →
Text: Somebody on Den PC asked to use AnyDesk. Not expected? Call Mum.`,
  ],
  [
    'asked',
    'Mum with a number',
    'the holder',
    `Subject: Somebody on Den PC asked to use AnyDesk
Somebody on Den PC asked to use AnyDesk.
Call Mum: +1 202 555 0143
What it means: It’s still blocked. Ask Mum what it’s for. This happened at 9:05 AM on Saturday, November 21.
What to do now: Not expected? Call Mum. If a stranger on the phone tells them what to press, it’s a scam. Say: “Hang up. I’m with you.”
Go to my dashboard →
Text: Somebody on Den PC asked to use AnyDesk. Not expected? Call Mum: +12025550143.`,
  ],
  [
    'asked',
    'Mum with a number',
    'the guardian',
    `Subject: Somebody on Den PC asked to use AnyDesk
Somebody on Den PC asked to use AnyDesk.
Call Mum: +1 202 555 0143
What it means: It’s still blocked. Ask Mum what it’s for. This happened at 9:05 AM on Saturday, November 21.
What to do now: Not expected? Call Mum. If a stranger on the phone tells them what to press, it’s a scam. Say: “Hang up. I’m with you.”
See how Mum is →
Text: Somebody on Den PC asked to use AnyDesk. Not expected? Call Mum: +12025550143.`,
  ],
  [
    'asked',
    'someone without a name',
    'the holder',
    `Subject: Somebody on Den PC asked to use AnyDesk
Somebody on Den PC asked to use AnyDesk.
What it means: It’s still blocked. Ask the person at Den PC what it’s for. This happened at 9:05 AM on Saturday, November 21.
What to do now: Not expected? Call the person at Den PC. If a stranger on the phone tells them what to press, it’s a scam. Say: “Hang up. I’m with you.”
Go to my dashboard →
Text: Somebody on Den PC asked to use AnyDesk. Not expected? Call the person at Den PC.`,
  ],
  [
    'asked',
    'someone without a name',
    'the guardian',
    `Subject: Somebody on Den PC asked to use AnyDesk
Somebody on Den PC asked to use AnyDesk.
What it means: It’s still blocked. Ask the person at Den PC what it’s for. This happened at 9:05 AM on Saturday, November 21.
What to do now: Not expected? Call the person at Den PC. If a stranger on the phone tells them what to press, it’s a scam. Say: “Hang up. I’m with you.”
See how Ann is →
Text: Somebody on Den PC asked to use AnyDesk. Not expected? Call the person at Den PC.`,
  ],
  [
    'asked',
    'nobody',
    'the holder',
    `Subject: Somebody on Den PC asked to use AnyDesk
Somebody on Den PC asked to use AnyDesk.
This happened at 9:05 AM on Saturday, November 21. It’s still blocked. Ask who wants it before you allow it.
If a stranger on the phone wants it, it’s a scam. Ask whoever is at that computer to hang up.
Go to my dashboard →
Text: Somebody on Den PC asked to use AnyDesk. Not you, or did someone on the phone ask for it? Hang up.`,
  ],
  [
    'asked',
    'nobody',
    'the guardian',
    `Subject: Somebody on Den PC asked to use AnyDesk
Somebody on Den PC asked to use AnyDesk.
What it means: It’s still blocked. Ask Ann what it’s for. This happened at 9:05 AM on Saturday, November 21.
What to do now: Not expected? Call Ann. If a stranger on the phone tells them what to press, it’s a scam. Say: “Hang up. I’m with you.”
See how Ann is →
Text: Somebody on Den PC asked to use AnyDesk. Not expected? Call Ann.`,
  ],
  [
    'isolation_off',
    'nobody',
    'the holder',
    `Subject: You no longer let Bob Example cut the internet
You no longer let Bob Example cut the internet.
This happened at 9:05 AM on Saturday, November 21. In an emergency, they can’t cut a scammer off that way anymore.
If this was you, there’s nothing to do. If not, or if someone on the phone asked for it, hang up and press Take back.
Take back →
Text: You no longer let Bob Example cut the internet. Not you, or did someone on the phone ask for it? Hang up.`,
  ],
  [
    'isolation_off',
    'nobody',
    'the guardian',
    `Subject: Ann no longer lets Bob Example cut the internet
Ann no longer lets Bob Example cut the internet.
What it means: In an emergency, they can’t cut a scammer off that way anymore. This happened at 9:05 AM on Saturday, November 21.
What to do now: Not expected? Call Ann. If a stranger on the phone tells them what to press, it’s a scam. Say: “Hang up. I’m with you.”
See how Ann is →
Text: Ann no longer lets Bob Example cut the internet. Not expected? Call Ann.`,
  ],
  [
    'password_changed',
    'nobody',
    'the guardian',
    `Subject: The password of Ann’s account was changed
The password of Ann’s account was changed.
What it means: We can’t see who did it. Only the new one opens the account. This happened at 9:05 AM on Saturday, November 21.
What to do now: Not expected? Call Ann. If a stranger on the phone tells them what to press, it’s a scam. Say: “Hang up. I’m with you.”
See how Ann is →
Text: The password of Ann's account was changed. We can't see who did it. Not expected? Call Ann.`,
  ],
];

test.each(expected)(
  'the email and SMS about the activity %s on a computer used by %s have the expected text for %s',
  (kind, userKey, recipient, expectedText) => {
    const [device, subject] = ['Den PC', whats[kind] ?? ''];
    const act: LoggedAct = {
      kind: kind as ActivityKind,
      device,
      what: subject,
      time,
      time_zone: 'America/New_York',
      person: people[userKey],
    };
    const [email, text] =
      recipient === 'the holder'
        ? [holderActEmail(act, { dashboard: 'https://x.test', uuid: 'u' }), holderActSms(act)]
        : [guardianActEmail(act, 'Ann Example', 'https://x.test'), guardianActSms(act, 'Ann Example')];
    expect(readAloud(email, text)).toBe(expectedText);
  },
);
