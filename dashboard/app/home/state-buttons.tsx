import { Link } from 'react-router';
import { paths } from '../../lib/paths.ts';
import type { SafeSentence } from '../../lib/safe-sentence.ts';
import { messages } from './messages.ts';

export function StateButtons({ safe: { call, alert } }: { safe: SafeSentence }) {
  const number = call?.phone_number;
  if (!number && !alert) return null;
  return (
    <div className="row">
      {number && (
        <a className="btn" href={`tel:${number}`}>
          {call.label}
        </a>
      )}
      {alert && (
        <Link className={number ? 'btn quiet' : 'btn'} to={paths.deviceDetections(alert.device, alert.uuid)}>
          {messages.seeWhat}
        </Link>
      )}
    </div>
  );
}
