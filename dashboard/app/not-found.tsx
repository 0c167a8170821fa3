import { paths } from '../lib/paths.ts';
import { Illustration } from '../ui/illustrations.tsx';
import { Link } from '../ui/link.tsx';
import { messages } from './messages.ts';

export function NotFound() {
  return (
    <div className="wrap narrow stack">
      <Illustration of="lost" />
      <h1>{messages.notFound.heading}</h1>
      <Link className="btn" to={paths.login}>
        {messages.notFound.home}
      </Link>
    </div>
  );
}
