import type { MayAnswer } from '@porchlight/contract/may-answer.ts';
import { useState } from 'react';
import { HttpError } from '../../lib/http.ts';
import { Form, QuietStatus, useForm } from '../../ui/form.tsx';
import { checkedCode, SixDigitsField, useTextedCode } from '../../ui/six-digits.tsx';
import { messages } from './messages.ts';
import { PasswordStep } from './password-step.tsx';
import { useOwnAnswer } from './queries.ts';

type Needed = Exclude<MayAnswer['may'], 'no'>;

const neededNext: Record<string, Needed> = { password_needed: 'password', code_needed: 'code' };

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
  const form = useForm();
  const { sendCode } = useOwnAnswer(request);
  const { sent, send, canSend, labelOf } = useTextedCode(form, sendCode);
  const submit = () =>
    form.run(async () => {
      await checkedCode(code, onEntered);
      return undefined;
    });
  return (
    <Form state={form} onSubmit={() => void (sent ? submit() : send())} label={messages.own.yes}>
      <p aria-live="polite">{sent ? messages.own.sent : messages.own.lead}</p>
      {sent && <SixDigitsField value={code} onChange={setCode} problem={form.fields.code} />}
      <div className="row">
        <button type="submit" className="btn" disabled={form.loading}>
          {sent ? messages.own.yes : messages.own.send}
        </button>
        {sent && (
          <button type="button" className="btn quiet" disabled={!canSend} onClick={() => void send()}>
            {labelOf(messages.own.sendNew)}
          </button>
        )}
      </div>
    </Form>
  );
}
