import { HttpError } from '../lib/http.ts';

/**
 * 8.21: an error of ours that is nobody's answer. A refusal by the server (4xx) is not, nor is a call that was given up or never got an
 * answer, nor an error in which no file of our own host took part. `files`: the addresses of the files in its stack.
 */
export function isWorthReporting(error: unknown, files: string[], origin: string): boolean {
  if (error instanceof HttpError && (error.status === null || (error.status >= 400 && error.status < 500))) return false;
  if (typeof error === 'object' && error !== null && 'name' in error && error.name === 'AbortError') return false;
  return files.some((file) => file.startsWith(`${origin}/`));
}
