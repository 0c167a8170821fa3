import { type HowItWent, howItWent, type IncidentEvent } from '@porchlight/contract/incidents.ts';
import { requestSentence } from '../../notifications/render/held-request/sentences.ts';
import { openerWords } from '../../notifications/render/opener-words.ts';
import { eventWords } from './incident-words.ts';
import type { RequestRow } from './request-store.ts';
import { endOf, from_account, type IncidentEventRow, type IncidentRow } from './store.ts';

const iso = (time: Date) => time.toISOString();

/** Whether a time is within the incident, and not while its device was only watched. */
export function within(row: IncidentRow, events: IncidentEventRow[], now: Date): (time: Date) => boolean {
  const spans: { from: Date; to: Date }[] = [];
  let from: Date | null = row.opened;
  for (const { kind, time } of events) {
    if (kind === 'over' && from) {
      spans.push({ from, to: time });
      from = null;
    }
    if (kind === 'reopened') from ??= time;
  }
  if (from) spans.push({ from, to: endOf(row) < now ? endOf(row) : now });
  return (time) => spans.some((span) => time >= span.from && time <= span.to);
}

/** Whether it is the holder's *I’m on it* about an own computer (P18.2). */
export const isFromAccount = ({ kind, what }: Pick<IncidentEventRow, 'kind' | 'what'>): boolean =>
  kind === 'on_it' && what === from_account;

export function eventOf({ time, kind, name, what }: IncidentEventRow, row: IncidentRow): IncidentEvent[] {
  const line = (shown: IncidentEvent['kind'], words: string): IncidentEvent[] => [{ time: iso(time), kind: shown, words, alert: null }];
  if (kind === 'opened' || kind === 'reopened') {
    const opener = what as IncidentRow['opener'];
    return line(kind, openerWords[opener](name, row.device_name));
  }
  if (name === null) return [];
  if (kind === 'how') {
    const how = howItWent.safeParse(what);
    return how.success ? line('answer', `${name} said: ${eventWords.how[how.data satisfies HowItWent]}.`) : [];
  }
  if (isFromAccount({ kind, what })) return line('answer', eventWords.account_on_it(name));
  return line(kind === 'over' ? 'over' : 'answer', eventWords[kind](name));
}

export function requestEvents(row: RequestRow, holder: string): IncidentEvent[] {
  const sentence = row.activities.map((activity) => requestSentence(activity, holder)).join(' ');
  const line = (time: Date | null, words: string): IncidentEvent[] =>
    time ? [{ time: iso(time), kind: 'request', words, alert: null }] : [];
  const done = row.answers.some(({ answer }) => answer === 'yes')
    ? eventWords.done
    : row.lifted
      ? eventWords.done_lifted
      : eventWords.passed;
  return [
    ...line(row.time, sentence),
    ...row.answers.map(({ time, name, answer }): IncidentEvent => {
      return { time: iso(time), kind: 'answer', words: `${name} said ${answer}.`, alert: null };
    }),
    ...line(row.lifted, eventWords.lifted(sentence)),
    ...line(row.done, done(sentence)),
    ...line(row.undone, eventWords.undone(sentence)),
  ];
}
