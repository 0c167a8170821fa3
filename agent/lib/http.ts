import { type LookupAddress, lookup } from 'node:dns';
import { type IncomingMessage, request } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { LookupFunction } from 'node:net';

/** The server sent no answer, or an incomplete one. A retry may succeed. */
export class Unreachable extends Error {
  override name = 'Unreachable';
}

export interface HttpCall {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
  signal: AbortSignal;
}

export interface HttpAnswer {
  status: number;
  ok: boolean;
  /** The body must be read to its end or destroyed. */
  body: IncomingMessage;
}

export interface KnownAddresses {
  /** Looks up a name. While DNS does not answer, the last good addresses of that name count. */
  lookup: LookupFunction;
  /** The addresses of the last good lookup; empty without one. */
  last(host: string): string[];
  /** Until `unpin` the name has these addresses, without any lookup, which would wait for DNS until its timeout. */
  pin(host: string, addresses: LookupAddress[]): void;
  unpin(host: string): void;
}

export function knownAddresses(resolve: typeof lookup = lookup): KnownAddresses {
  const lastGood = new Map<string, LookupAddress[]>();
  const pinned = new Map<string, LookupAddress[]>();
  return {
    lookup(host, options, callback) {
      const answer = (addresses: LookupAddress[]) => {
        const [first = { address: '', family: 0 }] = addresses;
        if (options.all) callback(null, addresses);
        else callback(null, first.address, first.family);
      };
      const pins = pinned.get(host);
      if (pins?.length) return process.nextTick(answer, pins);
      resolve(host, { ...options, all: true }, (err, addresses) => {
        if (!err && addresses.length) lastGood.set(host, addresses);
        const usable = err ? lastGood.get(host) : addresses;
        if (usable) answer(usable);
        else callback(err, '', 0);
      });
    },
    last: (host) => (lastGood.get(host) ?? []).map(({ address }) => address),
    pin: (host, addresses) => void pinned.set(host, addresses),
    unpin: (host) => void pinned.delete(host),
  };
}

/** Of all requests of this process, which share Node's connections too. */
export const serverAddresses = knownAddresses();

/**
 * Sends a request and resolves at the beginning of the answer. Redirects are not followed. Throws `Unreachable`, or the reason of `signal`.
 * Used instead of Node's `fetch`, which needs 12 MB more memory.
 */
export function ask(url: string, { method = 'GET', headers = {}, body, signal }: HttpCall): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const send = new URL(url).protocol === 'https:' ? httpsRequest : request;
    const call = send(url, { method, headers, signal, lookup: serverAddresses.lookup });
    call.once('response', (answer) => {
      const { statusCode: status = 0 } = answer;
      if (status < 300 || status >= 400) return resolve({ status, ok: status >= 200 && status < 300, body: answer });
      answer.destroy();
      reject(new Unreachable(`the server answered ${status} and wants to be asked elsewhere`));
    });
    call.on('error', (err) => reject(signal.aborted ? signal.reason : new Unreachable(err.message, { cause: err })));
    call.end(body);
  });
}

/** Null when the body is longer than `max` bytes; the rest is not read. `received`: called for each piece. Throws `Unreachable`. */
export async function readUpTo({ body }: HttpAnswer, max: number, received?: () => void): Promise<Uint8Array | null> {
  const chunks: Buffer[] = [];
  let length = Number(body.headers['content-length'] ?? 0);
  if (length <= max) {
    length = 0;
    try {
      for await (const chunk of body as AsyncIterable<Buffer>) {
        length += chunk.length;
        received?.();
        if (length > max) break;
        chunks.push(chunk);
      }
    } catch (err) {
      throw new Unreachable(String(err), { cause: err });
    }
  }
  if (length <= max) return Buffer.concat(chunks);
  body.destroy();
  return null;
}
