import type { IncidentEvent } from '@porchlight/contract/incident-events.ts';
import type { Incident } from '@porchlight/contract/incidents.ts';
import { language } from '@porchlight/contract/language.ts';
import { eventSentence } from '@porchlight/contract/words/incident-events.ts';
import { timesInWords } from '../../lib/times-in-words.ts';
import { sheetMessages } from './sheet-messages.ts';

/** What the page for the bank and the police lists. Each line is a time with its zone, and a sentence. */
export interface Sheet {
  began: string;
  /** When, and by whom if it did not end by itself. Null while the incident is open. */
  ended: string | null;
  found: SheetLine[];
  changed: SheetLine[];
  notified: SheetLine[];
}

interface SheetLine {
  time: string;
  words: string;
}

/** `none`: only ticks, which are no facts. */
const partOf = {
  opened: 'found',
  detection: 'found',
  outage: 'found',
  reopened: 'found',
  activity: 'changed',
  request: 'changed',
  answer: 'changed',
  over: 'changed',
  reached: 'notified',
  step: 'none',
} as const satisfies Record<IncidentEvent['kind'], 'found' | 'changed' | 'notified' | 'none'>;

/** Only facts, the same for every reader, the oldest first. `timeZone`: the reader's if omitted. */
export function sheetOf({ state, opened, ends, over_by, events, notified }: Incident, timeZone?: string): Sheet {
  const exact = exactTime(timeZone);
  const times = { moment: (time: Date) => exact(time.toISOString()), date: timesInWords(new Date(ends)).date };
  const sent = notified.filter((delivery) => delivery.state === 'sent');
  const messagesSent = sent.map(({ time, ...delivery }) => ({ time, words: sheetMessages.sent(delivery) }));
  const linesOf = (part: 'found' | 'changed' | 'notified', others: SheetLine[] = []) =>
    [
      ...events.filter(({ kind }) => partOf[kind] === part).map(({ time, facts }) => ({ time, words: eventSentence(facts, times) })),
      ...others,
    ]
      .toSorted((a, b) => a.time.localeCompare(b.time))
      .map(({ time, words }) => ({ time: exact(time), words }));
  return {
    began: exact(opened),
    ended: state === 'open' ? null : sheetMessages.endedBy(exact(ends), over_by?.by ?? null),
    found: linesOf('found'),
    changed: linesOf('changed'),
    notified: linesOf('notified', messagesSent),
  };
}

/** `Nov 21, 2026, 2:05:13 PM EST` */
export function exactTime(timeZone?: string): (time: string) => string {
  const format = new Intl.DateTimeFormat(language, {
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    second: '2-digit',
    timeZoneName: 'short',
    ...(timeZone === undefined ? {} : { timeZone }),
  });
  // Some browsers put a narrow no-break space before the PM, which few fonts have.
  return (time) => format.format(new Date(time)).replace(/\s/gu, ' ');
}
