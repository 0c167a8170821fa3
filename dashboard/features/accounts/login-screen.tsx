import { useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { call } from '../../lib/call.ts';
import { paths } from '../../lib/paths.ts';
import { person, startSession } from '../../lib/session.ts';
import { clearStored } from '../../lib/tab-storage.ts';
import { Field } from '../../ui/field.tsx';
import { Form, useForm } from '../../ui/form.tsx';
import { SupportLink } from '../../ui/support.tsx';
import { messages } from './messages.ts';
import { PasswordField } from './password-field.tsx';
import './accounts.css';

export function LoginScreen() {
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const form = useForm();
  const submit = () =>
    form.run(async () => {
      const { web_token } = await call('POST /login/web', { body: { email, password } });
      if (email.trim().toLowerCase() !== person()) clearStored();
      startSession(web_token, email);
      return undefined;
    });

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
