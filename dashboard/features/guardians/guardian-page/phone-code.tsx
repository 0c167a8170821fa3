import { useEffect, useRef, useState } from 'react';
import { Form, useForm } from '../../../ui/form.tsx';
import { checkedCode, SixDigitsField, useTextedCode } from '../../../ui/six-digits.tsx';
import { messages } from './settings-messages.ts';
import { usePageActions } from './use-guardian-page.ts';

/** Six digits from a text message verify the phone (P2.5). Opening sends one only for a `justSaved` number, so that reloads do not. */
export function PhoneCode({ number, justSaved }: { number: string; justSaved: boolean }) {
  const [code, setCode] = useState('');
  const form = useForm();
  const actions = usePageActions();
  const { sent, send, canSend, labelOf } = useTextedCode(form, async () => actions?.sendCode());
  const box = useRef<HTMLDivElement>(null);
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
      await checkedCode(code, async () => actions?.verify(code));
      return undefined;
    });
  return (
    <div ref={box} className="stack">
      <p aria-live="polite">{(sent ? messages.phone.sent : messages.phone.lead)(number)}</p>
      <Form state={form} onSubmit={() => void submit()} label={messages.phone.verifyHeading}>
        <SixDigitsField value={code} onChange={setCode} problem={form.fields.code} />
        <div className="row">
          <button type="submit" className="btn">
            {messages.phone.verify}
          </button>
          <button
            type="button"
            className="btn quiet"
            disabled={!canSend}
            onClick={() => {
              toField();
              void send();
            }}
          >
            {labelOf(sent ? messages.phone.sendNew : messages.phone.send)}
          </button>
        </div>
      </Form>
    </div>
  );
}
