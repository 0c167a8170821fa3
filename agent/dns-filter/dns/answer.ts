import { flags, headerLength, rcodes, types } from './codes.ts';
import { byte, type Query } from './query.ts';

/** Seconds; short, so that a site opens soon after it is allowed. */
export const ownTtl = 5;

/** An empty OPT record with a UDP payload size of 1232, added for clients that sent an OPT record. */
const opt = Uint8Array.of(0, 0, types.opt, 0x04, 0xd0, 0, 0, 0, 0, 0, 0);

/** An answer without records, in a buffer that the next call reuses. `query`: null for a query that could not be read. */
export function emptyAnswer(packet: Uint8Array, query: Query | null, code: number): Buffer {
  return answer(packet, query, code, null);
}

export function blockedAnswer(packet: Uint8Array, query: Query, page: Uint8Array | null): Buffer {
  if (query.class !== 1) return answer(packet, query, rcodes.ok, null);
  if (query.type === types.a) return answer(packet, query, rcodes.ok, page ?? nowhere4);
  // The block page has an IPv4 address only.
  if (query.type === types.aaaa && !page) return answer(packet, query, rcodes.ok, nowhere6);
  return answer(packet, query, rcodes.ok, null);
}

const nowhere4 = new Uint8Array(4);
const nowhere6 = new Uint8Array(16);

export function truncatedAnswer(packet: Uint8Array, query: Query): Buffer {
  const short = answer(packet, query, rcodes.ok, null);
  short[2] = byte(short, 2) | flags.truncated;
  return short;
}

/** Large enough for our longest answer: header, name, type and class, one address, OPT. */
const scratch = Buffer.alloc(headerLength + 259 + 28 + opt.length);

function answer(packet: Uint8Array, query: Query | null, code: number, address: Uint8Array | null): Buffer {
  const end = query?.end ?? headerLength;
  const data = address ? 12 + address.length : 0;
  const bytes = scratch.subarray(0, end + data + (query?.edns ? opt.length : 0));
  bytes.set(packet.subarray(0, end));
  bytes[2] = flags.response | (byte(packet, 2) & (flags.opcode | flags.recursion_desired));
  bytes[3] = flags.recursion_available | (byte(packet, 3) & flags.checking) | code;
  bytes.fill(0, 4, headerLength);
  if (query) bytes[5] = 1;
  if (query && address) {
    bytes[7] = 1;
    bytes.set([0xc0, headerLength, 0, query.type, 0, 1, 0, 0, 0, ownTtl, 0, address.length], end);
    bytes.set(address, end + 12);
  }
  if (query?.edns) {
    bytes[11] = 1;
    bytes.set(opt, end + data);
  }
  return bytes;
}
