import { flags, headerLength, rcodes, types } from './codes.ts';
import { byte, type Query, uint16 } from './query.ts';

export interface Reply {
  code: number;
  truncated: boolean;
  ttls: number[];
  seconds: number;
  /** The names that the answer leads to (CNAME, DNAME, the target of SVCB and HTTPS), as in `Query.name`. */
  aliases: string[];
}

/** The names of an answer that are read; resolvers follow fewer. */
const maxAliases = 16;

/** Seconds that an answer is cached at most, because addresses may change. */
const MAX_TTL = 3600;
/** Seconds that a missing name is cached at most, whatever the SOA record allows. */
const mostNegative = 300;
/** Seconds that an answer is cached at least; a TTL of 1 s would expire while a page loads. A TTL of 0 is never cached. */
export const MIN_TTL = 5;

/**
 * Reads an answer with bounds checks. Null when its id or question differs from the query's (ignoring case), and for a query or a malformed
 * packet.
 */
export function readReply(reply: Uint8Array, request: Uint8Array, query: Query): Reply | null {
  if (reply.length < query.end || byte(reply, 0) !== byte(request, 0) || byte(reply, 1) !== byte(request, 1)) return null;
  if (!(byte(reply, 2) & flags.response) || byte(reply, 2) & flags.opcode || uint16(reply, 4) !== 1) return null;
  for (let offset = headerLength; offset < query.end; offset++)
    if (lower(byte(reply, offset)) !== lower(byte(request, offset))) return null;
  const code = byte(reply, 3) & 15;
  const truncated = (byte(reply, 2) & flags.truncated) !== 0;
  const answers = uint16(reply, 6);
  const records = answers + uint16(reply, 8) + uint16(reply, 10);
  const ttls: number[] = [];
  const aliases: string[] = [];
  const incomplete = truncated ? { code, truncated, ttls: [], seconds: 0, aliases } : null;
  let [shortestTtl, negativeTtl, hasAnswer] = [MAX_TTL, 0, false];
  let offset = query.end;
  for (let index = 0; index < records; index++) {
    const recordStart = skipName(reply, offset);
    if (recordStart === null || recordStart + 10 > reply.length) return incomplete;
    const type = uint16(reply, recordStart);
    const recordEnd = recordStart + 10 + uint16(reply, recordStart + 8);
    if (recordEnd > reply.length) return incomplete;
    if (type !== types.opt) {
      const ttl = readTtl(reply, recordStart + 4);
      ttls.push(recordStart + 4);
      shortestTtl = Math.min(shortestTtl, ttl);
      // The last field of a SOA record is the TTL of missing names (RFC 2308).
      if (type === types.soa && index >= answers && recordEnd - recordStart >= 30)
        negativeTtl = Math.min(ttl, readTtl(reply, recordEnd - 4), mostNegative);
      if (index < answers && (type === query.type || query.type === 255)) hasAnswer = true;
      const offsetOfAlias = aliasOffsets[type];
      if (offsetOfAlias !== undefined && index < answers && aliases.length < maxAliases) {
        const alias = readName(reply, recordStart + 10 + offsetOfAlias);
        if (alias) aliases.push(alias);
      }
    }
    offset = recordEnd;
  }
  const cacheable = !truncated && (code === rcodes.ok || code === rcodes.no_such_name);
  const effectiveTtl = code === rcodes.ok && hasAnswer ? shortestTtl : negativeTtl;
  return { code, truncated, ttls, seconds: cacheable && effectiveTtl > 0 ? Math.max(MIN_TTL, effectiveTtl) : 0, aliases };
}

/** Where the name is in the data of a record; SVCB and HTTPS have a priority first (RFC 9460). */
const aliasOffsets: Partial<Record<number, number>> = { [types.cname]: 0, [types.dname]: 0, [types.svcb]: 2, [types.https]: 2 };

/** The name that begins at `from`, in lower case; null when malformed. */
function readName(packet: Uint8Array, from: number): string | null {
  let name = '';
  // Compression pointers lead back only, so that a name ends.
  for (let [offset, limit] = [from, from]; offset < packet.length; ) {
    const label = byte(packet, offset);
    if (label === 0) return name;
    if (label >= 0xc0) {
      const target = uint16(packet, offset) & 0x3fff;
      if (target >= limit) return null;
      [offset, limit] = [target, target];
      continue;
    }
    if (label > 63 || offset + 1 + label > packet.length || name.length + label > 253) return null;
    const text = Buffer.from(packet.buffer, packet.byteOffset + offset + 1, label)
      .toString('latin1')
      .toLowerCase();
    name = name === '' ? text : `${name}.${text}`;
    offset += label + 1;
  }
  return null;
}

/** The position after the name that begins at `from`; null when malformed. A compression pointer ends a name and is not followed. */
function skipName(packet: Uint8Array, from: number): number | null {
  for (let offset = from; offset < packet.length; ) {
    const label = byte(packet, offset);
    if (label === 0) return offset + 1;
    if (label >= 0xc0) return offset + 2 <= packet.length ? offset + 2 : null;
    if (label > 63 || offset - from > 255) return null;
    offset += label + 1;
  }
  return null;
}

/** A TTL with the highest bit counts as 0 (RFC 2181). */
function readTtl(packet: Uint8Array, offset: number): number {
  const seconds = uint16(packet, offset) * 65536 + uint16(packet, offset + 2);
  return seconds > 0x7fffffff ? 0 : seconds;
}

const lower = (char: number) => (char >= 65 && char <= 90 ? char + 32 : char);
