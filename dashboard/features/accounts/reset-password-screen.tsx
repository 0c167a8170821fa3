import { useState } from 'react';
import { useNavigate, useParams } from 'react-router';
import { call } from '../../lib/call.ts';
import { HttpError } from '../../lib/http.ts';
import { paths } from '../../lib/paths.ts';
import { Form, useForm } from '../../ui/form.tsx';
import { messages } from './email-messages.ts';
import { PasswordChecklist } from './password-checklist.tsx';
import { PasswordField } from './password-field.tsx';
import { passwordRules } from './rules.ts';
import './accounts.css';

/** The notice for a bad, used or expired link (P2.2). */
const noticeOf: Record<string, string> = { reset_invalid: 'invalid-reset-key', reset_expired: 'reset-key-expired' };

export function ResetPasswordScreen() {
  const { resetToken = '' } = useParams();
  const [password, setPassword] = useState('');
  const [repeatedPassword, setRepeatedPassword] = useState('');
  const form = useForm();
  const navigate = useNavigate();
  const { long, same } = passwordRules(password, repeatedPassword);

  const submit = () =>
    form.run(async () => {
      try {
        await call('POST /reset-password', { body: { token: resetToken, password } });
        await navigate(paths.loginAfter('password-reset'), { replace: true });
      } catch (err) {
        const notice = err instanceof HttpError ? noticeOf[err.code ?? ''] : undefined;
        if (!notice) throw err;
        await navigate(paths.loginAfter(notice), { replace: true });
      }
      return undefined;
    });

  return (
    <div className="wrap narrow">
      <div className="card stack">
        <h1>{messages.resetHeading}</h1>
        <Form state={form} onSubmit={() => long && same && void submit()} label={messages.resetHeading}>
          <PasswordField
            label={messages.newPassword}
            name="password"
            autoComplete="new-password"
            value={password}
            onChange={setPassword}
            problem={form.fields.password}
          />
          <PasswordField
            label={messages.confirmNewPassword}
            name="again"
            autoComplete="new-password"
            value={repeatedPassword}
            onChange={setRepeatedPassword}
          />
          <PasswordChecklist password={password} again={repeatedPassword} />
          <button type="submit" className="btn big wide" disabled={!long || !same || form.loading}>
            {messages.saveNewPassword}
          </button>
        </Form>
      </div>
    </div>
  );
}
