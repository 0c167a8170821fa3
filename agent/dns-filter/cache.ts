import type { Query } from './dns/query.ts';
import { MIN_TTL, type Reply } from './dns/reply.ts';

/** Answers of upstreams, for their TTL. */
export interface Cache {
  /** The answer with this query's id, question and remaining seconds, in memory that the next call reuses. */
  find(packet: Uint8Array, query: Query): Buffer | null;
  keep(query: Query, bytes: Buffer, reply: Reply): void;
  clear(): void;
  readonly size: number;
}

interface Kept {
  bytes: Buffer;
  ttls: number[];
  /** Milliseconds of the steady clock. */
  at: number;
  until: number;
}

/** Longer answers are not cached. */
const MAX_BYTES = 4096;
const scratch = Buffer.alloc(MAX_BYTES);

/** `now`: milliseconds of a clock that nobody sets. Above a limit the oldest answers are dropped. */
export function answerCache(now: () => number, most = { answers: 5000, bytes: 2 ** 21 }): Cache {
  const kept = new Map<string, Kept>();
  let bytesKept = 0;
  const drop = (key: string, { bytes }: Kept) => {
    kept.delete(key);
    bytesKept -= bytes.length;
  };
  return {
    find(packet, query) {
      if (!query.keepable || !query.plain) return null;
      const key = keyOf(query);
      const found = kept.get(key);
      if (!found) return null;
      const at = now();
      if (at >= found.until) {
        drop(key, found);
        return null;
      }
      const out = scratch.subarray(0, found.bytes.length);
      out.set(found.bytes);
      // The question with its letters as sent: some clients compare them.
      out.set(packet.subarray(12, query.end), 12);
      out[0] = packet[0] ?? 0;
      out[1] = packet[1] ?? 0;
      const passed = Math.floor((at - found.at) / 1000);
      if (passed > 0) for (const ttl of found.ttls) out.writeUInt32BE(Math.max(1, out.readUInt32BE(ttl) - passed), ttl);
      return out;
    },
    keep(query, bytes, { seconds, ttls }) {
      if (seconds === 0 || !query.keepable || !query.plain || bytes.length > MAX_BYTES) return;
      const key = keyOf(query);
      const before = kept.get(key);
      if (before) drop(key, before);
      // A copy, because a received packet lies in a larger buffer.
      const copy = Buffer.from(Uint8Array.from(bytes).buffer);
      for (const ttl of ttls) copy.writeUInt32BE(Math.min(seconds, Math.max(MIN_TTL, copy.readUInt32BE(ttl))), ttl);
      kept.set(key, { bytes: copy, ttls, at: now(), until: now() + seconds * 1000 });
      bytesKept += copy.length;
      for (const [oldest, entry] of kept) {
        if (kept.size <= most.answers && bytesKept <= most.bytes) break;
        drop(oldest, entry);
      }
    },
    clear() {
      kept.clear();
      bytesKept = 0;
    },
    get size() {
      return kept.size;
    },
  };
}

export function keyOf({ name, type, class: of, variant }: Query): string {
  return `${name} ${type} ${of} ${variant}`;
}
