import { useState } from 'react';
import { useOwnPasskey } from '../../integrations/passkeys.ts';
import { FormError } from '../../lib/error-text.ts';
import { Field } from '../../ui/field.tsx';
import { Form, useForm } from '../../ui/form.tsx';
import { PasskeyButton } from '../../ui/passkey-button.tsx';
import { messages } from './messages.ts';
import { useReauthenticate } from './queries.ts';

/** Asks for the password or a passkey, which makes this session the holder’s own for a while, and then runs `onEntered`. */
export function PasswordStep({ lead, submit: label, onEntered }: { lead: string; submit: string; onEntered: () => Promise<void> }) {
  const [password, setPassword] = useState('');
  const form = useForm();
  const reauthenticate = useReauthenticate();
  const passkey = useOwnPasskey();
  const submit = () =>
    form.run(async () => {
      if (!password.trim()) throw new FormError({ password: messages.blank });
      setPassword('');
      await reauthenticate({ password });
      await onEntered();
      return undefined;
    });
  const submitPasskey = (ask: NonNullable<typeof passkey>) =>
    form.run(async () => {
      await reauthenticate({ passkey: await ask() });
      await onEntered();
      return undefined;
    });
  return (
    <Form state={form} onSubmit={() => void submit()} label={label}>
      <p>{lead}</p>
      <Field
        label={messages.password}
        name="password"
        type="password"
        autoComplete="current-password"
        spellCheck={false}
        autoCapitalize="none"
        value={password}
        onChange={setPassword}
        problem={form.fields.password}
      />
      <div className="row">
        <button type="submit" className="btn" disabled={form.loading}>
          {label}
        </button>
        {passkey && <PasskeyButton disabled={form.loading} onPress={() => void submitPasskey(passkey)} />}
      </div>
    </Form>
  );
}
