import type { Query } from './dns/query.ts';
import { MIN_TTL, type Reply } from './dns/reply.ts';

export interface Cache {
  /** The cached answer with this query's id and question and the remaining TTLs, in a buffer that the next call reuses. */
  find(packet: Uint8Array, query: Query): { bytes: Buffer; aliases: string[] } | null;
  add(query: Query, bytes: Buffer, reply: Reply): void;
  clear(): void;
  readonly size: number;
}

interface CachedAnswer {
  bytes: Buffer;
  aliases: string[];
  ttls: number[];
  at: number;
  until: number;
}

const MAX_BYTES = 4096;
const scratch = Buffer.alloc(MAX_BYTES);

/** `now`: monotonic milliseconds. Beyond the limits in `most` the oldest answers are dropped. */
export function answerCache(now: () => number, most = { answers: 5000, bytes: 2 ** 21 }): Cache {
  const entries = new Map<string, CachedAnswer>();
  let totalBytes = 0;
  const drop = (key: string, { bytes }: CachedAnswer) => {
    entries.delete(key);
    totalBytes -= bytes.length;
  };
  return {
    find(packet, query) {
      if (!query.cacheable || !query.plain) return null;
      const key = keyOf(query);
      const cachedAnswer = entries.get(key);
      if (!cachedAnswer) return null;
      const currentTime = now();
      if (currentTime >= cachedAnswer.until) {
        drop(key, cachedAnswer);
        return null;
      }
      const answer = scratch.subarray(0, cachedAnswer.bytes.length);
      answer.set(cachedAnswer.bytes);
      // Copies the question of this query with its upper and lower case, because some clients compare it.
      answer.set(packet.subarray(12, query.end), 12);
      answer[0] = packet[0] ?? 0;
      answer[1] = packet[1] ?? 0;
      const elapsedSeconds = Math.floor((currentTime - cachedAnswer.at) / 1000);
      if (elapsedSeconds > 0)
        for (const ttl of cachedAnswer.ttls) answer.writeUInt32BE(Math.max(1, answer.readUInt32BE(ttl) - elapsedSeconds), ttl);
      return { bytes: answer, aliases: cachedAnswer.aliases };
    },
    add(query, bytes, { seconds, ttls, aliases }) {
      if (seconds === 0 || !query.cacheable || !query.plain || bytes.length > MAX_BYTES) return;
      const key = keyOf(query);
      const formerEntry = entries.get(key);
      if (formerEntry) drop(key, formerEntry);
      // Copied, because a received packet is a slice of a larger buffer.
      const ownBytes = Buffer.from(Uint8Array.from(bytes).buffer);
      for (const ttl of ttls) ownBytes.writeUInt32BE(Math.min(seconds, Math.max(MIN_TTL, ownBytes.readUInt32BE(ttl))), ttl);
      entries.set(key, { bytes: ownBytes, aliases, ttls, at: now(), until: now() + seconds * 1000 });
      totalBytes += ownBytes.length;
      for (const [oldest, entry] of entries) {
        if (entries.size <= most.answers && totalBytes <= most.bytes) break;
        drop(oldest, entry);
      }
    },
    clear() {
      entries.clear();
      totalBytes = 0;
    },
    get size() {
      return entries.size;
    },
  };
}

export function keyOf({ name, type, class: queryClass, variant }: Query): string {
  return `${name} ${type} ${queryClass} ${variant}`;
}
