import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** A key of the runtime, not a state: what it leads to belongs to one call or one job. */
const current = new AsyncLocalStorage<string | null>();

/** The id of the call that is being handled, or of the call that queued the job that runs; null for the server's own work. */
export const requestId = (): string | null => current.getStore() ?? null;

/** All that `work` starts has this id, and no id where it is null, even inside the work of another call. */
export const withRequest = <T>(id: string | null, work: () => T): T => current.run(id, work);

/** A UUID, or 32 hexadecimal digits, which proxies make. A proxy that passes on what the caller sent would let the caller write into the log. */
const wellFormed = /^[0-9a-f]{32}$|^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The id of a call: the proxy's where there is one, because anyone else could choose the ids that an operator searches for. */
export function idOfCall(headers: IncomingHttpHeaders, trust_proxy: number): string {
  const given = headers['x-request-id'];
  return trust_proxy > 0 && typeof given === 'string' && wellFormed.test(given) ? given : randomUUID();
}
