import { useState } from 'react';
import { useNavigate, useParams } from 'react-router';
import { errorText } from '../../lib/error-text.ts';
import { paths } from '../../lib/paths.ts';
import { useAuthenticated } from '../../lib/session.ts';
import { Form, useForm } from '../../ui/form.tsx';
import { Link } from '../../ui/link.tsx';
import { DeadLink, isDeadLink } from './dead-link.tsx';
import { messages } from './email-messages.ts';
import { useConfirmEmail } from './queries.ts';

/** Only the button confirms, because mail scanners open links (P2.1). */
export function ConfirmEmailScreen() {
  const { token = '' } = useParams();
  const [already, setAlready] = useState(false);
  const [deadLinkText, setDeadLinkText] = useState<string | null>(null);
  const authenticated = useAuthenticated();
  const form = useForm();
  const navigate = useNavigate();
  const confirmEmail = useConfirmEmail();
  const confirm = () =>
    form.run(async () => {
      const answer = await confirmEmail(token).catch((err: unknown) => {
        if (!isDeadLink(err)) throw err;
        setDeadLinkText(errorText(err));
        return null;
      });
      if (!answer) return undefined;
      const { already_confirmed } = answer;
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
        ) : deadLinkText ? (
          <DeadLink words={deadLinkText} />
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
