import { limits } from '@porchlight/contract/limits.ts';
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { cancelledWords, Declined, errorMessage, FormError, fieldMessages } from '../lib/error-text.ts';
import { reportHandledError } from '../lib/handled-errors.ts';
import { HttpError } from '../lib/http.ts';

export interface FormState {
  loading: boolean;
  error: string | null;
  /** Nothing failed: the user declined (8.9), or the call waits for somebody's yes (P10.1). `error` is a calm status then. */
  calm: boolean;
  /** The server's errors by field name. */
  fields: Record<string, string>;
  /** The success message, shown for 10 s, after 300 ms (4.23). */
  success: string | null;
  /** A failure sets `error` and `fields`, and the input stays. */
  run(action: () => Promise<string | undefined>): Promise<void>;
  clear(): void;
}

const idle = { loading: false, error: null as string | null, calm: false, fields: {} as Record<string, string> };

export function useForm(successShownMs: number = limits.success_shown): FormState {
  const [state, setState] = useState(idle);
  const [success, setSuccess] = useState<string | null>(null);
  const timers = useRef<number[]>([]);
  const stop = () => {
    for (const timer of timers.current.splice(0)) clearTimeout(timer);
  };
  useEffect(() => () => stop(), []);

  return {
    ...state,
    success,
    clear: () => setState(idle),
    async run(action) {
      stop();
      setSuccess(null);
      setState({ ...idle, loading: true });
      try {
        const message = await action();
        setState(idle);
        if (!message) return;
        timers.current = [
          window.setTimeout(() => setSuccess(message), limits.success_delay),
          window.setTimeout(() => setSuccess(null), limits.success_delay + successShownMs),
        ];
      } catch (err) {
        const error = errorMessage(err);
        const calm = error === cancelledWords || err instanceof Declined || (err instanceof HttpError && err.code === 'held');
        setState({ loading: false, error, calm, fields: fieldMessages(err) });
        if (!(err instanceof FormError) && !calm) reportHandledError(err);
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
  const { error, calm } = state;
  // A calm status leaves the focus where it is.
  useEffect(() => {
    if (error && !calm) alert.current?.focus();
  }, [error, calm]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!state.loading) onSubmit();
  };
  const bad = error && (
    <div ref={alert} className={calm ? 'note' : 'note bad'} role={calm ? 'status' : 'alert'} tabIndex={-1}>
      {error}
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
  const error = state.error === cancelledWords ? null : state.error;
  return (
    <p role="status" className={error && !state.calm ? 'problem' : 'soft'}>
      {error ?? state.success}
    </p>
  );
}
