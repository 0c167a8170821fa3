import { expect, test } from 'vitest';
import { people, readAloud } from '../../testing/read-aloud.ts';
import { type AlertFacts, guardianAlert, holderAlert } from './alert-email.ts';
import { guardianAlertSms, holderAlertSms } from './alert-sms.ts';

/** Each message in full, for each kind of user of a computer (P8.2). Read them aloud before you change one. */

const time = new Date('2026-11-21T14:05:00.000Z');
const program = { name: 'AnyDesk', category: 'RemoteControl', site: false, certainty: 'certain' } as const;
const help = { what_it_is: 'It lets someone else see and use the computer.', what_to_do: 'Uninstall it.' };

const expected: [string, keyof typeof people, string, string][] = [
  [
    'blocked',
    'me',
    'the holder',
    `Subject: AnyDesk was blocked on Den PC
AnyDesk was blocked on Den PC
What happened: AnyDesk was started on Den PC at 9:05 AM on Saturday, November 21.
What we did: We closed it right away.
Is it over?: Not while someone is on the phone with you. If anyone opens it again, we’ll stop it again.
What to do now: If someone is on the phone with you, hang up now. Don’t call back. Uninstall it.
See what happened →
Text: Porchlight: AnyDesk was blocked on Den PC, 9:05am. Someone on the phone? Hang up. https://x.test`,
  ],
  [
    'blocked',
    'me',
    'the guardian',
    `Subject: Ann may need you: AnyDesk was blocked on Den PC
Ann may need you
What happened: AnyDesk was started on Den PC at 9:05 AM on Saturday, November 21. It lets someone else see and use the computer.
What we did: We closed it right away.
Is it over?: Not while someone is on the phone with Ann.
What to do now: Call Ann now. Say: “You did nothing wrong. Hang up, and turn the computer off. I’m with you.”
See how Ann is →
Stop this →
Text: Porchlight: Ann may need you. AnyDesk was blocked on Den PC, 9:05am. Call Ann. Say: Hang up. https://x.test`,
  ],
  [
    'blocked',
    'Mum',
    'the holder',
    `Subject: Mum may need you: AnyDesk was blocked on Den PC
Mum may need you
What happened: AnyDesk was started on Den PC at 9:05 AM on Saturday, November 21. It lets someone else see and use the computer.
What we did: We closed it right away.
Is it over?: Not while someone is on the phone with Mum.
What to do now: Call Mum now. Say: “You did nothing wrong. Hang up, and turn the computer off. I’m with you.”
See what happened →
Text: Porchlight: Mum may need you. AnyDesk was blocked on Den PC, 9:05am. Call Mum. Say: Hang up. https://x.test`,
  ],
  [
    'blocked',
    'Mum',
    'the guardian',
    `Subject: Mum may need you: AnyDesk was blocked on Den PC
Mum may need you
What happened: AnyDesk was started on Den PC at 9:05 AM on Saturday, November 21. Den PC is on Ann’s account. It lets someone else see and use the computer.
What we did: We closed it right away.
Is it over?: Not while someone is on the phone with Mum.
What to do now: Call Mum now. Say: “You did nothing wrong. Hang up, and turn the computer off. I’m with you.”
See how Mum is →
Stop this →
Text: Porchlight: Mum may need you. AnyDesk was blocked on Den PC, 9:05am. Call Mum. Say: Hang up. https://x.test`,
  ],
  [
    'blocked',
    'Mum with a number',
    'the holder',
    `Subject: Mum may need you: AnyDesk was blocked on Den PC
Mum may need you
Call Mum: +1 202 555 0143
What happened: AnyDesk was started on Den PC at 9:05 AM on Saturday, November 21. It lets someone else see and use the computer.
What we did: We closed it right away.
Is it over?: Not while someone is on the phone with Mum.
What to do now: Call Mum now. Say: “You did nothing wrong. Hang up, and turn the computer off. I’m with you.”
See what happened →
Text: Porchlight: Call Mum, +12025550143. Say: Hang up. AnyDesk was blocked on Den PC, 9:05am. https://x.test`,
  ],
  [
    'blocked',
    'Mum with a number',
    'the guardian',
    `Subject: Mum may need you: AnyDesk was blocked on Den PC
Mum may need you
Call Mum: +1 202 555 0143
What happened: AnyDesk was started on Den PC at 9:05 AM on Saturday, November 21. Den PC is on Ann’s account. It lets someone else see and use the computer.
What we did: We closed it right away.
Is it over?: Not while someone is on the phone with Mum.
What to do now: Call Mum now. Say: “You did nothing wrong. Hang up, and turn the computer off. I’m with you.”
See how Mum is →
Stop this →
Text: Porchlight: Call Mum, +12025550143. Say: Hang up. AnyDesk was blocked on Den PC, 9:05am. https://x.test`,
  ],
  [
    'blocked',
    'someone without a name',
    'the holder',
    `Subject: Someone at Den PC may need you: AnyDesk was blocked on Den PC
Someone at Den PC may need you
What happened: AnyDesk was started on Den PC at 9:05 AM on Saturday, November 21. It lets someone else see and use the computer.
What we did: We closed it right away.
Is it over?: Not while someone is on the phone with them.
What to do now: Call the person at Den PC now. Say: “You did nothing wrong. Hang up, and turn the computer off. I’m with you.”
See what happened →
Text: Porchlight: Someone at Den PC may need you. AnyDesk was blocked on Den PC, 9:05am. Call. Say: Hang up. https://x.test`,
  ],
  [
    'blocked',
    'someone without a name',
    'the guardian',
    `Subject: Someone at Den PC may need you: AnyDesk was blocked on Den PC
Someone at Den PC may need you
What happened: AnyDesk was started on Den PC at 9:05 AM on Saturday, November 21. Den PC is on Ann’s account.
What we did: We closed it right away.
Is it over?: Not while someone is on the phone with them.
What to do now: Call the person at Den PC now. Say: “You did nothing wrong. Hang up, and turn the computer off. I’m with you.”
See how Ann is →
Stop this →
Text: Porchlight: Someone at Den PC may need you. AnyDesk was blocked on Den PC, 9:05am. Call. Say: Hang up. https://x.test`,
  ],
  [
    'blocked',
    'nobody',
    'the holder',
    `Subject: AnyDesk was blocked on Den PC
AnyDesk was blocked on Den PC
What happened: AnyDesk was started on Den PC at 9:05 AM on Saturday, November 21.
What we did: We closed it right away.
Is it over?: Not while someone is on the phone with you.
What to do now: If someone is on the phone with you, hang up now. If someone else uses it, call them: “You did nothing wrong. Hang up. I’m with you.” Uninstall it.
See what happened →
Text: Porchlight: AnyDesk was blocked on Den PC, 9:05am. Someone on the phone? Hang up. https://x.test`,
  ],
  [
    'blocked',
    'nobody',
    'the guardian',
    `Subject: Ann may need you: AnyDesk was blocked on Den PC
Ann may need you
What happened: AnyDesk was started on Den PC at 9:05 AM on Saturday, November 21. It lets someone else see and use the computer.
What we did: We closed it right away.
Is it over?: Not while someone is on the phone with Ann.
What to do now: Call Ann now. Say: “You did nothing wrong. Hang up, and turn the computer off. I’m with you.”
See how Ann is →
Stop this →
Text: Porchlight: Ann may need you. AnyDesk was blocked on Den PC, 9:05am. Call Ann. Say: Hang up. https://x.test`,
  ],
  [
    'not blocked',
    'me',
    'the holder',
    `Subject: Not blocked: AnyDesk on Den PC
Not blocked: AnyDesk on Den PC
What happened: AnyDesk was started on Den PC at 9:05 AM on Saturday, November 21. It lets someone else see and use the computer.
What we did: We did not stop it.
Is it over?: No. Someone may be using this computer right now.
What to do now: If someone is on the phone with you, hang up now. Then turn the computer off.
See what happened →
Text: Porchlight: AnyDesk was NOT blocked on Den PC, 9:05am. If someone is on the phone, hang up. Then turn the computer off. https://x.test`,
  ],
  [
    'not blocked',
    'me',
    'the guardian',
    `Subject: Call Ann now: AnyDesk was not blocked on Den PC
Someone may be using Ann’s computer
What happened: AnyDesk was started on Den PC at 9:05 AM on Saturday, November 21.
What we did: We did not stop it.
Is it over?: No. Someone may be using that computer right now.
What to do now: Call Ann now. A scammer may be on the phone. Say: “You did nothing wrong. Hang up, and turn the computer off. I’m with you.”
See how Ann is →
Stop this →
Text: Porchlight: Ann may need you. AnyDesk was NOT blocked on Den PC, 9:05am. Call Ann now. Say: Hang up, turn it off. https://x.test`,
  ],
  [
    'not blocked',
    'Mum',
    'the holder',
    `Subject: Call Mum now: AnyDesk was not blocked on Den PC
Someone may be using Mum’s computer
What happened: AnyDesk was started on Den PC at 9:05 AM on Saturday, November 21.
What we did: We did not stop it.
Is it over?: No. Someone may be using that computer right now.
What to do now: Call Mum now. A scammer may be on the phone. Say: “You did nothing wrong. Hang up, and turn the computer off. I’m with you.”
See what happened →
Text: Porchlight: Mum may need you. AnyDesk was NOT blocked on Den PC, 9:05am. Call Mum now. Say: Hang up, turn it off. https://x.test`,
  ],
  [
    'not blocked',
    'Mum',
    'the guardian',
    `Subject: Call Mum now: AnyDesk was not blocked on Den PC
Someone may be using Mum’s computer
What happened: AnyDesk was started on Den PC at 9:05 AM on Saturday, November 21. Den PC is on Ann’s account.
What we did: We did not stop it.
Is it over?: No. Someone may be using that computer right now.
What to do now: Call Mum now. A scammer may be on the phone. Say: “You did nothing wrong. Hang up, and turn the computer off. I’m with you.”
See how Mum is →
Stop this →
Text: Porchlight: Mum may need you. AnyDesk was NOT blocked on Den PC, 9:05am. Call Mum now. Say: Hang up, turn it off. https://x.test`,
  ],
  [
    'not blocked',
    'Mum with a number',
    'the holder',
    `Subject: Call Mum now: AnyDesk was not blocked on Den PC
Someone may be using Mum’s computer
Call Mum: +1 202 555 0143
What happened: AnyDesk was started on Den PC at 9:05 AM on Saturday, November 21.
What we did: We did not stop it.
Is it over?: No. Someone may be using that computer right now.
What to do now: Call Mum now. A scammer may be on the phone. Say: “You did nothing wrong. Hang up, and turn the computer off. I’m with you.”
See what happened →
Text: Porchlight: Call Mum, +12025550143. Say: Hang up, turn it off. AnyDesk was NOT blocked on Den PC, 9:05am. https://x.test`,
  ],
  [
    'not blocked',
    'Mum with a number',
    'the guardian',
    `Subject: Call Mum now: AnyDesk was not blocked on Den PC
Someone may be using Mum’s computer
Call Mum: +1 202 555 0143
What happened: AnyDesk was started on Den PC at 9:05 AM on Saturday, November 21. Den PC is on Ann’s account.
What we did: We did not stop it.
Is it over?: No. Someone may be using that computer right now.
What to do now: Call Mum now. A scammer may be on the phone. Say: “You did nothing wrong. Hang up, and turn the computer off. I’m with you.”
See how Mum is →
Stop this →
Text: Porchlight: Call Mum, +12025550143. Say: Hang up, turn it off. AnyDesk was NOT blocked on Den PC, 9:05am. https://x.test`,
  ],
  [
    'not blocked',
    'someone without a name',
    'the holder',
    `Subject: Call the person at Den PC now: AnyDesk was not blocked on Den PC
Someone may be using Den PC
What happened: AnyDesk was started on Den PC at 9:05 AM on Saturday, November 21.
What we did: We did not stop it.
Is it over?: No. Someone may be using that computer right now.
What to do now: Call the person at Den PC now. A scammer may be on the phone. Say: “You did nothing wrong. Hang up, and turn the computer off. I’m with you.”
See what happened →
Text: Porchlight: Someone at Den PC may need you. AnyDesk was NOT blocked on Den PC, 9:05am. Call now. Say: Hang up, turn it off. https://x.test`,
  ],
  [
    'not blocked',
    'someone without a name',
    'the guardian',
    `Subject: Call the person at Den PC now: AnyDesk was not blocked on Den PC
Someone may be using Den PC
What happened: AnyDesk was started on Den PC at 9:05 AM on Saturday, November 21.
What we did: We did not stop it.
Is it over?: No. Someone may be using that computer right now.
What to do now: Call the person at Den PC now. A scammer may be on the phone. Say: “You did nothing wrong. Hang up, and turn the computer off. I’m with you.”
See how Ann is →
Stop this →
Text: Porchlight: Someone at Den PC may need you. AnyDesk was NOT blocked on Den PC, 9:05am. Call now. Say: Hang up, turn it off. https://x.test`,
  ],
  [
    'not blocked',
    'nobody',
    'the holder',
    `Subject: Not blocked: AnyDesk on Den PC
Not blocked: AnyDesk on Den PC
What happened: AnyDesk was started on Den PC at 9:05 AM on Saturday, November 21.
What we did: We did not stop it.
Is it over?: No. Someone may be using this computer right now.
What to do now: If someone is on the phone with you, hang up now. Then turn the computer off. If someone else uses it, call them: “Hang up. I’m with you.”
See what happened →
Text: Porchlight: AnyDesk was NOT blocked on Den PC, 9:05am. If someone is on the phone, hang up. Then turn the computer off. https://x.test`,
  ],
  [
    'not blocked',
    'nobody',
    'the guardian',
    `Subject: Call Ann now: AnyDesk was not blocked on Den PC
Someone may be using Ann’s computer
What happened: AnyDesk was started on Den PC at 9:05 AM on Saturday, November 21.
What we did: We did not stop it.
Is it over?: No. Someone may be using that computer right now.
What to do now: Call Ann now. A scammer may be on the phone. Say: “You did nothing wrong. Hang up, and turn the computer off. I’m with you.”
See how Ann is →
Stop this →
Text: Porchlight: Ann may need you. AnyDesk was NOT blocked on Den PC, 9:05am. Call Ann now. Say: Hang up, turn it off. https://x.test`,
  ],
];

test.each(expected)(
  'the email and SMS about a program that was %s on a computer used by %s have the expected text for %s',
  (state, userKey, recipient, expectedText) => {
    const when = { time, now: time, time_zone: 'America/New_York' };
    const facts: AlertFacts = { ...program, ...when, blocked: state === 'blocked', device: 'Den PC', person: people[userKey], help };
    const [writtenEmail, text] =
      recipient === 'the holder'
        ? [holderAlert(facts, 'https://x.test'), holderAlertSms(facts, 'https://x.test')]
        : [guardianAlert(facts, 'Ann Example', 'https://x.test'), guardianAlertSms(facts, 'Ann Example', 'https://x.test')];
    expect(readAloud(writtenEmail, text)).toBe(expectedText);
  },
);
