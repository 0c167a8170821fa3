import { useEffect, useRef, useState } from 'react';
import { useNavigate, useParams, useSearchParams } from 'react-router';
import { errorText } from '../../lib/error-text.ts';
import { type HeldRequestAnswer, heldRequestAnswer } from '../../lib/held-request.ts';
import { heldRequestMessages } from '../../lib/held-request-messages.ts';
import { paths } from '../../lib/paths.ts';
import { endSession, useAuthenticated } from '../../lib/session.ts';
import { Form, useForm } from '../../ui/form.tsx';
import { HeldRequestNotice } from '../../ui/held-request-notice.tsx';
import { Link } from '../../ui/link.tsx';
import { DeadChange, isDeadLink } from './dead-link.tsx';
import { messages as profile } from './profile/messages.ts';
import { useConfirmEmailChange } from './queries.ts';

const messages = profile.change;

/** The outcomes of a press that keep this screen open. */
type Outcome = 'already' | 'undone' | 'already undone';

/**
 * The link in the email to a new address, or with `?undo` in the email to the old one (P2.4).
 * Only the button acts, not opening the link (P2.1); the server's answer decides which text is shown.
 */
export function ConfirmEmailChangeScreen() {
  const { token = '' } = useParams();
  const [search] = useSearchParams();
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const [deadLinkText, setDeadLinkText] = useState<string | null>(null);
  /** The change waits for somebody's yes (P10.1). This page needs no login, so it cannot poll. */
  const [heldRequest, setHeldRequest] = useState<HeldRequestAnswer | null>(null);
  const warning = useRef<HTMLParagraphElement>(null);
  const authenticated = useAuthenticated();
  const form = useForm();
  const navigate = useNavigate();
  const { confirm, refresh } = useConfirmEmailChange();
  const undo = search.has('undo');

  const press = () =>
    form.run(async () => {
      const answer = await confirm(token).catch((err: unknown) => {
        const newHeldRequest = heldRequestAnswer(err);
        if (newHeldRequest) {
          setHeldRequest(newHeldRequest);
          if (heldRequest) throw new Error(heldRequestMessages.stillNoAnswer);
        } else if (isDeadLink(err)) setDeadLinkText(errorText(err));
        else throw err;
        return null;
      });
      if (!answer) return undefined;
      const { done, already_confirmed } = answer;
      if (already_confirmed) setOutcome(done === 'undone' ? 'already undone' : 'already');
      else if (done === 'undone') {
        // The server has ended all sessions, and a guest chooses the new password.
        endSession('logout');
        setOutcome('undone');
      } else {
        await refresh();
        await navigate(authenticated ? paths.home : paths.loginAfter('email-confirmed'), { replace: true });
      }
      return undefined;
    });

  const waits = heldRequest !== null;
  useEffect(() => {
    if (waits) warning.current?.focus();
  }, [waits]);

  return (
    <div className="wrap narrow">
      <div className="card stack">
        <h1>{undo ? messages.undoHeading : messages.heading}</h1>
        {outcome ? (
          <Done outcome={outcome} authenticated={authenticated} />
        ) : deadLinkText ? (
          <DeadChange undo={undo} words={deadLinkText} />
        ) : (
          <>
            {heldRequest ? (
              <HeldRequestNotice held={heldRequest} polls={false} headingId="held-request-heading" warning={warning} />
            ) : (
              <p>{undo ? messages.undoLead : messages.lead}</p>
            )}
            <Form state={form} onSubmit={() => void press()}>
              <button type="submit" className="btn big" disabled={form.loading}>
                {heldRequest ? heldRequestMessages.tryAgain : undo ? messages.undoButton : messages.button}
              </button>
            </Form>
          </>
        )}
      </div>
    </div>
  );
}

function Done({ outcome, authenticated }: { outcome: Outcome; authenticated: boolean }) {
  const text = { already: messages.already, undone: messages.undone, 'already undone': messages.alreadyUndone }[outcome];
  return (
    <>
      <p className="note good" role="status">
        {text}
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
