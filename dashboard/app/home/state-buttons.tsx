import { Link } from 'react-router';
import { paths } from '../../lib/paths.ts';
import type { SafeSentence } from '../../lib/safe-sentence.ts';
import { messages } from './messages.ts';

/** `incident`: the uuid of the incident, whose page has more than the alert's. */
export function StateButtons({ safe: { call, alert, links }, incident }: { safe: SafeSentence; incident: string | undefined }) {
  const number = call?.phone_number;
  const seePath = incident ? paths.incident(incident) : alert && paths.deviceDetections(alert.device, alert.uuid);
  if (!number && !seePath && !links.length) return null;
  return (
    <div className="row">
      {number && (
        <a className="btn" href={`tel:${number}`}>
          {call.label}
        </a>
      )}
      {seePath && (
        <Link className={number ? 'btn quiet' : 'btn'} to={seePath}>
          {messages.seeWhat}
        </Link>
      )}
      {links.map(({ label, to }, i) => (
        <Link key={to} className={number || seePath || i > 0 ? 'btn quiet' : 'btn'} to={to}>
          {label}
        </Link>
      ))}
    </div>
  );
}
