import { limits } from '@porchlight/contract/limits.ts';
import { useState } from 'react';
import { answerOf } from '../../lib/call.ts';
import { FormError } from '../../lib/error-text.ts';
import { reportHandledError } from '../../lib/handled-errors.ts';
import { HttpError } from '../../lib/http.ts';
import { pages } from '../../lib/paths.ts';
import { Check, Field } from '../../ui/field.tsx';
import { Form, useForm } from '../../ui/form.tsx';
import { WithLinks } from '../../ui/with-links.tsx';
import { messages } from './messages.ts';
import { freeDownloadBody, type FreeDownloadForm as Values } from './rules.ts';

/** `onDone`: called only after a 200 (7.32, 4.43). */
export function FreeDownloadForm({ onDone }: { onDone: () => void }) {
  const [values, setValues] = useState<Values>({ email: '', terms: false, marketing: false });
  const form = useForm();
  const submit = () =>
    form.run(async () => {
      await send(freeDownloadBody(values));
      onDone();
      return undefined;
    });
  return (
    <Form state={form} onSubmit={() => void submit()} label={messages.heading}>
      <Field
        label={messages.email}
        name="email"
        type="email"
        autoComplete="email"
        maxLength={limits.email_max}
        value={values.email}
        onChange={(email) => setValues((previousValues) => ({ ...previousValues, email }))}
        hint={messages.emailHint}
        problem={form.fields.email}
      />
      <Check
        name="terms"
        checked={values.terms}
        onChange={(terms) => setValues((previousValues) => ({ ...previousValues, terms }))}
        problem={form.fields.terms}
      >
        <WithLinks text={messages.terms} links={[pages.terms, pages.privacy]} />
      </Check>
      <Check
        name="marketing"
        checked={values.marketing}
        onChange={(marketing) => setValues((previousValues) => ({ ...previousValues, marketing }))}
      >
        {messages.marketing}
      </Check>
      <button type="submit" className="btn big wide" disabled={form.loading}>
        {messages.submit}
      </button>
    </Form>
  );
}

/** All errors have the same text (8.10), beside the address if it caused them. */
async function send(body: { email: string | null }): Promise<void> {
  try {
    const { status } = await answerOf('POST /free-download', { body });
    if (status !== 200) throw new HttpError(status);
  } catch (err) {
    reportHandledError(err);
    const errorField = err instanceof HttpError && err.fields.some(({ field }) => field === 'Email') ? 'email' : 'form';
    throw new FormError({ [errorField]: messages.failed });
  }
}
