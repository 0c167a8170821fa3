import { useState } from 'react';
import { Link } from 'react-router';
import { call } from '../../lib/call.ts';
import { paths } from '../../lib/paths.ts';
import { Field } from '../../ui/field.tsx';
import { Form, useForm } from '../../ui/form.tsx';
import { t } from './email-messages.ts';

export function ForgotPasswordScreen() {
  const [email, setEmail] = useState('');
  const [sent, setSent] = useState(false);
  const form = useForm();
  const submit = () =>
    form.run(async () => {
      await call('POST /forgot-password', { body: { email } });
      setSent(true);
      return undefined;
    });
  return (
    <div className="wrap narrow">
      <div className="card stack">
        <h1>{t.forgotHeading}</h1>
        {sent ? (
          <p className="note good" role="status">
            {t.forgotDone}
          </p>
        ) : (
          <>
            <p>{t.forgotLead}</p>
            <Form state={form} onSubmit={() => email && void submit()} label={t.forgotHeading}>
              <Field
                label={t.email}
                name="email"
                type="email"
                autoComplete="username"
                value={email}
                onChange={setEmail}
                problem={form.fields.email}
              />
              <button type="submit" className="btn big wide" disabled={!email || form.loading}>
                {t.send}
              </button>
            </Form>
          </>
        )}
        <Link className="alone" to={paths.login}>
          {t.backToLogin}
        </Link>
      </div>
    </div>
  );
}
