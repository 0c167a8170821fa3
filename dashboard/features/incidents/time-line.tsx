import type { IncidentEvent } from '@porchlight/contract/incident-events.ts';
import type { Incident } from '@porchlight/contract/incidents.ts';
import { eventSentence } from '@porchlight/contract/words/incident-events.ts';
import type { ReactNode } from 'react';
import { timesInWords } from '../../lib/times-in-words.ts';
import { useNow } from '../../lib/use-now.ts';
import { Icon } from '../../ui/icons.tsx';
import { eventTime } from './event-time.ts';
import { messages } from './messages.ts';

const icons = {
  opened: 'warning',
  detection: 'warning',
  activity: 'bell',
  request: 'wait',
  answer: 'tick',
  outage: 'moon',
  step: 'tick',
  reached: 'bell',
  over: 'tick',
  reopened: 'warning',
} as const satisfies Record<IncidentEvent['kind'], string>;

/** The events, oldest first. `alertLink`: null for readers who have no alert history. */
export function TimeLine({ incident, alertLink }: { incident: Incident; alertLink: ((uuid: string) => ReactNode) | null }) {
  const times = timesInWords(useNow());
  const events = incident.events
    .map(({ facts, ...event }) => ({ ...event, sentence: eventSentence(facts, times) }))
    .sort((a, b) => a.time.localeCompare(b.time));
  return (
    <section className="card stack" aria-labelledby="happened">
      <h2 id="happened" className="minor">
        {messages.happened}
      </h2>
      <ol className="time-line">
        {events.map(({ time, kind, sentence, alert }) => (
          <li key={time + kind + sentence}>
            <time dateTime={time} className="soft">
              {eventTime(time, incident.opened)}
            </time>
            <Icon name={icons[kind]} />
            <span>
              {sentence} {alert && alertLink?.(alert)}
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}
