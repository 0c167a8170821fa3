import { useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { call } from '../../lib/call.ts';
import { paths } from '../../lib/paths.ts';
import { person, startSession } from '../../lib/session.ts';
import { forgetKept } from '../../lib/tab-storage.ts';
import { Field } from '../../ui/field.tsx';
import { Form, useForm } from '../../ui/form.tsx';
import { SupportLink } from '../../ui/support.tsx';
import { t } from './messages.ts';
import { PasswordField } from './password-field.tsx';
import './accounts.css';

export function LoginScreen() {
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const form = useForm();
  const submit = () =>
    form.run(async () => {
      const { web_token } = await call('POST /login/web', { body: { email, password } });
      if (email.trim().toLowerCase() !== person()) forgetKept();
      // The guard leads on: to the page one came from, or to the dashboard.
      startSession(web_token, email);
      return undefined;
    });

  return (
    <div className="wrap narrow stack-l">
      <div className="card stack">
        <h1>{t.login}</h1>
        <Notice />
        <Form state={form} onSubmit={() => email && password && void submit()} label={t.login}>
          <Field
            label={t.email}
            name="email"
            type="email"
            autoComplete="username"
            value={email}
            onChange={setEmail}
            problem={form.fields.email}
          />
          <PasswordField
            label={t.password}
            name="password"
            autoComplete="current-password"
            value={password}
            onChange={setPassword}
            problem={form.fields.password}
          />
          <button type="submit" className="btn big wide" disabled={!email || !password || form.loading}>
            {t.login}
          </button>
        </Form>
        <Link className="alone" to={paths.forgotPassword}>
          {t.forgot}
        </Link>
      </div>
      <p>
        {t.newHere}{' '}
        <Link className="alone" to={paths.register}>
          {t.startTrial}
        </Link>
      </p>
      <p>
        {t.needHelp} <SupportLink className="alone" />
      </p>
    </div>
  );
}

/** Why someone was brought here (2.31 to 2.36); whose link from the mail did nothing gets another one. */
function Notice() {
  const [search] = useSearchParams();
  const name = search.get('notice') ?? '';
  const expired = search.has('expired');
  const notice = expired ? t.expired : Object.hasOwn(t.notices, name) && t.notices[name];
  const dead = /reset-key/.test(name);
  if (!notice) return null;
  return (
    <div className={`note ${expired || dead ? 'look' : 'good'}`}>
      <p role="status">{notice}</p>
      {dead && (
        <Link className="alone" to={paths.forgotPassword}>
          {t.newLink}
        </Link>
      )}
    </div>
  );
}
