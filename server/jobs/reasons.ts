import { Unsent } from './unsent.ts';

/**
 * Why a job failed, for the log: what the carrier said in numbers, or which error it was and where in our code. Never what the error says itself: a
 * database and a mail server put addresses and names into their sentences.
 */
export function reasonsOf(err: unknown): object {
  if (err instanceof Unsent) return { reason: err.message, about: err.about, ...err.facts };
  if (!(err instanceof Error)) return { error: typeof err };
  const { code } = err as { code?: unknown };
  const at = err.stack?.match(/^\s+at .*/m)?.[0]?.trim();
  const ours = err.constructor.name === 'PermanentJobError' ? { reason: err.message } : {};
  return { error: err.constructor.name, ...(typeof code === 'string' ? { code } : {}), ...ours, at };
}
