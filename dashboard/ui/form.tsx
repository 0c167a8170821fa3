import { limits } from '@porchlight/contract/limits.ts';
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { errorMessage, FormError, fieldMessages } from '../lib/error-text.ts';
import { reportHandledError } from '../lib/handled-errors.ts';
import { actionCancelled } from './confirm-queue.ts';

export interface FormState {
  loading: boolean;
  /** The sentence for the alert area; null when all is well. */
  error: string | null;
  /** What the server said beside each field, by the field's name. */
  fields: Record<string, string>;
  /** Shown for 10 s, after 300 ms (4.23). */
  success: string | null;
  /** Runs what the form is for; a failure becomes `error` and `fields`, and what was typed stays. */
  run(work: () => Promise<string | undefined>): Promise<void>;
  clear(): void;
}

export function useForm(shown: number = limits.success_shown): FormState {
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
    async run(work) {
      stop();
      setSuccess(null);
      setState({ loading: true, error: null, fields: {} });
      try {
        const message = await work();
        setState({ loading: false, error: null, fields: {} });
        if (!message) return;
        timers.current = [
          window.setTimeout(() => setSuccess(message), limits.success_delay),
          window.setTimeout(() => setSuccess(null), limits.success_delay + shown),
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
 * A form and its alert area, which takes the focus when something is wrong.
 * `top`: what went wrong stands above the fields, what went well below them.
 * `sticky`: both stay in view at the lower edge of the window, however long the page is.
 */
export function Form({
  state,
  onSubmit,
  children,
  label,
  alert: place = 'top',
}: {
  state: FormState;
  onSubmit: () => void;
  children: ReactNode;
  label?: string;
  alert?: 'top' | 'sticky';
}) {
  const alert = useRef<HTMLDivElement>(null);
  // Declining is no error (8.9): a calm status, and the focus stays.
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
      {place === 'top' && bad}
      {children}
      <div className={place === 'sticky' ? 'sticky' : undefined}>
        {place === 'sticky' && bad}
        <div aria-live="polite">{state.success && <p className="note good">{state.success}</p>}</div>
      </div>
    </form>
  );
}

/** For actions without an alert area (4.42): what became of them, in a line that is read out and takes neither the focus nor a place of its own. */
export function QuietStatus({ state }: { state: FormState }) {
  // Declining is not announced without an alert area (4.42).
  const error = state.error === actionCancelled ? null : state.error;
  return (
    <p role="status" className={error ? 'problem' : 'soft'}>
      {error ?? state.success}
    </p>
  );
}
