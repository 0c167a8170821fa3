import { framesOf } from '../lib/loggable-error.ts';
import { Unsent } from './unsent.ts';

/** For the log. Never an error's message: those of databases and mail servers contain addresses and names. */
export function reasonsOf(err: unknown): object {
  if (err instanceof Unsent) return { reason: err.message, about: err.about, ...err.facts };
  if (!(err instanceof Error)) return { error: typeof err };
  const { code } = err as { code?: unknown };
  const ownReason = ['PermanentJobError', 'RetryJobError'].includes(err.constructor.name) ? { reason: err.message } : {};
  return { error: err.constructor.name, ...(typeof code === 'string' ? { code } : {}), ...ownReason, at: framesOf(err)[0] };
}
