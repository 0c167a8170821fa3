import type { Incident, IncidentEvent } from '@porchlight/contract/incidents.ts';

/** What the page for the bank and the police lists. Each line is a time with its zone, and a sentence. */
export interface Sheet {
  began: string;
  /** Null while the incident is open. */
  ended: string | null;
  found: SheetLine[];
  changed: SheetLine[];
  notified: SheetLine[];
}

interface SheetLine {
  time: string;
  words: string;
}

const foundKinds: IncidentEvent['kind'][] = ['opened', 'detection', 'outage', 'reopened'];
const changedKinds: IncidentEvent['kind'][] = ['activity', 'request', 'answer'];
const channelNames = { mail: 'email', sms: 'text', push: 'notification' } as const;

/** Only facts: no ticks and no opinions. `holder`: the holder's name. `timeZone`: the reader's if omitted. */
export function sheetOf(incident: Incident, holder: string, timeZone?: string): Sheet {
  const { state, opened, ends, events, notified } = incident;
  const exact = exactTime(timeZone);
  const linesOf = (kinds: IncidentEvent['kind'][]) =>
    events
      .filter(({ kind }) => kinds.includes(kind))
      .sort((a, b) => a.time.localeCompare(b.time))
      .map(({ time, words }) => ({ time: exact(time), words }));
  return {
    began: exact(opened),
    ended: state === 'open' ? null : exact(ends),
    found: linesOf(foundKinds),
    changed: linesOf(changedKinds),
    notified: notified
      .filter((delivery) => delivery.state === 'sent')
      .map(({ guardian, name, channel, time }) => ({
        time: exact(time),
        words: `${guardian === null ? holder : name}, by ${channelNames[channel]}`,
      })),
  };
}

/** `Nov 21, 2026, 2:05:13 PM EST` */
export function exactTime(timeZone?: string): (time: string) => string {
  const format = new Intl.DateTimeFormat('en-US', {
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
