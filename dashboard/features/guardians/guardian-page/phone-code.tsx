import { useEffect, useRef } from 'react';
import { Form } from '../../../ui/form.tsx';
import { useTextedCode } from '../../../ui/texted-code.tsx';
import { messages } from './settings-messages.ts';
import { usePageActions } from './use-guardian-page.ts';

/** Six digits from a text message verify the phone (P2.5). Opening sends one only for a `justSaved` number, so that reloads do not. */
export function PhoneCode({ number, justSaved }: { number: string; justSaved: boolean }) {
  const actions = usePageActions();
  const { form, sent, send, submit, waiting, sendLabel, field } = useTextedCode(
    async () => actions?.sendCode(),
    async (code) => actions?.verify(code),
  );
  const box = useRef<HTMLDivElement>(null);
  const toField = () => box.current?.querySelector('input')?.focus();
  const openedRef = useRef(false);
  useEffect(() => {
    if (openedRef.current || !justSaved) return;
    openedRef.current = true;
    toField();
    void send();
  });
  return (
    <div ref={box} className="stack">
      <p aria-live="polite">{(sent ? messages.phone.sent : messages.phone.lead)(number)}</p>
      <Form state={form} onSubmit={() => void submit()} label={messages.phone.verifyHeading}>
        {field}
        <div className="row">
          <button type="submit" className="btn">
            {messages.phone.verify}
          </button>
          <button
            type="button"
            className="btn quiet"
            disabled={waiting || form.loading}
            onClick={() => {
              toField();
              void send();
            }}
          >
            {sendLabel}
          </button>
        </div>
      </Form>
    </div>
  );
}
