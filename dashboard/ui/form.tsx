import { limits } from '@porchlight/contract/limits.ts';
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { errorMessage, FormError, fieldMessages } from '../lib/error-text.ts';
import { reportHandledError } from '../lib/handled-errors.ts';
import { actionCancelled } from './confirm-queue.ts';

export interface FormState {
  loading: boolean;
  error: string | null;
  /** The server's errors by field name. */
  fields: Record<string, string>;
  /** The success message, shown for 10 s, after 300 ms (4.23). */
  success: string | null;
  /** A failure sets `error` and `fields`, and the input stays. */
  run(action: () => Promise<string | undefined>): Promise<void>;
  clear(): void;
}

export function useForm(successShownMs: number = limits.success_shown): FormState {
  const [state, setState] = useState({ loading: false, error: null as string | null, fields: {} as Record<string, string> });
  const [success, setSuccess] = useState<string | null>(null);
  const timers = useRef<number[]>([]);
  const stop = () => {
    for (const timer of timers.current.splice(0)) clearTimeout(timer);
  };
  useEffect(() => () => stop(), []);

  return {
    ...state,
    success,
    clear: () => setState({ loading: false, error: null, fields: {} }),
    async run(action) {
      stop();
      setSuccess(null);
      setState({ loading: true, error: null, fields: {} });
      try {
        const message = await action();
        setState({ loading: false, error: null, fields: {} });
        if (!message) return;
        timers.current = [
          window.setTimeout(() => setSuccess(message), limits.success_delay),
          window.setTimeout(() => setSuccess(null), limits.success_delay + successShownMs),
        ];
      } catch (err) {
        const error = errorMessage(err);
        setState({ loading: false, error, fields: fieldMessages(err) });
        if (!(err instanceof FormError) && error !== actionCancelled) reportHandledError(err);
      }
    },
  };
}

/**
 * The alert area takes the focus on errors. `top`: errors above the fields, success below. `sticky`: all messages stay visible at the
 * bottom of the window.
 */
export function Form({
  state,
  onSubmit,
  children,
  label,
  alert: alertPlace = 'top',
}: {
  state: FormState;
  onSubmit: () => void;
  children: ReactNode;
  label?: string;
  alert?: 'top' | 'sticky';
}) {
  const alert = useRef<HTMLDivElement>(null);
  // Declining is not an error (8.9): a calm status, and the focus stays.
  const declined = state.error === actionCancelled;
  useEffect(() => {
    if (state.error && !declined) alert.current?.focus();
  }, [state.error, declined]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!state.loading) onSubmit();
  };
  const bad = state.error && (
    <div ref={alert} className={declined ? 'note' : 'note bad'} role={declined ? 'status' : 'alert'} tabIndex={-1}>
      {state.error}
    </div>
  );
  return (
    <form className="stack" noValidate onSubmit={submit} aria-label={label}>
      {alertPlace === 'top' && bad}
      {children}
      <div className={alertPlace === 'sticky' ? 'sticky' : undefined}>
        {alertPlace === 'sticky' && bad}
        <div aria-live="polite">{state.success && <p className="note good">{state.success}</p>}</div>
      </div>
    </form>
  );
}

/** The result of an action without an alert area (4.42), announced without taking the focus or space. */
export function QuietStatus({ state }: { state: FormState }) {
  // Declining is not announced without an alert area (4.42).
  const error = state.error === actionCancelled ? null : state.error;
  return (
    <p role="status" className={error ? 'problem' : 'soft'}>
      {error ?? state.success}
    </p>
  );
}
