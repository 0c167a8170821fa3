import { handleRefusedCalls } from './call.ts';
import { HttpError } from './http.ts';

/** The answer 409 `held` (P10.1): nothing has changed, and the same call passes after somebody's yes. */
export interface HeldRequestAnswer {
  /** The uuid to poll. */
  request: string;
  /** First names; empty where nobody can be asked. */
  asked: string[];
  /** Why the call waits, and until when, in sentences. */
  because: string;
  /** The server makes the call itself after a yes. */
  by_server: boolean;
}

/** Waits for the answer and repeats the call: resolves with the call's answer, or rejects with the reason why nothing changed. */
export type HeldRequestHandler = (error: HttpError, repeat: () => Promise<unknown>) => Promise<unknown>;

/** The screens of logged-in users set the handler; returns the function that removes it. */
export const handleHeldRequests = (handler: HeldRequestHandler): (() => void) =>
  handleRefusedCalls((error, repeat) => (heldRequestAnswer(error) ? handler(error as HttpError, repeat) : Promise.reject(error)));

/** Null for every other error. */
export function heldRequestAnswer(error: unknown): HeldRequestAnswer | null {
  if (!(error instanceof HttpError) || error.code !== 'held') return null;
  const { asked, by_server } = error.body as { asked?: unknown; by_server?: unknown };
  const request = error.part('request');
  if (!request) return null;
  const names = Array.isArray(asked) ? asked.filter((name) => typeof name === 'string') : [];
  return { request, asked: names, because: error.part('because') ?? '', by_server: by_server === true };
}
