import { HttpError } from '../lib/http.ts';

/**
 * 8.21: whether an error is a bug of ours. Not a bug: a refusal (4xx), a call that was aborted or had no answer, and an error without a
 * file of our own host. `files`: the addresses in its stack.
 */
export function isWorthReporting(error: unknown, files: string[], origin: string): boolean {
  if (error instanceof HttpError && (error.status === null || (error.status >= 400 && error.status < 500))) return false;
  if (typeof error === 'object' && error !== null && 'name' in error && error.name === 'AbortError') return false;
  return files.some((file) => file.startsWith(`${origin}/`));
}
