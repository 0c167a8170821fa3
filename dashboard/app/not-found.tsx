import { Link } from 'react-router';
import { paths } from '../lib/paths.ts';
import { Drawing } from '../ui/illustrations.tsx';
import { t } from './messages.ts';

export function NotFound() {
  return (
    <div className="wrap narrow stack">
      <Drawing of="lost" />
      <h1>{t.notFound.heading}</h1>
      <Link className="btn" to={paths.login}>
        {t.notFound.home}
      </Link>
    </div>
  );
}
