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

const codeErrors = ['phone_code_wrong', 'phone_code_expired'];

/**
 * Six digits from a text message verify the phone (2.141). Opening sends one only for a `justSaved` number (4.26), so that reloads do not.
 * `optedOut`: the note for a number that has opted out of texts (2.117).
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
  const [waitSeconds, startWait] = useCountdown();
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
        if (err instanceof HttpError && err.code === 'too_many') startWait(resendWaitSeconds);
        throw err;
      }
      return undefined;
    });
  const onSendPressed = () => {
    dialog.current?.querySelector('input')?.focus();
    void onSend();
  };
  const openedRef = useRef(false);
  useEffect(() => {
    if (openedRef.current) return;
    openedRef.current = true;
    dialog.current?.showModal();
    if (justSaved) void onSend();
  });
  const submit = () =>
    form.run(async () => {
      if (code.length !== limits.phone_code_digits) throw new FormError({ code: messages.verify.sixDigits });
      await verify(code).catch((err: unknown) => {
        throw err instanceof HttpError && codeErrors.includes(err.code ?? '') ? new FormError({ code: errorText(err) }) : err;
      });
      onVerified();
      close();
      await refresh();
      return undefined;
    });
  const sendLabel = sent ? messages.verify.sendNew : messages.verify.send;
  const underWay = sent || justSaved;
  const shownNumber = usePhoneText(number);
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
          {optedOut ? <p className="note look">{optedOut}</p> : <p>{(sent ? messages.verify.sent : messages.verify.lead)(shownNumber)}</p>}
        </div>
        <Form state={form} onSubmit={() => void submit()} label={messages.verify.heading}>
          <Field
            label={messages.verify.code}
            name="code"
            inputMode="numeric"
            autoComplete="one-time-code"
            value={code}
            onChange={(typedText) => setCode(typedText.replace(/\D/g, '').slice(0, limits.phone_code_digits))}
            problem={form.fields.code}
          />
          <div className="row">
            <button type="submit" className={underWay ? 'btn' : 'btn quiet'}>
              {messages.verify.submit}
            </button>
            <button
              type="button"
              className={underWay ? 'btn quiet' : 'btn'}
              disabled={waitSeconds > 0 || form.loading}
              onClick={onSendPressed}
            >
              {waitSeconds > 0 ? mail.sendAgainIn(sendLabel, waitSeconds) : sendLabel}
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
