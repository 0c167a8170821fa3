import type { AllowedAfter } from '@porchlight/contract/incidents.ts';
import { useId } from 'react';
import { inWords } from '../../lib/dates.ts';
import { Check } from '../../ui/field.tsx';
import { messages } from './messages.ts';

interface AllowedAfterListProps {
  items: AllowedAfter[];
  now: Date;
  stops: (item: AllowedAfter) => boolean;
  onChange: (id: string, stops: boolean) => void;
}

/** What is allowed once the incident is over, each with its end and *Stop allowing* (P15.4). */
export function AllowedAfterList({ items, now, stops, onChange }: AllowedAfterListProps) {
  const { heading, stop, where, until, waits } = messages.answers.after;
  const headingId = useId();
  return (
    <section className="stack" aria-labelledby={headingId}>
      <h3 id={headingId} className="minor">
        {heading}
      </h3>
      <ul>
        {items.map((item) => (
          <li key={item.id}>
            <Check name={item.id} checked={stops(item)} onChange={(on) => onChange(item.id, on)}>
              {stop(item.name)} <br />
              <span className="soft small">
                {item.device !== null && `${where(item.device)} `}
                {item.waits ? waits : until(item.until && inWords(new Date(item.until), now))}
              </span>
            </Check>
          </li>
        ))}
      </ul>
    </section>
  );
}
