import { type ReactNode, useEffect, useRef } from 'react';
import { Link } from 'react-router';
import { HttpError } from '../../lib/http.ts';
import { paths } from '../../lib/paths.ts';
import { useAuthenticated } from '../../lib/session.ts';
import { SupportContacts } from '../../ui/support.tsx';
import { messages } from './email-messages.ts';
import { ResendButton } from './resend-button.tsx';

/** A link of a mail that works no more, and never will. */
export function isDeadLink(error: unknown): boolean {
  return error instanceof HttpError && (error.code === 'link_invalid' || error.code === 'link_expired');
}

/** Offers a new email in the place of a button that cannot work any more. */
export function DeadLink({ words }: { words: string }) {
  const authenticated = useAuthenticated();
  return (
    <Dead words={words}>
      {authenticated ? (
        <ResendButton done={messages.sentAgain} label={messages.sendNew} />
      ) : (
        <LogInFirst to={paths.verifyEmail} lead={messages.logInForNew} />
      )}
    </Dead>
  );
}

/** For emails about a new address: the profile sends another one; an undo that expired only support can mend. */
export function DeadChange({ undo, words }: { undo: boolean; words: string }) {
  const authenticated = useAuthenticated();
  if (undo) {
    return (
      <Dead words={messages.undoOver}>
        <Link className="btn" to={authenticated ? paths.password : paths.forgotPassword}>
          {messages.resetHeading}
        </Link>
        <p>
          {messages.undoHelp} <SupportContacts />
        </p>
      </Dead>
    );
  }
  return (
    <Dead words={words}>
      {authenticated ? (
        <>
          <p>{messages.changeAgain}</p>
          <Link className="btn" to={paths.profile}>
            {messages.toProfile}
          </Link>
        </>
      ) : (
        <LogInFirst to={paths.profile} lead={messages.logInForChange} />
      )}
    </Dead>
  );
}

function Dead({ words, children }: { words: string; children: ReactNode }) {
  const note = useRef<HTMLParagraphElement>(null);
  // The button that had the focus is gone.
  useEffect(() => note.current?.focus(), []);
  return (
    <>
      <p className="note look" role="alert" ref={note} tabIndex={-1}>
        {words}
      </p>
      {children}
    </>
  );
}

function LogInFirst({ to, lead }: { to: string; lead: string }) {
  return (
    <>
      <p>{lead}</p>
      <Link className="btn" to={paths.login} state={{ from: to }}>
        {messages.logIn}
      </Link>
    </>
  );
}
