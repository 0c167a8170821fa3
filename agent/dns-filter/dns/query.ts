import { flags, headerLength, plainUdpMax, rcodes, types, udpMax } from './codes.ts';

export interface Query {
  /** Lower case, without a dot at its end; the root is empty. */
  name: string;
  /** False when a label contains a dot or another byte that no host has: `name` is then incomplete. */
  plain: boolean;
  type: number;
  class: number;
  /** Where the question ends. */
  end: number;
  /** The flags of the query that change the answer: a cached answer counts for the same flags only. */
  variant: number;
  edns: boolean;
  /** False when the OPT record is for this answer only, as with a cookie. */
  keepable: boolean;
  udp_max: number;
}

/** Names are built here: at most 255 bytes on the wire are at most 254 of text. */
const scratch = Buffer.alloc(256);

/**
 * Reads a client's query, every byte within bounds. A number instead: the response code to send, or -1 for no answer at all (too short, or itself a
 * response: two servers would answer each other for ever).
 */
export function readQuery(packet: Uint8Array): Query | number {
  if (packet.length < headerLength || byte(packet, 2) & flags.response) return -1;
  if (byte(packet, 2) & flags.opcode) return rcodes.not_done;
  if (short(packet, 4) !== 1 || short(packet, 6) !== 0 || short(packet, 8) !== 0) return rcodes.format;
  let at = headerLength;
  let length = 0;
  let plain = true;
  for (;;) {
    if (at >= packet.length) return rcodes.format;
    const label = byte(packet, at++);
    if (label === 0) break;
    // A label is at most 63 bytes long; a pointer has nothing before it to point to.
    if (label > 63 || at + label > packet.length || length + label > 253) return rcodes.format;
    if (length > 0) scratch[length++] = 46;
    for (const end = at + label; at < end; at++) {
      let letter = byte(packet, at);
      if (letter >= 65 && letter <= 90) letter += 32;
      else if (!((letter >= 97 && letter <= 122) || (letter >= 48 && letter <= 57) || letter === 45 || letter === 95)) plain = false;
      scratch[length++] = letter;
    }
  }
  if (at + 4 > packet.length) return rcodes.format;
  const query: Query = {
    name: scratch.toString('latin1', 0, length),
    plain,
    type: short(packet, at),
    class: short(packet, at + 2),
    end: at + 4,
    variant: ((byte(packet, 2) & flags.recursion_desired) << 8) | (byte(packet, 3) & 0x30),
    edns: false,
    keepable: true,
    udp_max: plainUdpMax,
  };
  return short(packet, 10) === 0 ? query : withExtras(packet, query);
}

/** An OPT record (RFC 6891) at the root; any other record is passed on, and its answer is not cached. */
function withExtras(packet: Uint8Array, query: Query): Query | number {
  const at = query.end;
  if (at + 11 > packet.length) return rcodes.format;
  const length = short(packet, at + 9);
  if (at + 11 + length > packet.length) return rcodes.format;
  const opt = byte(packet, at) === 0 && short(packet, at + 1) === types.opt;
  if (!opt) return { ...query, keepable: false };
  query.edns = true;
  query.keepable = length === 0 && short(packet, 10) === 1 && at + 11 === packet.length;
  query.udp_max = Math.min(udpMax, Math.max(plainUdpMax, short(packet, at + 3)));
  // The version, and the bit that asks for signatures.
  query.variant |= 0x400 | (byte(packet, at + 6) << 16) | (byte(packet, at + 7) & 0x80 ? 0x800 : 0);
  return query;
}

export const byte = (packet: Uint8Array, at: number): number => packet[at] ?? 0;
export const short = (packet: Uint8Array, at: number): number => (byte(packet, at) << 8) | byte(packet, at + 1);
