import type { SimulatedPush } from '../push/push.ts';
import type { PhoneCall } from '../twilio/calls.ts';
import type { MailboxText } from '../twilio/twilio.ts';
import type { MailboxMail } from './mailbox.ts';

export interface Messages {
  mails: MailboxMail[];
  texts: MailboxText[];
  calls: PhoneCall[];
  pushes: SimulatedPush[];
}

/** Anything that was sent. `kind`: how. */
export type Entry =
  | { kind: 'mail'; id: string; mail: MailboxMail }
  | { kind: 'text'; id: string; text: MailboxText }
  | { kind: 'call'; id: string; call: PhoneCall }
  | { kind: 'push'; id: string; push: SimulatedPush };

/** The newest first. The clocks that made the ids differ, so entries are sorted by the time they were received. */
export function entriesOf({ mails, texts, calls, pushes }: Messages): Entry[] {
  const entries: (Entry & { received: string })[] = [
    ...mails.map((mail) => ({ kind: 'mail' as const, id: mail.id, received: mail.received, mail })),
    ...texts.map((text) => ({ kind: 'text' as const, id: text.id, received: text.received, text })),
    ...calls.map((call) => ({ kind: 'call' as const, id: call.id, received: call.received, call })),
    ...pushes.map((push) => ({ kind: 'push' as const, id: push.id, received: push.received, push })),
  ];
  return entries.toSorted((a, b) => b.received.localeCompare(a.received) || b.id.localeCompare(a.id));
}

const results = { completed: 'Call, ended', busy: 'Call, busy', 'no-answer': 'Call, nobody picked up', failed: 'Call, failed' } as const;

const callTitle = ({ state, result }: PhoneCall): string =>
  state === 'ringing' ? 'Phone is ringing' : state === 'talking' ? 'On the phone' : results[result ?? 'completed'];

/** What the list shows of an entry. */
export function lineOf(entry: Entry): { title: string; to: string } {
  switch (entry.kind) {
    case 'mail':
      return { title: entry.mail.subject, to: entry.mail.to.join(', ') };
    case 'text':
      return { title: 'Text message', to: entry.text.to };
    case 'call':
      return { title: callTitle(entry.call), to: entry.call.to };
    case 'push':
      return { title: `Notification: ${entry.push.title}`, to: entry.push.to };
  }
}
