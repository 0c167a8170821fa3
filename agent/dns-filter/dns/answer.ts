import { flags, headerLength, rcodes, types } from './codes.ts';
import { byte, type Query } from './query.ts';

/**
 * Seconds that our own answers are kept by those who asked: a site that is allowed opens soon after, and a page that tries again and
 * again asks not every time.
 */
export const ownTtl = 5;

/** An empty OPT record: who sends one gets one. 1232 bytes are taken. */
const opt = Uint8Array.of(0, 0, types.opt, 0x04, 0xd0, 0, 0, 0, 0, 0, 0);

/** The answer without any record, in memory that the next one uses again, by its code. `query` is what was read of the packet, null when nothing could be. */
export function emptyAnswer(packet: Uint8Array, query: Query | null, code: number): Buffer {
  return answer(packet, query, code, null);
}

/** What a blocked name is answered: an address for who asks for one, and that there is nothing for everyone else. */
export function blockedAnswer(packet: Uint8Array, query: Query, page: Uint8Array | null): Buffer {
  if (query.class !== 1) return answer(packet, query, rcodes.ok, null);
  if (query.type === types.a) return answer(packet, query, rcodes.ok, page ?? nowhere4);
  // With a page of our own at an IPv4 address the browser must not be sent anywhere else.
  if (query.type === types.aaaa && !page) return answer(packet, query, rcodes.ok, nowhere6);
  return answer(packet, query, rcodes.ok, null);
}

const nowhere4 = new Uint8Array(4);
const nowhere6 = new Uint8Array(16);

/** So much of an answer that a client knows to ask again over TCP. */
export function truncatedAnswer(packet: Uint8Array, query: Query): Buffer {
  const short = answer(packet, query, rcodes.ok, null);
  short[2] = byte(short, 2) | flags.truncated;
  return short;
}

/** Header, name, type and class, one address, OPT: no answer of ours is longer. Each is used up before the next one is made. */
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
    // A pointer to the name of the question, type, class, seconds, length.
    out.set([0xc0, headerLength, 0, query.type, 0, 1, 0, 0, 0, ownTtl, 0, address.length], end);
    out.set(address, end + 12);
  }
  if (query?.edns) {
    out[11] = 1;
    out.set(opt, end + data);
  }
  return out;
}
