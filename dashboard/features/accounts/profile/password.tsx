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
import { PasswordChecklist } from '../password-checklist.tsx';
import { PasswordField } from '../password-field.tsx';
import { useProfile } from '../queries.ts';
import { passwordRules } from '../rules.ts';
import { messages } from './messages.ts';
import { useChangePassword } from './queries.ts';
import { Sessions } from './sessions.tsx';
import '../accounts.css';

const emptyValues = { current: '', fresh: '', again: '' };

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
  const [values, setValues] = useState(emptyValues);
  const [leftFields, setLeftFields] = useState({ fresh: false, again: false });
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
  const { long, same } = passwordRules(values.fresh, values.again);
  const passkey = useOwnPasskey();
  const ready = values.current !== '' && long && same;
  const set = (name: keyof typeof values) => (value: string) => setValues((previousValues) => ({ ...previousValues, [name]: value }));

  const submit = (prove: () => Promise<HolderProof>) =>
    form.run(async () => {
      setWrong(false);
      try {
        await changePassword({ ...(await prove()), password: values.fresh });
      } catch (err) {
        // Only the wrong password is cleared (4.29).
        set('current')('');
        setWrong(err instanceof HttpError && err.code === 'password_wrong');
        throw err;
      }
      setValues(emptyValues);
      setLeftFields({ fresh: false, again: false });
      return messages.password.done;
    });
  const typedPassword = async () => ({ current_password: values.current });
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
          value={values.current}
          onChange={set('current')}
          problem={wrong ? messages.password.wrong : form.fields.current_password}
        />
        <p>
          <button type="button" className="linklike alone" onClick={forgetPassword}>
            {messages.password.forgot}
          </button>
          <br />
          <span className="soft small">{messages.password.forgotHint}</span>
        </p>
        <PasswordField
          label={messages.password.fresh}
          name="password"
          autoComplete="new-password"
          value={values.fresh}
          onChange={set('fresh')}
          onBlur={() => setLeftFields((previousFields) => ({ ...previousFields, fresh: true }))}
          problem={leftFields.fresh && values.fresh && !long ? messages.password.tooShort : form.fields.password}
        />
        <PasswordField
          label={messages.password.again}
          name="again"
          autoComplete="new-password"
          value={values.again}
          onChange={set('again')}
          onBlur={() => setLeftFields((previousFields) => ({ ...previousFields, again: true }))}
          problem={leftFields.again && values.again && !same ? messages.password.noMatch : form.fields.again}
        />
        <PasswordChecklist password={values.fresh} again={values.again} />
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
