import type { IncidentSummary } from '@porchlight/contract/incidents.ts';
import { openerSentence } from '@porchlight/contract/words/openers.ts';
import { useSearchParams } from 'react-router';
import { inWords } from '../../lib/dates.ts';
import { paths } from '../../lib/paths.ts';
import { useNow } from '../../lib/use-now.ts';
import { Link } from '../../ui/link.tsx';
import { sentenceCase } from './event-time.ts';
import { messages } from './messages.ts';
import { useIncidents } from './queries.ts';
import './incidents.css';

const pageLength = 3;

/** The incidents of the account; nothing if there are none. The address has the page. */
export function IncidentList() {
  const [search] = useSearchParams();
  const page = Math.max(1, Math.trunc(Number(search.get('incidents'))) || 1);
  const { data } = useIncidents(page, pageLength);
  if (!data || (data.items.length === 0 && page === 1)) return null;
  return (
    <section className="card incident-list stack no-print" aria-labelledby="incidents">
      <h2 id="incidents" className="minor">
        {messages.list.heading}
      </h2>
      <ul className="stack">
        {data.items.map((incident) => (
          <Row key={incident.uuid} incident={incident} />
        ))}
      </ul>
      {(page > 1 || data.older) && (
        <nav className="row" aria-label={messages.list.label}>
          {page > 1 && (
            <Link className="alone" to={`?incidents=${page - 1}`}>
              {messages.list.newer}
            </Link>
          )}
          {data.older && (
            <Link className="alone" to={`?incidents=${page + 1}`}>
              {messages.list.older}
            </Link>
          )}
        </nav>
      )}
    </section>
  );
}

function Row({ incident }: { incident: IncidentSummary }) {
  const { uuid, opened, state } = incident;
  const sentence = openerSentence(incident);
  const now = useNow();
  return (
    <li>
      <span>
        <strong>{sentence}</strong>
        <br />
        <span className="soft">
          {sentenceCase(inWords(new Date(opened), now))} · {messages.state[state]}
        </span>
      </span>
      <Link className="alone" to={paths.incident(uuid)} aria-label={messages.link.of(sentence)}>
        {messages.link.see}
      </Link>
    </li>
  );
}
