import { useEffect, useRef, useState } from 'react';
import { useParams } from 'react-router';
import { paths } from '../../../lib/paths.ts';
import { useAuthenticated } from '../../../lib/session.ts';
import { Form, useForm } from '../../../ui/form.tsx';
import { Link } from '../../../ui/link.tsx';
import { DeadKeepLink, isDeadLink } from '../dead-link.tsx';
import { deletionMessages } from './deletion-messages.ts';
import { messages } from './messages.ts';
import { useKeepByLink } from './queries.ts';

const words = messages.byLink;

/** The link in the email about a deletion. Only the button acts, because mail scanners open links (P2.1). */
export function KeepAccountScreen() {
  const { token = '' } = useParams();
  const [outcome, setOutcome] = useState<'stays' | 'dead' | null>(null);
  const form = useForm();
  const keepByLink = useKeepByLink();
  const press = () =>
    form.run(async () => {
      const ended = await keepByLink(token).then(
        () => 'stays' as const,
        (err: unknown) => {
          if (isDeadLink(err)) return 'dead' as const;
          throw err;
        },
      );
      setOutcome(ended);
      return undefined;
    });
  return (
    <div className="wrap narrow">
      <div className="card stack">
        <h1>{words.heading}</h1>
        {outcome === 'stays' ? (
          <Stays />
        ) : outcome === 'dead' ? (
          <DeadKeepLink />
        ) : (
          <>
            <p>{words.lead}</p>
            <Form state={form} onSubmit={() => void press()}>
              <button type="submit" className="btn big" disabled={form.loading}>
                {deletionMessages.keep}
              </button>
            </Form>
          </>
        )}
      </div>
    </div>
  );
}

function Stays() {
  const authenticated = useAuthenticated();
  const note = useRef<HTMLParagraphElement>(null);
  useEffect(() => note.current?.focus(), []);
  return (
    <>
      <p className="note good" role="status" ref={note} tabIndex={-1}>
        {deletionMessages.stays}
      </p>
      <p>{words.notYou}</p>
      <div className="row">
        <Link className="btn" to={authenticated ? paths.password : paths.forgotPassword}>
          {words.newPassword}
        </Link>
        <Link className="btn quiet" to={paths.home}>
          {words.goOn}
        </Link>
      </div>
    </>
  );
}
