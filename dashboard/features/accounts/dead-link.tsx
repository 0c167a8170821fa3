import { type ReactNode, useEffect, useRef } from 'react';
import { HttpError } from '../../lib/http.ts';
import { paths } from '../../lib/paths.ts';
import { useAuthenticated } from '../../lib/session.ts';
import { Link } from '../../ui/link.tsx';
import { SupportContacts } from '../../ui/support.tsx';
import { messages } from './email-messages.ts';
import { ResendButton } from './resend-button.tsx';

export function isDeadLink(error: unknown): boolean {
  return error instanceof HttpError && (error.code === 'link_invalid' || error.code === 'link_expired');
}

export function DeadLink({ words: text }: { words: string }) {
  const authenticated = useAuthenticated();
  return (
    <Dead words={text}>
      {authenticated ? (
        <ResendButton done={messages.sentAgain} label={messages.sendNew} />
      ) : (
        <LogInFirst to={paths.verifyEmail} lead={messages.logInForNew} />
      )}
    </Dead>
  );
}

/** A dead link about a new address: the profile can send another email; only support can help with an expired undo. */
export function DeadChange({ undo, words: text }: { undo: boolean; words: string }) {
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
    <Dead words={text}>
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

/** A dead link to keep an account that waits for its deletion: there is no other email, and the dashboard says how things are. */
export function DeadKeepLink() {
  const authenticated = useAuthenticated();
  return (
    <Dead words={messages.keepOver}>
      {authenticated ? (
        <>
          <p>{messages.keepHere}</p>
          <Link className="btn" to={paths.account}>
            {messages.toData}
          </Link>
        </>
      ) : (
        <LogInFirst to={paths.account} lead={messages.logInToKeep} />
      )}
      <p>
        {messages.keepHelp} <SupportContacts />
      </p>
    </Dead>
  );
}

export function Dead({ words: text, children }: { words: string; children: ReactNode }) {
  const note = useRef<HTMLParagraphElement>(null);
  useEffect(() => note.current?.focus(), []);
  return (
    <>
      <p className="note look" role="alert" ref={note} tabIndex={-1}>
        {text}
      </p>
      {children}
    </>
  );
}

export function LogInFirst({ to, lead: introduction }: { to: string; lead: string }) {
  return (
    <>
      <p>{introduction}</p>
      <Link className="btn" to={paths.login} state={{ from: to }}>
        {messages.logIn}
      </Link>
    </>
  );
}
