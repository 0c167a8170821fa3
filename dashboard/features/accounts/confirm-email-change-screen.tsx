import { useState } from 'react';
import { Link, useNavigate, useParams, useSearchParams } from 'react-router';
import { errorText } from '../../lib/error-text.ts';
import { paths } from '../../lib/paths.ts';
import { endSession, useAuthenticated } from '../../lib/session.ts';
import { Form, useForm } from '../../ui/form.tsx';
import { DeadChange, isDeadLink } from './dead-link.tsx';
import { messages as profile } from './profile/messages.ts';
import { useConfirmEmailChange } from './queries.ts';

const messages = profile.change;

/** The outcomes that keep this screen open. */
type Outcome = 'already' | 'undone' | 'already undone';

/**
 * The link of the mail to a new address, and with `?undo` of the mail that lets the old one take the change back (P2.4).
 * Opening it does nothing, the button does (P2.1); what it did is what the server says, whatever the address says.
 */
export function ConfirmEmailChangeScreen() {
  const { token = '' } = useParams();
  const [search] = useSearchParams();
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const [dead, setDead] = useState<string | null>(null);
  const authenticated = useAuthenticated();
  const form = useForm();
  const navigate = useNavigate();
  const { confirm, refresh } = useConfirmEmailChange();
  const undo = search.has('undo');

  const press = () =>
    form.run(async () => {
      const answer = await confirm(token).catch((err: unknown) => {
        if (!isDeadLink(err)) throw err;
        setDead(errorText(err));
        return null;
      });
      if (!answer) return undefined;
      const { done, already_confirmed } = answer;
      if (already_confirmed) setOutcome(done === 'undone' ? 'already undone' : 'already');
      else if (done === 'undone') {
        // The server has logged everyone out, and a new password is chosen as a guest.
        endSession('logout');
        setOutcome('undone');
      } else {
        await refresh();
        await navigate(authenticated ? paths.home : paths.loginAfter('email-confirmed'), { replace: true });
      }
      return undefined;
    });

  return (
    <div className="wrap narrow">
      <div className="card stack">
        <h1>{undo ? messages.undoHeading : messages.heading}</h1>
        {outcome ? (
          <Done outcome={outcome} authenticated={authenticated} />
        ) : dead ? (
          <DeadChange undo={undo} words={dead} />
        ) : (
          <>
            <p>{undo ? messages.undoLead : messages.lead}</p>
            <Form state={form} onSubmit={() => void press()}>
              <button type="submit" className="btn big" disabled={form.loading}>
                {undo ? messages.undoButton : messages.button}
              </button>
            </Form>
          </>
        )}
      </div>
    </div>
  );
}

function Done({ outcome, authenticated }: { outcome: Outcome; authenticated: boolean }) {
  const words = { already: messages.already, undone: messages.undone, 'already undone': messages.alreadyUndone }[outcome];
  return (
    <>
      <p className="note good" role="status">
        {words}
      </p>
      {outcome === 'already' ? (
        <Link className="btn" to={paths.home}>
          {messages.goOn}
        </Link>
      ) : (
        <Link className="btn" to={authenticated ? paths.password : paths.forgotPassword}>
          {messages.newPassword}
        </Link>
      )}
    </>
  );
}
