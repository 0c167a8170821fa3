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
/** The error codes that also belong beside the field. */
const ofCode = ['phone_code_wrong', 'phone_code_expired'];

/** Six digits from a text prove that the phone is at hand (P2.5). It texts by itself only when the number was `justSaved`: a page that is opened again texts nobody. */
export function PhoneCode({ number, justSaved }: { number: string; justSaved: boolean }) {
  const [code, setCode] = useState('');
  const [sent, setSent] = useState(false);
  const [wait, startWait] = useCountdown();
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
        // The last text was sent less than a minute ago, so the wait is at most that.
        if (err instanceof HttpError && err.code === 'too_many') startWait(resendWaitSeconds);
        throw err;
      }
      return undefined;
    });
  const toField = () => box.current?.querySelector('input')?.focus();
  const opened = useRef(false);
  useEffect(() => {
    if (opened.current || !justSaved) return;
    opened.current = true;
    toField();
    void send();
  });
  const submit = () =>
    form.run(async () => {
      if (code.length !== limits.phone_code_digits) throw new FormError({ code: messages.phone.sixDigits });
      await actions?.verify(code).catch((err: unknown) => {
        throw err instanceof HttpError && ofCode.includes(err.code ?? '') ? new FormError({ code: errorText(err) }) : err;
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
          onChange={(typed) => setCode(typed.replace(/\D/g, '').slice(0, limits.phone_code_digits))}
          problem={form.fields.code}
        />
        <div className="row">
          <button type="submit" className="btn">
            {messages.phone.verify}
          </button>
          <button
            type="button"
            className="btn quiet"
            disabled={wait > 0 || form.loading}
            onClick={() => {
              // The button can do nothing for a while and loses the focus, so it goes to what comes next.
              toField();
              void send();
            }}
          >
            {wait > 0 ? messages.phone.sendIn(label, wait) : label}
          </button>
        </div>
      </Form>
    </div>
  );
}
