import { useNavigate, useParams } from 'react-router';
import { call } from '../../lib/call.ts';
import { HttpError } from '../../lib/http.ts';
import { paths } from '../../lib/paths.ts';
import { Form, useForm } from '../../ui/form.tsx';
import { messages } from './email-messages.ts';
import { useNewPassword } from './new-password.tsx';
import './accounts.css';

/** The notice for a bad, used or expired link (P2.2). */
const noticeOf: Record<string, string> = { reset_invalid: 'invalid-reset-key', reset_expired: 'reset-key-expired' };

export function ResetPasswordScreen() {
  const { resetToken = '' } = useParams();
  const form = useForm();
  const navigate = useNavigate();
  const labels = { password: messages.newPassword, again: messages.confirmNewPassword };
  const { password, long, same, fields } = useNewPassword(form, labels);

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
          {fields}
          <button type="submit" className="btn big wide" disabled={!long || !same || form.loading}>
            {messages.saveNewPassword}
          </button>
        </Form>
      </div>
    </div>
  );
}
