import { limits } from '@porchlight/contract/limits.ts';
import { useEffect, useRef, useState } from 'react';
import { errorText, FormError } from '../../../lib/error-text.ts';
import { HttpError } from '../../../lib/http.ts';
import { useCountdown } from '../../../lib/use-countdown.ts';
import { Field } from '../../../ui/field.tsx';
import { Form, useForm } from '../../../ui/form.tsx';
import { messages } from './settings-messages.ts';
import { usePageActions } from './use-guardian-page.ts';

const resendWaitSeconds = limits.resend_wait / 1000;
const codeErrors = ['phone_code_wrong', 'phone_code_expired'];

/** Six digits from a text message verify the phone (P2.5). Opening sends one only for a `justSaved` number, so that reloads do not. */
export function PhoneCode({ number, justSaved }: { number: string; justSaved: boolean }) {
  const [code, setCode] = useState('');
  const [sent, setSent] = useState(false);
  const [waitSeconds, startWait] = useCountdown();
  const form = useForm();
  const actions = usePageActions();
  const box = useRef<HTMLDivElement>(null);
  const send = () =>
    form.run(async () => {
      try {
        await actions?.sendCode();
        setSent(true);
        startWait(resendWaitSeconds);
      } catch (err) {
        if (err instanceof HttpError && err.code === 'too_many') startWait(resendWaitSeconds);
        throw err;
      }
      return undefined;
    });
  const toField = () => box.current?.querySelector('input')?.focus();
  const openedRef = useRef(false);
  useEffect(() => {
    if (openedRef.current || !justSaved) return;
    openedRef.current = true;
    toField();
    void send();
  });
  const submit = () =>
    form.run(async () => {
      if (code.length !== limits.phone_code_digits) throw new FormError({ code: messages.phone.sixDigits });
      await actions?.verify(code).catch((err: unknown) => {
        throw err instanceof HttpError && codeErrors.includes(err.code ?? '') ? new FormError({ code: errorText(err) }) : err;
      });
      return undefined;
    });
  const label = sent ? messages.phone.sendNew : messages.phone.send;
  return (
    <div ref={box} className="stack">
      <p aria-live="polite">{(sent ? messages.phone.sent : messages.phone.lead)(number)}</p>
      <Form state={form} onSubmit={() => void submit()} label={messages.phone.verifyHeading}>
        <Field
          label={messages.phone.code}
          name="code"
          inputMode="numeric"
          autoComplete="one-time-code"
          value={code}
          onChange={(typedText) => setCode(typedText.replace(/\D/g, '').slice(0, limits.phone_code_digits))}
          problem={form.fields.code}
        />
        <div className="row">
          <button type="submit" className="btn">
            {messages.phone.verify}
          </button>
          <button
            type="button"
            className="btn quiet"
            disabled={waitSeconds > 0 || form.loading}
            onClick={() => {
              toField();
              void send();
            }}
          >
            {waitSeconds > 0 ? messages.phone.sendIn(label, waitSeconds) : label}
          </button>
        </div>
      </Form>
    </div>
  );
}
