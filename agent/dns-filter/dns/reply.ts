import { flags, headerLength, rcodes, types } from './codes.ts';
import { byte, type Query, short } from './query.ts';

/** What is needed of an upstream's answer. */
export interface Reply {
  code: number;
  truncated: boolean;
  /** The offsets of each record's TTL, which counts down in the cache. */
  ttls: number[];
  /** Seconds in the cache; 0: not cached. */
  seconds: number;
}

/** Longer TTLs are cut to an hour: a list or a page may have moved. */
const MAX_TTL = 3600;
/** The TTL of a missing name without a SOA. */
const mostNegative = 300;
/** Pages load hundreds of things: a TTL of 1 s would expire in the middle. A TTL of 0 is never cached. */
export const MIN_TTL = 5;

/**
 * Reads an answer to this very question, every byte within bounds. Null for another id, another question (letter case aside), no response at all, or
 * a broken one.
 */
export function readReply(reply: Uint8Array, asked: Uint8Array, query: Query): Reply | null {
  if (reply.length < query.end || byte(reply, 0) !== byte(asked, 0) || byte(reply, 1) !== byte(asked, 1)) return null;
  if (!(byte(reply, 2) & flags.response) || byte(reply, 2) & flags.opcode || short(reply, 4) !== 1) return null;
  for (let at = headerLength; at < query.end; at++) if (lower(byte(reply, at)) !== lower(byte(asked, at))) return null;
  const code = byte(reply, 3) & 15;
  const truncated = (byte(reply, 2) & flags.truncated) !== 0;
  const answers = short(reply, 6);
  const records = answers + short(reply, 8) + short(reply, 10);
  const ttls: number[] = [];
  let [shortest, negative, found] = [MAX_TTL, 0, false];
  let at = query.end;
  for (let index = 0; index < records; index++) {
    const head = skipName(reply, at);
    if (head === null || head + 10 > reply.length) return truncated ? { code, truncated, ttls: [], seconds: 0 } : null;
    const type = short(reply, head);
    const ends = head + 10 + short(reply, head + 8);
    if (ends > reply.length) return truncated ? { code, truncated, ttls: [], seconds: 0 } : null;
    if (type !== types.opt) {
      const ttl = long(reply, head + 4);
      ttls.push(head + 4);
      shortest = Math.min(shortest, ttl);
      // The last number of a SOA is the TTL of a missing name (RFC 2308).
      if (type === types.soa && index >= answers && ends - head >= 30) negative = Math.min(ttl, long(reply, ends - 4), mostNegative);
      if (index < answers && (type === query.type || query.type === 255)) found = true;
    }
    at = ends;
  }
  const keepable = !truncated && (code === rcodes.ok || code === rcodes.no_such_name);
  const says = code === rcodes.ok && found ? shortest : negative;
  return { code, truncated, ttls, seconds: keepable && says > 0 ? Math.max(MIN_TTL, says) : 0 };
}

/** Where the name that begins here ends, or null. A pointer ends it, and is not followed. */
function skipName(packet: Uint8Array, from: number): number | null {
  for (let at = from; at < packet.length; ) {
    const label = byte(packet, at);
    if (label === 0) return at + 1;
    if (label >= 0xc0) return at + 2 <= packet.length ? at + 2 : null;
    if (label > 63 || at - from > 255) return null;
    at += label + 1;
  }
  return null;
}

/** Seconds; with the highest bit they count as none (RFC 2181). */
function long(packet: Uint8Array, at: number): number {
  const seconds = short(packet, at) * 65536 + short(packet, at + 2);
  return seconds > 0x7fffffff ? 0 : seconds;
}

const lower = (letter: number) => (letter >= 65 && letter <= 90 ? letter + 32 : letter);
