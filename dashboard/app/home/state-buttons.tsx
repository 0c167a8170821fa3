import { paths } from '../../lib/paths.ts';
import type { SafeSentence } from '../../lib/safe-sentence.ts';
import type { unreachedLinks } from '../../lib/unreached-messages.ts';
import { Link } from '../../ui/link.tsx';
import { messages } from './messages.ts';

interface StateButtonsProps {
  safe: SafeSentence;
  /** The uuid of the incident, whose page has more than the alert's. */
  incident: string | undefined;
  link: ReturnType<typeof unreachedLinks>['first'];
}

export function StateButtons({ safe: { call, alert }, incident, link }: StateButtonsProps) {
  const number = call?.phone_number;
  const seePath = incident ? paths.incident(incident) : alert && paths.deviceDetections(alert.device, alert.uuid);
  if (!number && !seePath && !link) return null;
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
      {link && (
        <Link className={number || seePath ? 'btn quiet' : 'btn'} to={link.to}>
          {link.label}
        </Link>
      )}
    </div>
  );
}

/** Where to solve the problems that are not the worst. */
export function OtherLinks({ links }: { links: ReturnType<typeof unreachedLinks>['others'] }) {
  if (!links.length) return null;
  return (
    <div className="row">
      {links.map(({ label, to }) => (
        <Link key={to} className="btn quiet" to={to}>
          {label}
        </Link>
      ))}
    </div>
  );
}
