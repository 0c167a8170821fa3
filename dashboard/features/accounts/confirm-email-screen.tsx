import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useNavigate, useParams } from 'react-router';
import { call } from '../../lib/call.ts';
import { errorText } from '../../lib/error-text.ts';
import { paths } from '../../lib/paths.ts';
import { useAuthenticated } from '../../lib/session.ts';
import { Form, useForm } from '../../ui/form.tsx';
import { DeadLink, isDeadLink } from './dead-link.tsx';
import { messages } from './email-messages.ts';

/** Opening the link does nothing, mail scanners open links; the button confirms (P2.1). */
export function ConfirmEmailScreen() {
  const { token = '' } = useParams();
  const [already, setAlready] = useState(false);
  const [dead, setDead] = useState<string | null>(null);
  const authenticated = useAuthenticated();
  const form = useForm();
  const navigate = useNavigate();
  const client = useQueryClient();
  const confirm = () =>
    form.run(async () => {
      const answer = await call('POST /confirm-email', { body: { token } }).catch((err: unknown) => {
        if (!isDeadLink(err)) throw err;
        setDead(errorText(err));
        return null;
      });
      if (!answer) return undefined;
      const { already_confirmed } = answer;
      await client.invalidateQueries({ queryKey: ['profile'] });
      if (already_confirmed) setAlready(true);
      else await navigate(authenticated ? paths.home : paths.loginAfter('email-confirmed'), { replace: true });
      return undefined;
    });
  return (
    <div className="wrap narrow">
      <div className="card stack">
        <h1>{messages.confirmHeading}</h1>
        {already ? (
          <>
            <p className="note good" role="status">
              {messages.alreadyConfirmed}
            </p>
            <Link className="btn" to={paths.home}>
              {messages.goOn}
            </Link>
          </>
        ) : dead ? (
          <DeadLink words={dead} />
        ) : (
          <>
            <p>{messages.confirmLead}</p>
            <Form state={form} onSubmit={() => void confirm()}>
              <button type="submit" className="btn big" disabled={form.loading}>
                {messages.confirm}
              </button>
            </Form>
          </>
        )}
      </div>
    </div>
  );
}
