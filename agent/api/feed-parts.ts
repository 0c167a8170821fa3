import { checkPart } from '@porchlight/definitions/feed.ts';
import type { FeedPart } from '@porchlight/definitions/feed-format.ts';
import { refuseFeed } from '@porchlight/definitions/feed-refused.ts';
import { ask, readUpTo } from '../lib/http.ts';

const TIMEOUT_MS = 5 * 60_000;

/** Fetches one part of a definition set and checks it. Throws `FeedRefused`, or a network error. */
export type FetchPart = (part: FeedPart, signal: AbortSignal) => Promise<Uint8Array>;

/** Parts are public under their SHA-256, so no token is sent. At most the signed size is read. */
export function partFetcher(server: string): FetchPart {
  return async (part, signal) => {
    const answer = await ask(`${server}/api/definitions/parts/${part.sha256}`, {
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    if (!answer.ok) {
      answer.body.destroy();
      throw new Error(`the server answered ${answer.status} for a part of the definitions`);
    }
    const bytes = await readUpTo(answer, part.length);
    return bytes ? checkPart(bytes, part) : refuseFeed('part_length');
  };
}
