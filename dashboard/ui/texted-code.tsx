import { limits } from '@porchlight/contract/limits.ts';
import { useState } from 'react';
import { errorText, FormError } from '../lib/error-text.ts';
import { HttpError } from '../lib/http.ts';
import { useCountdown } from '../lib/use-countdown.ts';
import { Field } from './field.tsx';
import { useForm } from './form.tsx';

export const codeMessages = {
  code: 'The six digits',
  send: 'Text me the code',
  sendNew: 'Send a new code',
  sendIn: (label: string, seconds: number) => `${label} in ${seconds} s`,
  sixDigits: `The code has ${limits.phone_code_digits} digits. Enter all of them.`,
};
const codeErrors = ['phone_code_wrong', 'phone_code_expired'];

interface CodeFieldProps {
  label?: string;
  value: string;
  onChange: (code: string) => void;
  problem: string | undefined;
}

export function CodeField({ label = codeMessages.code, value, onChange, problem }: CodeFieldProps) {
  return (
    <Field
      label={label}
      name="code"
      inputMode="numeric"
      autoComplete="one-time-code"
      value={value}
      onChange={(typedText) => onChange(typedText.replace(/\D/g, '').slice(0, limits.phone_code_digits))}
      problem={problem}
    />
  );
}

/** A code by text message, with its form: sent, sent again after a wait, and verified. What is wrong with it shows beside its `field`. */
export function useTextedCode(sendCode: () => Promise<unknown>, verify: (code: string) => Promise<unknown>) {
  const [code, setCode] = useState('');
  const [sent, setSent] = useState(false);
  const [waitSeconds, startWait] = useCountdown();
  const form = useForm();
  const wait = () => startWait(limits.resend_wait / 1000);
  const send = () =>
    form.run(async () => {
      try {
        await sendCode();
        setSent(true);
        wait();
      } catch (err) {
        if (err instanceof HttpError && err.code === 'too_many') wait();
        throw err;
      }
      return undefined;
    });
  const submit = () =>
    form.run(async () => {
      if (code.length !== limits.phone_code_digits) throw new FormError({ code: codeMessages.sixDigits });
      await verify(code).catch((err: unknown) => {
        throw err instanceof HttpError && codeErrors.includes(err.code ?? '') ? new FormError({ code: errorText(err) }) : err;
      });
      return undefined;
    });
  const label = sent ? codeMessages.sendNew : codeMessages.send;
  return {
    form,
    sent,
    send,
    submit,
    waiting: waitSeconds > 0,
    sendLabel: waitSeconds > 0 ? codeMessages.sendIn(label, waitSeconds) : label,
    field: <CodeField value={code} onChange={setCode} problem={form.fields.code} />,
  };
}
