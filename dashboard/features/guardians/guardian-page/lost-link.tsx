import { limits } from '@porchlight/contract/limits.ts';
import { useState } from 'react';
import { call } from '../../../lib/call.ts';
import { FormError } from '../../../lib/error-text.ts';
import { Field } from '../../../ui/field.tsx';
import { Form, useForm } from '../../../ui/form.tsx';
import { messages } from './settings-messages.ts';

/** Sends the link to a guardian's address again. The answer is the same for unknown addresses, so that it reveals nothing. */
export function LostLink() {
  const [email, setEmail] = useState('');
  const [sentTo, setSentTo] = useState<string | null>(null);
  const form = useForm();
  const submit = () =>
    form.run(async () => {
      const address = email.trim();
      setSentTo(null);
      if (!address) throw new FormError({ email: messages.lost.missing });
      await call('POST /guardian-link', { body: { email: address } });
      setSentTo(address);
      return undefined;
    });
  return (
    <section className="card stack" aria-labelledby="lost">
      <h2 id="lost">{messages.lost.heading}</h2>
      <p className="soft">{messages.lost.lead}</p>
      <Form state={form} onSubmit={() => void submit()} label={messages.lost.heading}>
        <Field
          label={messages.lost.email}
          name="email"
          type="email"
          autoComplete="email"
          maxLength={limits.email_max}
          value={email}
          onChange={setEmail}
          problem={form.fields.email}
        />
        <button type="submit" className="btn" disabled={form.loading}>
          {messages.lost.send}
        </button>
        {/* The message stays, since the email takes a moment and nothing else happens here. */}
        <div aria-live="polite">{sentTo && <p className="note good">{messages.lost.sent(sentTo)}</p>}</div>
      </Form>
    </section>
  );
}
