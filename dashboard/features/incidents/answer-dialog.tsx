import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { useOwnPasskey } from '../../integrations/passkeys.ts';
import { FormError } from '../../lib/error-text.ts';
import { Field } from '../../ui/field.tsx';
import { Form, QuietStatus, useForm } from '../../ui/form.tsx';
import { PasskeyButton } from '../../ui/passkey-button.tsx';
import { SixDigitsField, useTextedCode } from '../../ui/six-digits.tsx';
import type { OwnProof, ProofCalls } from './calls.ts';
import { messages } from './messages.ts';
import type { ProofStep } from './proof.ts';

/** What the reader gave to show that it is them. `own` may ask for a passkey first. */
export interface Given {
  own?: () => Promise<OwnProof>;
  code?: string;
}

interface AnswerDialogProps {
  step: ProofStep;
  ask: { heading: string; body: string; confirm: string; choices?: ReactNode };
  danger: boolean;
  form: ReturnType<typeof useForm>;
  proof: ProofCalls;
  run: (given: Given) => Promise<void>;
  close: () => void;
}

/** Asks for a confirmation or a proof. */
export function AnswerDialog({ step, ask, danger, form, proof, run, close }: AnswerDialogProps) {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const cancel = useRef<HTMLButtonElement>(null);
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const passkey = useOwnPasskey(step === 'password');
  useEffect(() => {
    dialog.current?.showModal();
    // The focus starts at Cancel: holding a key down must not confirm.
    (dialog.current?.querySelector<HTMLElement>('input:not([type=checkbox])') ?? cancel.current)?.focus();
  }, []);
  const submit = () => {
    if (step === 'confirm') return void run({});
    if (step === 'password' && !password) return void fail({ password: messages.proof.passwordMissing });
    if (step === 'code') return void run({ code });
    void run({ own: async () => ({ password }) });
  };
  const fail = (fields: Record<string, string>) => form.run(() => Promise.reject(new FormError(fields)));
  return (
    <dialog ref={dialog} aria-labelledby={`${id}-heading`} aria-describedby={`${id}-body`} onClose={close}>
      <Form state={form} onSubmit={submit}>
        <h2 id={`${id}-heading`}>{ask.heading}</h2>
        <p id={`${id}-body`}>{ask.body}</p>
        {ask.choices}
        {step === 'password' && (
          <Field
            label={messages.proof.password}
            name="password"
            type="password"
            autoComplete="current-password"
            hint={messages.proof.passwordHint}
            value={password}
            onChange={setPassword}
            problem={form.fields.password}
          />
        )}
        {step === 'code' && <CodeField value={code} onChange={setCode} problem={form.fields.code} send={proof.sendCode} />}
        <div className="row">
          <button type="submit" className={danger ? 'btn danger' : 'btn'} disabled={form.loading}>
            {ask.confirm}
          </button>
          {passkey && (
            <PasskeyButton disabled={form.loading} onPress={() => void run({ own: async () => ({ passkey: await passkey() }) })} />
          )}
          <button ref={cancel} type="button" className="btn quiet" onClick={close}>
            {messages.proof.cancel}
          </button>
        </div>
      </Form>
    </dialog>
  );
}

interface CodeFieldProps {
  value: string;
  onChange: (code: string) => void;
  problem: string | undefined;
  send: () => Promise<unknown>;
}

/** Texts a code when it appears, and again when asked to. */
function CodeField({ value, onChange, problem, send }: CodeFieldProps) {
  const form = useForm();
  const texted = useTextedCode(form, send);
  const opened = useRef(false);
  useEffect(() => {
    if (opened.current) return;
    opened.current = true;
    void texted.send();
  });
  return (
    <>
      {form.error ? <QuietStatus state={form} /> : <p aria-live="polite">{texted.sent ? messages.proof.sent : messages.proof.sending}</p>}
      <SixDigitsField value={value} onChange={onChange} problem={problem} />
      <button type="button" className="linklike" disabled={!texted.canSend} onClick={() => void texted.send()}>
        {texted.labelOf(messages.proof.sendNew)}
      </button>
    </>
  );
}
