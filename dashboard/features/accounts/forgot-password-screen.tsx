import { useState } from 'react';
import { call } from '../../lib/call.ts';
import { paths } from '../../lib/paths.ts';
import { Field } from '../../ui/field.tsx';
import { Form, useForm } from '../../ui/form.tsx';
import { Link } from '../../ui/link.tsx';
import { messages } from './email-messages.ts';

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
        <h1>{messages.forgotHeading}</h1>
        {sent ? (
          <p className="note good" role="status">
            {messages.forgotDone}
          </p>
        ) : (
          <>
            <p>{messages.forgotLead}</p>
            <Form state={form} onSubmit={() => email && void submit()} label={messages.forgotHeading}>
              <Field
                label={messages.email}
                name="email"
                type="email"
                autoComplete="username"
                value={email}
                onChange={setEmail}
                problem={form.fields.email}
              />
              <button type="submit" className="btn big wide" disabled={!email || form.loading}>
                {messages.send}
              </button>
            </Form>
          </>
        )}
        <Link className="alone" to={paths.login}>
          {messages.backToLogin}
        </Link>
      </div>
    </div>
  );
}
