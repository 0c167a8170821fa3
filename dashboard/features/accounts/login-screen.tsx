import { lazy, Suspense, useState } from 'react';
import { useSearchParams } from 'react-router';
import { useBrowserHasPasskeys } from '../../integrations/passkeys.ts';
import { HttpError } from '../../lib/http.ts';
import { paths } from '../../lib/paths.ts';
import { ErrorBoundary } from '../../ui/error-boundary.tsx';
import { Field } from '../../ui/field.tsx';
import { Form, useForm } from '../../ui/form.tsx';
import { Link } from '../../ui/link.tsx';
import { PasskeyButton } from '../../ui/passkey-button.tsx';
import { SupportLink } from '../../ui/support.tsx';
import { logIn, logInWithPasskey } from './log-in.ts';
import { messages } from './messages.ts';
import { PasswordField } from './password-field.tsx';
import './accounts.css';

/** Few accounts need it, so that it is no part of the first load. */
const SecondStep = lazy(async () => ({ default: (await import('./second-step.tsx')).SecondStep }));

export function LoginScreen() {
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [passed, setPassed] = useState(false);
  const hasPasskeys = useBrowserHasPasskeys();
  const form = useForm();
  const submit = () =>
    form.run(async () => {
      try {
        await logIn(email, password);
      } catch (err) {
        if (!(err instanceof HttpError && err.code === 'second_step_needed')) throw err;
        setPassed(true);
      }
      return undefined;
    });
  const submitPasskey = () =>
    form.run(async () => {
      await logInWithPasskey();
      return undefined;
    });
  const restart = () => {
    setPassword('');
    setPassed(false);
  };

  if (passed) {
    return (
      <div className="wrap narrow">
        <ErrorBoundary part>
          <Suspense fallback={<div className="skeleton" style={{ height: 480 }} />}>
            <SecondStep email={email} password={password} onBack={restart} />
          </Suspense>
        </ErrorBoundary>
      </div>
    );
  }
  return (
    <div className="wrap narrow stack-l">
      <div className="card stack">
        <h1>{messages.login}</h1>
        <Notice />
        <Form state={form} onSubmit={() => email && password && void submit()} label={messages.login}>
          <Field
            label={messages.email}
            name="email"
            type="email"
            autoComplete="username"
            value={email}
            onChange={setEmail}
            problem={form.fields.email}
          />
          <PasswordField
            label={messages.password}
            name="password"
            autoComplete="current-password"
            value={password}
            onChange={setPassword}
            problem={form.fields.password}
          />
          <button type="submit" className="btn big wide" disabled={!email || !password || form.loading}>
            {messages.login}
          </button>
          {hasPasskeys && (
            <PasskeyButton label={messages.loginWithPasskey} wide disabled={form.loading} onPress={() => void submitPasskey()} />
          )}
        </Form>
        <Link className="alone" to={paths.forgotPassword}>
          {messages.forgot}
        </Link>
      </div>
      <p>
        {messages.newHere}{' '}
        <Link className="alone" to={paths.register}>
          {messages.startTrial}
        </Link>
      </p>
      <p>
        {messages.needHelp} <SupportLink className="alone" />
      </p>
    </div>
  );
}

/** The notices of 2.31 to 2.36; for a dead link, the offer of a new one. */
function Notice() {
  const [search] = useSearchParams();
  const name = search.get('notice') ?? '';
  const expired = search.has('expired');
  const notice = expired ? messages.expired : Object.hasOwn(messages.notices, name) && messages.notices[name];
  const dead = /reset-key/.test(name);
  if (!notice) return null;
  return (
    <div className={`note ${expired || dead ? 'look' : 'good'}`}>
      <p role="status">{notice}</p>
      {dead && (
        <Link className="alone" to={paths.forgotPassword}>
          {messages.newLink}
        </Link>
      )}
    </div>
  );
}
