import { useState } from 'react';
import { FormError } from '../../../lib/error-text.ts';
import { Form, useForm } from '../../../ui/form.tsx';
import { LazyPhoneField } from '../../../ui/phone/phone-field-lazy.tsx';
import { messages } from './settings-messages.ts';
import { usePageActions } from './use-guardian-page.ts';

/** The phone field, whose library loads on demand. `cancel`: null without a way back. */
export function PhoneNumber({ number, saved: onSaved, cancel }: { number: string | null; saved: () => void; cancel: (() => void) | null }) {
  const [open, setOpen] = useState(number !== null);
  const [value, setValue] = useState(number ?? '');
  const [problem, setProblem] = useState<string | null>(null);
  const form = useForm();
  const actions = usePageActions();
  if (!open) {
    return (
      <div className="row between">
        <strong>{messages.reach.texts}</strong>
        <button type="button" className="btn quiet" onClick={() => setOpen(true)}>
          {messages.phone.add}
        </button>
      </div>
    );
  }
  const submit = () =>
    form.run(async () => {
      if (problem) throw new FormError({ phone_number: problem });
      if (!value) throw new FormError({ phone_number: messages.phone.missing });
      await actions?.change({ phone_number: value, sms: true });
      onSaved();
      return undefined;
    });
  return (
    <Form state={form} onSubmit={() => void submit()} label={messages.phone.add}>
      <LazyPhoneField
        label={messages.phone.label}
        name="phone_number"
        value={value}
        onChange={setValue}
        onProblem={setProblem}
        {...(form.fields.phone_number ? { problem: form.fields.phone_number } : {})}
        hint={messages.phone.hint}
      />
      <div className="row">
        <button type="submit" className="btn" disabled={form.loading}>
          {messages.phone.save}
        </button>
        <button type="button" className="btn quiet" onClick={cancel ?? (() => setOpen(false))}>
          {messages.phone.notNow}
        </button>
      </div>
    </Form>
  );
}
