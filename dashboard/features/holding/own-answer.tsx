import { limits } from '@porchlight/contract/limits.ts';
import type { MayAnswer } from '@porchlight/contract/may-answer.ts';
import { useState } from 'react';
import { errorText, FormError } from '../../lib/error-text.ts';
import { HttpError } from '../../lib/http.ts';
import { Field } from '../../ui/field.tsx';
import { Form, QuietStatus, useForm } from '../../ui/form.tsx';
import { messages } from './messages.ts';
import { PasswordStep } from './password-step.tsx';
import { useOwnAnswer } from './queries.ts';

type Needed = Exclude<MayAnswer['may'], 'no'>;

const neededNext: Record<string, Needed> = { password_needed: 'password', code_needed: 'code' };
const codeErrors = ['phone_code_wrong', 'phone_code_expired'];

/** The holder’s own yes, for somebody else’s computer (P10.2). The server may need the password first, and then a code. */
export function OwnAnswer({ request, may }: { request: string; may: Needed }) {
  const [needed, setNeeded] = useState<Needed>(may);
  const { yes } = useOwnAnswer(request);
  const form = useForm();
  const answer = (code: string | null) =>
    yes(code).catch((err: unknown) => {
      const next = err instanceof HttpError ? neededNext[err.code ?? ''] : undefined;
      if (!next || next === needed) throw err;
      setNeeded(next);
    });
  if (needed === 'password') return <PasswordStep lead={messages.own.lead} submit={messages.own.yes} onEntered={() => answer(null)} />;
  if (needed === 'code') return <CodeStep request={request} onEntered={answer} />;
  const press = () =>
    form.run(async () => {
      await answer(null);
      return undefined;
    });
  return (
    <div className="stack">
      <p>{messages.own.lead}</p>
      <button type="button" className="btn" disabled={form.loading} onClick={() => void press()}>
        {messages.own.yes}
      </button>
      {form.error && <QuietStatus state={form} />}
    </div>
  );
}

function CodeStep({ request, onEntered }: { request: string; onEntered: (code: string) => Promise<void> }) {
  const [code, setCode] = useState('');
  const [sent, setSent] = useState(false);
  const form = useForm();
  const { sendCode } = useOwnAnswer(request);
  const send = () =>
    form.run(async () => {
      await sendCode();
      setSent(true);
      return undefined;
    });
  const submit = () =>
    form.run(async () => {
      if (code.length !== limits.phone_code_digits) throw new FormError({ code: messages.own.sixDigits });
      await onEntered(code).catch((err: unknown) => {
        throw err instanceof HttpError && codeErrors.includes(err.code ?? '') ? new FormError({ code: errorText(err) }) : err;
      });
      return undefined;
    });
  return (
    <Form state={form} onSubmit={() => void (sent ? submit() : send())} label={messages.own.yes}>
      <p aria-live="polite">{sent ? messages.own.sent : messages.own.lead}</p>
      {sent && (
        <Field
          label={messages.own.code}
          name="code"
          inputMode="numeric"
          autoComplete="one-time-code"
          value={code}
          onChange={(typedText) => setCode(typedText.replace(/\D/g, '').slice(0, limits.phone_code_digits))}
          problem={form.fields.code}
        />
      )}
      <div className="row">
        <button type="submit" className="btn" disabled={form.loading}>
          {sent ? messages.own.yes : messages.own.send}
        </button>
        {sent && (
          <button type="button" className="btn quiet" disabled={form.loading} onClick={() => void send()}>
            {messages.own.sendNew}
          </button>
        )}
      </div>
    </Form>
  );
}
