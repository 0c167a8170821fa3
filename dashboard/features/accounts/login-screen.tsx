import { brand } from '@porchlight/contract/brand.ts';
import { useState } from 'react';
import { Link, useLocation, useNavigate, useSearchParams } from 'react-router';
import { call } from '../../lib/call.ts';
import { paths } from '../../lib/paths.ts';
import { startSession } from '../../lib/session.ts';
import { Field } from '../../ui/field.tsx';
import { Form, useForm } from '../../ui/form.tsx';
import { PasswordField } from './password-field.tsx';
import { t } from './texts.ts';
import './accounts.css';

export function LoginScreen() {
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const form = useForm();
  const navigate = useNavigate();
  const { state } = useLocation() as { state: { from?: string } | null };
  const submit = () =>
    form.run(async () => {
      const { web_token } = await call('POST /login/web', { body: { email, password } });
      startSession(web_token);
      await navigate(state?.from ?? paths.home, { replace: true });
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
        {t.needHelp}{' '}
        <a className="alone" href={`mailto:${brand.support.email}`}>
          {brand.support.title}
        </a>
      </p>
    </div>
  );
}

/** Why someone was brought here (2.31 to 2.36). */
function Notice() {
  const [search] = useSearchParams();
  const notice = search.has('expired') ? t.expired : t.notices[search.get('notice') ?? ''];
  const good = notice === t.notices['password-reset'] || notice === t.notices['email-confirmed'];
  return notice ? (
    <p className={`note ${good ? 'good' : 'look'}`} role="status">
      {notice}
    </p>
  ) : null;
}
