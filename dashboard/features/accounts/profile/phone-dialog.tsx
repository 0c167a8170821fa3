import { useEffect, useRef } from 'react';
import { Form } from '../../../ui/form.tsx';
import { usePhoneText } from '../../../ui/phone/use-phone-text.ts';
import { useTextedCode } from '../../../ui/texted-code.tsx';
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
  const calls = usePhoneCode();
  const dialog = useRef<HTMLDialogElement>(null);
  const close = () => {
    dialog.current?.close();
    onClose();
  };
  const { form, sent, send, submit, waiting, sendLabel, field } = useTextedCode(calls.send, async (code) => {
    await calls.verify(code);
    onVerified();
    close();
    await calls.refresh();
  });
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
          {field}
          <div className="row">
            <button type="submit" className={underWay ? 'btn' : 'btn quiet'}>
              {messages.verify.submit}
            </button>
            <button type="button" className={underWay ? 'btn quiet' : 'btn'} disabled={waiting || form.loading} onClick={onSendPressed}>
              {sendLabel}
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
