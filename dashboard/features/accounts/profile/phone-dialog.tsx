import { useEffect, useRef, useState } from 'react';
import { Form, useForm } from '../../../ui/form.tsx';
import { usePhoneText } from '../../../ui/phone/use-phone-text.ts';
import { checkedCode, SixDigitsField, useTextedCode } from '../../../ui/six-digits.tsx';
import { messages } from './messages.ts';
import { usePhoneCode } from './queries.ts';

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
  const form = useForm();
  const calls = usePhoneCode();
  const { sent, send, canSend, labelOf } = useTextedCode(form, calls.send);
  const dialog = useRef<HTMLDialogElement>(null);
  const close = () => {
    dialog.current?.close();
    onClose();
  };
  const onSendPressed = () => {
    dialog.current?.querySelector('input')?.focus();
    void send();
  };
  const openedRef = useRef(false);
  useEffect(() => {
    if (openedRef.current) return;
    openedRef.current = true;
    dialog.current?.showModal();
    if (justSaved) void send();
  });
  const submit = () =>
    form.run(async () => {
      await checkedCode(code, calls.verify);
      onVerified();
      close();
      await calls.refresh();
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
          <SixDigitsField value={code} onChange={setCode} problem={form.fields.code} />
          <div className="row">
            <button type="submit" className={underWay ? 'btn' : 'btn quiet'}>
              {messages.verify.submit}
            </button>
            <button type="button" className={underWay ? 'btn quiet' : 'btn'} disabled={!canSend} onClick={onSendPressed}>
              {labelOf(sendLabel)}
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
