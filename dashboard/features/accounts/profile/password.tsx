import type { HolderProof } from '@porchlight/contract/sign-in-methods.ts';
import { useState } from 'react';
import { flushSync } from 'react-dom';
import { useNavigate } from 'react-router';
import { useOwnPasskey } from '../../../integrations/passkeys.ts';
import { FormError } from '../../../lib/error-text.ts';
import { HttpError } from '../../../lib/http.ts';
import { paths } from '../../../lib/paths.ts';
import { Form, useForm } from '../../../ui/form.tsx';
import { PasskeyButton } from '../../../ui/passkey-button.tsx';
import { logOut } from '../log-out.ts';
import { useNewPassword } from '../new-password.tsx';
import { PasswordField } from '../password-field.tsx';
import { useProfile } from '../queries.ts';
import { messages } from './messages.ts';
import { useChangePassword } from './queries.ts';
import { Sessions } from './sessions.tsx';
import '../accounts.css';

/** Clauses 2.102 to 2.104. */
export function Password() {
  return (
    <div className="stack-l">
      <ChangePassword />
      <Sessions />
    </div>
  );
}

function ChangePassword() {
  const [current, setCurrent] = useState('');
  const [wrong, setWrong] = useState(false);
  const form = useForm();
  const changePassword = useChangePassword();
  const { data: profile } = useProfile();
  const navigate = useNavigate();
  // The forgotten-password page is for guests only (2.26), so the log-out must be rendered first.
  const forgetPassword = () => {
    flushSync(logOut);
    void navigate(paths.forgotPassword);
  };
  const { password, long, same, fields, clear } = useNewPassword(
    form,
    { password: messages.password.fresh, again: messages.password.again },
    { password: messages.password.tooShort, again: messages.password.noMatch },
  );
  const passkey = useOwnPasskey();
  const ready = current !== '' && long && same;

  const submit = (prove: () => Promise<HolderProof>) =>
    form.run(async () => {
      setWrong(false);
      try {
        await changePassword({ ...(await prove()), password });
      } catch (err) {
        // Only the wrong password is cleared (4.29).
        setCurrent('');
        setWrong(err instanceof HttpError && err.code === 'password_wrong');
        throw err;
      }
      setCurrent('');
      clear();
      return messages.password.done;
    });
  const typedPassword = async () => ({ current_password: current });
  // The button for a passkey is enabled from the start, and says what is missing.
  const passkeyProof = async (ask: NonNullable<typeof passkey>) => {
    if (!long) throw new FormError({ password: messages.password.tooShort });
    if (!same) throw new FormError({ again: messages.password.noMatch });
    return { passkey: await ask() };
  };

  return (
    <section className="card stack" aria-labelledby="change-password">
      <h2 id="change-password">{messages.password.heading}</h2>
      <Form state={form} onSubmit={() => ready && void submit(typedPassword)} label={messages.password.heading}>
        {/* Password managers need the user name beside the password. */}
        <input type="email" name="username" autoComplete="username" value={profile?.email ?? ''} readOnly hidden />
        <PasswordField
          label={messages.password.current}
          name="current_password"
          autoComplete="current-password"
          value={current}
          onChange={setCurrent}
          problem={wrong ? messages.password.wrong : form.fields.current_password}
        />
        <p>
          <button type="button" className="linklike alone" onClick={forgetPassword}>
            {messages.password.forgot}
          </button>
          <br />
          <span className="soft small">{messages.password.forgotHint}</span>
        </p>
        {fields}
        <div className="row">
          <button type="submit" className="btn big" disabled={!ready || form.loading}>
            {messages.password.submit}
          </button>
          {passkey && (
            <PasskeyButton
              label={messages.password.submitWithPasskey}
              disabled={form.loading}
              onPress={() => void submit(() => passkeyProof(passkey))}
            />
          )}
        </div>
      </Form>
    </section>
  );
}
