import { type EventFacts, howItWent, type IncidentEvent } from '@porchlight/contract/incident-events.ts';
import type { TimesInWords } from '@porchlight/contract/words/activity-subject.ts';
import { eventSentence } from '@porchlight/contract/words/incident-events.ts';
import { after } from '../../lib/clock.ts';
import { endOf, from_account, type IncidentEventRow, type IncidentRow } from './store.ts';

const iso = (time: Date) => time.toISOString();

/** Whether a time is within the incident, or `before` ms before it opened or opened again, and not while its device was only watched. */
export function within(row: IncidentRow, events: IncidentEventRow[], now: Date, before = 0): (time: Date) => boolean {
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
  return (time) => spans.some((span) => time >= after(span.from, -before) && time <= span.to);
}

/** Whether it is the holder's *I’m on it* about an own computer (P18.2). */
export const isFromAccount = ({ kind, what }: Pick<IncidentEventRow, 'kind' | 'what'>): boolean =>
  kind === 'on_it' && what === from_account;

type Line = (time: Date, kind: IncidentEvent['kind'], facts: EventFacts, alert?: string) => IncidentEvent;

/** Makes lines with times in words. `alert`: of a detection. */
export const linesWith =
  (times: TimesInWords): Line =>
  (time, kind, facts, alert) => ({ time: iso(time), kind, facts, words: eventSentence(facts, times), alert: alert ?? null });

export function eventsOfIncident(line: Line, { time, kind, name, what }: IncidentEventRow, row: IncidentRow): IncidentEvent[] {
  if (kind === 'opened' || kind === 'reopened') {
    const opener = what as IncidentRow['opener'];
    return [line(time, kind, { event: 'opened', opener, what: name, device: row.device_name })];
  }
  if (name === null) return [];
  if (kind === 'how') {
    const how = howItWent.safeParse(what);
    return how.success ? [line(time, 'answer', { event: 'how', name, how: how.data })] : [];
  }
  if (kind === 'over' || kind === 'over_asked') {
    return [line(time, kind === 'over' ? 'over' : 'answer', { event: kind, name, stopped_allowing: what?.split('\n') ?? [] })];
  }
  const event = isFromAccount({ kind, what }) ? 'account_on_it' : kind;
  return [line(time, 'answer', { event, name })];
}
