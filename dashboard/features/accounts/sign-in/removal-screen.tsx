import { useEffect, useRef, useState } from 'react';
import { useParams } from 'react-router';
import { inWords } from '../../../lib/dates.ts';
import { paths } from '../../../lib/paths.ts';
import { endSession, useAuthenticated } from '../../../lib/session.ts';
import { useNow } from '../../../lib/use-now.ts';
import { Form, useForm } from '../../../ui/form.tsx';
import { Link } from '../../../ui/link.tsx';
import { Loading } from '../../../ui/loading.tsx';
import { SupportContacts } from '../../../ui/support.tsx';
import { Dead, isDeadLink, LogInFirst } from '../dead-link.tsx';
import { type AddedMethod, useAddedMethod, useRemoveAdded } from './queries.ts';

const messages = {
  heading: 'Remove this way to log in?',
  headingAfter: 'Choose a new password now',
  headingOver: 'This link no longer works',
  headingTakeBack: 'Take your address back now',
  passkey: (name: string, when: string) => `Someone added the passkey “${name}” to this account, ${when}.`,
  app: (when: string) => `Someone added an authenticator app to this account, ${when}.`,
  wasYou: 'Was that you? Then close this page. Nothing changes.',
  notYou:
    'If not, or if someone on the phone asked you to do it, hang up and press the button. We’ll remove it, and log everyone out, you too.',
  remove: 'Remove it',
  removed: 'We removed it, and logged everyone out.',
  choosePassword: 'Someone may know your old password. We just sent you an email with a button to choose a new one.',
  sendAgain: 'Send the email again',
  takeBack:
    'The email address of this account was changed. Find our email “Your email address was changed”, and press the button in it. Then choose a new password.',
  over: 'If you have a newer email from us about this, press the button in the newest one. If not, what was added may be removed already, or the seven days are over.',
  check: 'You can see all ways to log in on your profile, and remove them there.',
  toSignIn: 'Check how you log in',
  logInFirst: 'Log in to see all ways to log in. You can remove them there.',
  help: 'If you can’t get in, contact support:',
} as const;

type Outcome = 'dead' | { password_mail: boolean };

/** The link in the email about a new way to log in. Only the button acts, because mail scanners open links (P2.1). */
export function RemovalScreen() {
  const { token = '' } = useParams();
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const form = useForm();
  const added = useAddedMethod(token);
  const remove = useRemoveAdded();
  const press = () =>
    form.run(async () => {
      const answer = await remove(token).catch((err: unknown) => {
        if (isDeadLink(err)) return 'dead' as const;
        throw err;
      });
      // The server has ended all sessions, also the one of this browser.
      if (answer !== 'dead') endSession('logout');
      setOutcome(answer);
      return undefined;
    });
  const isDead = outcome === 'dead' || (outcome === null && isDeadLink(added.error));
  return (
    <div className="wrap narrow">
      <div className="card stack">
        <h1>{isDead ? messages.headingOver : headingAfter(outcome)}</h1>
        {isDead ? (
          <DeadLink />
        ) : outcome ? (
          <Removed password_mail={outcome.password_mail} />
        ) : (
          <Loading of={added} height={320}>
            {(method) => (
              <>
                <p>
                  <Sentence {...method} />
                </p>
                <p>{messages.wasYou}</p>
                <p>{messages.notYou}</p>
                <Form state={form} onSubmit={() => void press()}>
                  <button type="submit" className="btn big" disabled={form.loading}>
                    {messages.remove}
                  </button>
                </Form>
              </>
            )}
          </Loading>
        )}
      </div>
    </div>
  );
}

function headingAfter(outcome: Outcome | null): string {
  if (outcome === null || outcome === 'dead') return messages.heading;
  return outcome.password_mail ? messages.headingAfter : messages.headingTakeBack;
}

function Sentence({ name, added }: AddedMethod) {
  const when = inWords(new Date(added), useNow());
  return name === null ? messages.app(when) : messages.passkey(name, when);
}

function Removed({ password_mail }: { password_mail: boolean }) {
  const note = useRef<HTMLParagraphElement>(null);
  useEffect(() => note.current?.focus(), []);
  return (
    <>
      <p className="note good" role="status" ref={note} tabIndex={-1}>
        {messages.removed}
      </p>
      <p>{password_mail ? messages.choosePassword : messages.takeBack}</p>
      {password_mail && (
        <Link className="btn quiet" to={paths.forgotPassword}>
          {messages.sendAgain}
        </Link>
      )}
    </>
  );
}

function DeadLink() {
  const authenticated = useAuthenticated();
  return (
    <Dead words={messages.over}>
      {authenticated ? (
        <>
          <p>{messages.check}</p>
          <Link className="btn" to={paths.signIn}>
            {messages.toSignIn}
          </Link>
        </>
      ) : (
        <LogInFirst to={paths.signIn} lead={messages.logInFirst} />
      )}
      <p>
        {messages.help} <SupportContacts />
      </p>
    </Dead>
  );
}
