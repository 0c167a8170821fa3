import type { PhoneCall } from '../twilio/calls.ts';
import type { MailboxText } from '../twilio/twilio.ts';
import type { MailboxMail } from './mailbox.ts';

/** A notification as a browser shows it. `to`: the browser. */
export interface MailboxPush {
  id: string;
  received: string;
  to: string;
  title: string;
  body: string;
  url: string;
}

/** Everything that was sent. */
export interface MailboxContent {
  mails: MailboxMail[];
  texts: MailboxText[];
  calls: PhoneCall[];
  pushes: MailboxPush[];
}

export type Entry =
  | { kind: 'mail'; id: string; mail: MailboxMail }
  | { kind: 'text'; id: string; text: MailboxText }
  | { kind: 'call'; id: string; call: PhoneCall }
  | { kind: 'push'; id: string; push: MailboxPush };

/** The newest first: ids start with the time. */
export function entriesOf({ mails, texts, calls, pushes }: MailboxContent): Entry[] {
  const entries: Entry[] = [
    ...mails.map((mail) => ({ kind: 'mail' as const, id: mail.id, mail })),
    ...texts.map((text) => ({ kind: 'text' as const, id: text.id, text })),
    ...calls.map((call) => ({ kind: 'call' as const, id: call.id, call })),
    ...pushes.map((push) => ({ kind: 'push' as const, id: push.id, push })),
  ];
  return entries.sort((a, b) => (a.id < b.id ? 1 : -1));
}

const results: Record<NonNullable<PhoneCall['result']>, string> = {
  completed: 'Ended',
  busy: 'Was busy',
  'no-answer': 'Nobody picked up',
  failed: 'Failed',
};

/** What became of a call, in a few words. */
export function callState({ state, result, voicemail }: PhoneCall): string {
  if (state === 'ringing') return 'Ringing';
  if (state === 'talking') return voicemail ? 'Voicemail' : 'Talking';
  if (result === 'completed' && voicemail) return 'Voicemail';
  return result === null ? 'Ended' : results[result];
}

export function titleOf(entry: Entry): { title: string; recipients: string } {
  switch (entry.kind) {
    case 'mail':
      return { title: entry.mail.subject, recipients: entry.mail.to.join(', ') };
    case 'text':
      return { title: 'Text message', recipients: entry.text.to };
    case 'call':
      return { title: `Phone call: ${callState(entry.call)}`, recipients: entry.call.to };
    case 'push':
      return { title: `Notification: ${entry.push.title}`, recipients: entry.push.to };
  }
}
