import { type IncomingMessage, request } from 'node:http';
import { request as requestSafely } from 'node:https';

/** No answer came, or no whole one. That may pass. */
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
  /** A 2xx. */
  ok: boolean;
  /** To be read to its end, or destroyed. */
  body: IncomingMessage;
}

/**
 * Asks a server over HTTP or HTTPS and answers when the answer begins. Nobody is followed to another address. Throws
 * `Unreachable`, or the reason of `signal`. It stands in for Node's own `fetch`, which brings a client of its own with a compiled parser: 12 MB in memory, for good.
 */
export function ask(url: string, { method = 'GET', headers = {}, body, signal }: HttpCall): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const send = new URL(url).protocol === 'https:' ? requestSafely : request;
    const call = send(url, { method, headers, signal });
    call.once('response', (answer) => {
      const { statusCode: status = 0 } = answer;
      if (status < 300 || status >= 400) return resolve({ status, ok: status >= 200 && status < 300, body: answer });
      answer.destroy();
      reject(new Unreachable(`the server answered ${status} and wants to be asked elsewhere`));
    });
    // Also after the answer has begun: whoever reads it hears of it there.
    call.on('error', (err) => reject(signal.aborted ? signal.reason : new Unreachable(err.message, { cause: err })));
    call.end(body);
  });
}

/** Reads a body to its end, but never more than `max` bytes: what says that it is longer, or turns out to be, is not read. Null then. Throws `Unreachable`. */
export async function readUpTo({ body }: HttpAnswer, max: number): Promise<Uint8Array | null> {
  const deps: Buffer[] = [];
  let length = Number(body.headers['content-length'] ?? 0);
  if (length <= max) {
    length = 0;
    try {
      for await (const part of body as AsyncIterable<Buffer>) {
        length += part.length;
        if (length > max) break;
        deps.push(part);
      }
    } catch (err) {
      throw new Unreachable(String(err), { cause: err });
    }
  }
  if (length <= max) return Buffer.concat(deps);
  body.destroy();
  return null;
}
