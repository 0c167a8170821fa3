import { limits } from '@porchlight/contract/limits.ts';
import { useState } from 'react';
import { errorText, FormError } from '../lib/error-text.ts';
import { HttpError } from '../lib/http.ts';
import { useCountdown } from '../lib/use-countdown.ts';
import { Field, type FieldProps } from './field.tsx';
import type { FormState } from './form.tsx';

const messages = {
  label: 'The six digits',
  incomplete: `The code has ${limits.phone_code_digits} digits. Enter all of them.`,
  sendIn: (label: string, seconds: number) => `${label} in ${seconds} s`,
};

type SixDigitsFieldProps = Pick<FieldProps, 'value' | 'onChange' | 'problem'> & { label?: string };

/** For a code of a text message or of an authenticator app. What is no digit is left out, so that a pasted `123 456` fits. */
export function SixDigitsField({ label = messages.label, value, onChange, problem }: SixDigitsFieldProps) {
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

const refusals = ['phone_code_wrong', 'phone_code_expired', 'sign_in_code_wrong'];

/** Throws a `FormError` at the field for a code that is not whole, or that the server refuses; other errors of `send` as they are. */
export async function checkedCode(code: string, send: (code: string) => Promise<unknown>): Promise<void> {
  if (code.length !== limits.phone_code_digits) throw new FormError({ code: messages.incomplete });
  await send(code).catch((err: unknown) => {
    throw err instanceof HttpError && refusals.includes(err.code ?? '') ? new FormError({ code: errorText(err) }) : err;
  });
}

/** Texts a code, and again once the wait is over. `form` shows what fails. */
export function useTextedCode(form: Pick<FormState, 'run' | 'loading'>, sendCode: () => Promise<unknown>) {
  const [sent, setSent] = useState(false);
  const [waitSeconds, startWait] = useCountdown();
  const startResendWait = () => startWait(limits.resend_wait / 1000);
  const send = () =>
    form.run(async () => {
      try {
        await sendCode();
      } catch (err) {
        if (err instanceof HttpError && err.code === 'too_many') startResendWait();
        throw err;
      }
      setSent(true);
      startResendWait();
      return undefined;
    });
  return {
    sent,
    send,
    /** Whether a code can be sent now. */
    canSend: waitSeconds === 0 && !form.loading,
    /** The button's label, with the seconds until it can be pressed again. */
    labelOf: (label: string) => (waitSeconds > 0 ? messages.sendIn(label, waitSeconds) : label),
  };
}
