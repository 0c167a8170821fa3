import { flags, headerLength, rcodes, types } from './codes.ts';
import { byte, type Query } from './query.ts';

/** The TTL of our own answers, in seconds: an allowed site opens soon after, and a page that retries does not ask each time. */
export const ownTtl = 5;

/** An empty OPT record, sent to clients that sent one; 1232 bytes are accepted. */
const opt = Uint8Array.of(0, 0, types.opt, 0x04, 0xd0, 0, 0, 0, 0, 0, 0);

/** An answer without records, in memory that the next call reuses. `query` is what could be read of the packet, or null. */
export function emptyAnswer(packet: Uint8Array, query: Query | null, code: number): Buffer {
  return answer(packet, query, code, null);
}

/** The answer for a blocked name: an address for address queries, and no data for others. */
export function blockedAnswer(packet: Uint8Array, query: Query, page: Uint8Array | null): Buffer {
  if (query.class !== 1) return answer(packet, query, rcodes.ok, null);
  if (query.type === types.a) return answer(packet, query, rcodes.ok, page ?? nowhere4);
  // With a block page at an IPv4 address the browser must get no IPv6 address.
  if (query.type === types.aaaa && !page) return answer(packet, query, rcodes.ok, nowhere6);
  return answer(packet, query, rcodes.ok, null);
}

const nowhere4 = new Uint8Array(4);
const nowhere6 = new Uint8Array(16);

/** A truncated answer, after which the client asks again over TCP. */
export function truncatedAnswer(packet: Uint8Array, query: Query): Buffer {
  const short = answer(packet, query, rcodes.ok, null);
  short[2] = byte(short, 2) | flags.truncated;
  return short;
}

/** Header, name, type and class, one address, OPT: the longest answer of ours. Each is used up before the next one is made. */
const scratch = Buffer.alloc(headerLength + 259 + 28 + opt.length);

function answer(packet: Uint8Array, query: Query | null, code: number, address: Uint8Array | null): Buffer {
  const end = query?.end ?? headerLength;
  const data = address ? 12 + address.length : 0;
  const out = scratch.subarray(0, end + data + (query?.edns ? opt.length : 0));
  out.set(packet.subarray(0, end));
  out[2] = flags.response | (byte(packet, 2) & (flags.opcode | flags.recursion_desired));
  out[3] = flags.recursion_available | (byte(packet, 3) & flags.checking) | code;
  out.fill(0, 4, headerLength);
  if (query) out[5] = 1;
  if (query && address) {
    out[7] = 1;
    // A pointer to the question's name, type, class, seconds, length.
    out.set([0xc0, headerLength, 0, query.type, 0, 1, 0, 0, 0, ownTtl, 0, address.length], end);
    out.set(address, end + 12);
  }
  if (query?.edns) {
    out[11] = 1;
    out.set(opt, end + data);
  }
  return out;
}
