import { limits } from '@porchlight/contract/limits.ts';
import { useEffect, useRef, useState } from 'react';
import { errorText, FormError } from '../../../lib/error-text.ts';
import { HttpError } from '../../../lib/http.ts';
import { useCountdown } from '../../../lib/use-countdown.ts';
import { Field } from '../../../ui/field.tsx';
import { Form, useForm } from '../../../ui/form.tsx';
import { usePhoneText } from '../../../ui/phone/use-phone-text.ts';
import { messages as mail } from '../email-messages.ts';
import { messages } from './messages.ts';
import { usePhoneCode } from './queries.ts';

const resendWaitSeconds = limits.resend_wait / 1000;

/** The error codes that also belong beside the field. */
const ofCode = ['phone_code_wrong', 'phone_code_expired'];

/**
 * Six digits from a text prove that the phone is at hand (2.141). Opening it sends a text only when the number was `justSaved` (4.26):
 * a page that is loaded again texts nobody. `optedOut`: what to tell where the number has asked for no texts, so that none arrives (2.117).
 */
export function PhoneDialog({
  number,
  justSaved,
  optedOut,
  onClose,
  onVerified,
}: {
  number: string;
  justSaved: boolean;
  optedOut: string | null;
  onClose: () => void;
  onVerified: () => void;
}) {
  const [code, setCode] = useState('');
  const [sent, setSent] = useState(false);
  const [wait, startWait] = useCountdown();
  const form = useForm();
  const { send, verify, refresh } = usePhoneCode();
  const dialog = useRef<HTMLDialogElement>(null);
  const close = () => {
    dialog.current?.close();
    onClose();
  };
  const onSend = () =>
    form.run(async () => {
      try {
        await send();
        setSent(true);
        startWait(resendWaitSeconds);
      } catch (err) {
        // The last text was sent less than a minute ago, so the wait is at most that.
        if (err instanceof HttpError && err.code === 'too_many') startWait(resendWaitSeconds);
        throw err;
      }
      return undefined;
    });
  const onSendPressed = () => {
    // The button is about to be disabled and would lose the focus, so the field gets it now rather than when the answer comes.
    dialog.current?.querySelector('input')?.focus();
    void onSend();
  };
  const opened = useRef(false);
  useEffect(() => {
    if (opened.current) return;
    opened.current = true;
    dialog.current?.showModal();
    if (justSaved) void onSend();
  });
  const submit = () =>
    form.run(async () => {
      if (code.length !== limits.phone_code_digits) throw new FormError({ code: messages.verify.sixDigits });
      await verify(code).catch((err: unknown) => {
        throw err instanceof HttpError && ofCode.includes(err.code ?? '') ? new FormError({ code: errorText(err) }) : err;
      });
      onVerified();
      close();
      await refresh();
      return undefined;
    });
  const sendLabel = sent ? messages.verify.sendNew : messages.verify.send;
  // The likely next step has the prominent button.
  const underWay = sent || justSaved;
  const shown = usePhoneText(number);
  return (
    <dialog
      ref={dialog}
      aria-labelledby="phone-dialog-heading"
      onCancel={(event) => {
        event.preventDefault();
        close();
      }}
    >
      <div className="stack">
        <h2 id="phone-dialog-heading">{messages.verify.heading}</h2>
        <div aria-live="polite">
          {optedOut ? <p className="note look">{optedOut}</p> : <p>{(sent ? messages.verify.sent : messages.verify.lead)(shown)}</p>}
        </div>
        <Form state={form} onSubmit={() => void submit()} label={messages.verify.heading}>
          <Field
            label={messages.verify.code}
            name="code"
            inputMode="numeric"
            autoComplete="one-time-code"
            value={code}
            onChange={(typed) => setCode(typed.replace(/\D/g, '').slice(0, limits.phone_code_digits))}
            problem={form.fields.code}
          />
          <div className="row">
            <button type="submit" className={underWay ? 'btn' : 'btn quiet'}>
              {messages.verify.submit}
            </button>
            <button type="button" className={underWay ? 'btn quiet' : 'btn'} disabled={wait > 0 || form.loading} onClick={onSendPressed}>
              {wait > 0 ? mail.sendAgainIn(sendLabel, wait) : sendLabel}
            </button>
            <button type="button" className="btn quiet" onClick={close}>
              {messages.verify.notNow}
            </button>
          </div>
        </Form>
      </div>
    </dialog>
  );
}
