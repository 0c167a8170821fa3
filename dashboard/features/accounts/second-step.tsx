import { brand } from '@porchlight/contract/brand.ts';
import { useEffect, useRef, useState } from 'react';
import { browserHasPasskeys } from '../../integrations/passkeys.ts';
import { errorText, FormError } from '../../lib/error-text.ts';
import { HttpError } from '../../lib/http.ts';
import { Field } from '../../ui/field.tsx';
import { Form, useForm } from '../../ui/form.tsx';
import { PasskeyButton } from '../../ui/passkey-button.tsx';
import { SupportLink } from '../../ui/support.tsx';
import { logIn, logInWithPasskey } from './log-in.ts';
import { messages as login } from './messages.ts';

const messages = {
  heading: 'One more step',
  lead: 'Your password is right. Now show us that it’s you.',
  code: 'Code',
  codeHint: 'From your authenticator app, or a recovery code.',
  passkey: 'Use a passkey',
  lost: 'Lost your phone?',
  lostHelp: [
    'Enter one of the recovery codes that you printed or wrote down. Each works once.',
    'No codes? Use a browser where you’re still logged in: open your profile, then “How you log in”, and remove what you lost.',
    'If nothing works, ask us for help:',
  ],
  never: `Nobody from ${brand.name} will ever ask you for this code. If someone does, hang up.`,
  back: 'Use another email',
} as const;

interface SecondStepProps {
  email: string;
  password: string;
  onBack: () => void;
}

/** For accounts with a passkey or an authenticator app, once the password was right (P13.1). */
export function SecondStep({ email, password, onBack }: SecondStepProps) {
  const [code, setCode] = useState('');
  const form = useForm();
  const card = useRef<HTMLDivElement>(null);
  useEffect(() => card.current?.querySelector('input')?.focus(), []);
  const submit = () =>
    form.run(async () => {
      try {
        await logIn(email, password, code);
      } catch (err) {
        if (!(err instanceof HttpError && err.code === 'sign_in_code_wrong')) throw err;
        setCode('');
        throw new FormError({ code: errorText(err) });
      }
      return undefined;
    });
  const submitPasskey = () =>
    form.run(async () => {
      await logInWithPasskey();
      return undefined;
    });
  return (
    <div className="card stack" ref={card}>
      <h1>{messages.heading}</h1>
      <p role="status">{messages.lead}</p>
      <Form state={form} onSubmit={() => code.trim() && void submit()} label={messages.heading}>
        <Field
          label={messages.code}
          name="code"
          // Recovery codes have letters, so the keyboard must have them too.
          inputMode="text"
          autoComplete="one-time-code"
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          value={code}
          onChange={setCode}
          hint={messages.codeHint}
          problem={form.fields.code}
        />
        <button type="submit" className="btn big wide" disabled={!code.trim() || form.loading}>
          {login.login}
        </button>
        {browserHasPasskeys() && (
          <PasskeyButton label={messages.passkey} wide disabled={form.loading} onPress={() => void submitPasskey()} />
        )}
      </Form>
      <p className="note look">{messages.never}</p>
      <details className="lost">
        <summary className="linklike alone">{messages.lost}</summary>
        <div className="stack">
          {messages.lostHelp.map((text) => (
            <p key={text}>{text}</p>
          ))}
          <SupportLink className="alone" />
        </div>
      </details>
      <button type="button" className="linklike alone" disabled={form.loading} onClick={onBack}>
        {messages.back}
      </button>
    </div>
  );
}
