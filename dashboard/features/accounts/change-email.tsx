import { useState } from 'react';
import { Field } from '../../ui/field.tsx';
import { Form, useForm } from '../../ui/form.tsx';
import { messages } from './email-messages.ts';
import { usePasswordDialog } from './profile/password-dialog.tsx';
import { useSaveProfile } from './profile/queries.ts';
import { maskEmail } from './rules.ts';

/** Corrects an email address that was mistyped when registering (P2.3). */
export function ChangeEmail() {
  const [open, setOpen] = useState(false);
  const [email, setEmail] = useState('');
  const form = useForm();
  const save = useSaveProfile();
  const { withPassword, dialog } = usePasswordDialog();
  const submit = () =>
    form.run(async () => {
      await withPassword((proof) => save({ email: email.trim(), ...proof }));
      setOpen(false);
      setEmail('');
      return messages.addressSaved(maskEmail(email.trim()));
    });
  return (
    <>
      <button type="button" className="btn quiet" aria-expanded={open} onClick={() => setOpen(!open)}>
        {messages.changeAddress}
      </button>
      <Form state={form} onSubmit={() => email.trim() && void submit()} label={messages.changeAddress}>
        {open && (
          <>
            <Field
              label={messages.newAddress}
              name="email"
              type="email"
              autoComplete="email"
              value={email}
              onChange={setEmail}
              problem={form.fields.email}
            />
            <button type="submit" className="btn" disabled={!email.trim()}>
              {messages.saveAddress}
            </button>
          </>
        )}
      </Form>
      {dialog}
    </>
  );
}
