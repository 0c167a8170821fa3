import { flags, headerLength, plainUdpMax, rcodes, types, udpMax } from './codes.ts';

export interface Query {
  name: string;
  /** False when a label contains a byte that no host name has: `name` is then ambiguous. */
  plain: boolean;
  type: number;
  class: number;
  end: number;
  /** The flags of the query that change the answer, as part of the cache key. */
  variant: number;
  edns: boolean;
  /** Whether the answer may be cached; false for an OPT record with options, such as a cookie. */
  cacheable: boolean;
  udp_max: number;
}

const scratch = Buffer.alloc(256);

/**
 * Reads a query with bounds checks. Returns a number when it cannot be answered: the response code to send, or -1 for none (too short, or a
 * response, which could loop).
 */
export function readQuery(packet: Uint8Array): Query | number {
  if (packet.length < headerLength || byte(packet, 2) & flags.response) return -1;
  if (byte(packet, 2) & flags.opcode) return rcodes.not_implemented;
  if (uint16(packet, 4) !== 1 || uint16(packet, 6) !== 0 || uint16(packet, 8) !== 0) return rcodes.format;
  let offset = headerLength;
  let length = 0;
  let plain = true;
  for (;;) {
    if (offset >= packet.length) return rcodes.format;
    const label = byte(packet, offset++);
    if (label === 0) break;
    // Larger length bytes are compression pointers, invalid in a query's first name.
    if (label > 63 || offset + label > packet.length || length + label > 253) return rcodes.format;
    if (length > 0) scratch[length++] = 46;
    for (const end = offset + label; offset < end; offset++) {
      let char = byte(packet, offset);
      if (char >= 65 && char <= 90) char += 32;
      else if (!((char >= 97 && char <= 122) || (char >= 48 && char <= 57) || char === 45 || char === 95)) plain = false;
      scratch[length++] = char;
    }
  }
  if (offset + 4 > packet.length) return rcodes.format;
  const query: Query = {
    name: scratch.toString('latin1', 0, length),
    plain,
    type: uint16(packet, offset),
    class: uint16(packet, offset + 2),
    end: offset + 4,
    variant: ((byte(packet, 2) & flags.recursion_desired) << 8) | (byte(packet, 3) & 0x30),
    edns: false,
    cacheable: true,
    udp_max: plainUdpMax,
  };
  return uint16(packet, 10) === 0 ? query : withExtras(packet, query);
}

/** Reads an OPT record (RFC 6891). Queries with any other record are forwarded uncached. */
function withExtras(packet: Uint8Array, query: Query): Query | number {
  const offset = query.end;
  if (offset + 11 > packet.length) return rcodes.format;
  const length = uint16(packet, offset + 9);
  if (offset + 11 + length > packet.length) return rcodes.format;
  const opt = byte(packet, offset) === 0 && uint16(packet, offset + 1) === types.opt;
  if (!opt) return { ...query, cacheable: false };
  query.edns = true;
  query.cacheable = length === 0 && uint16(packet, 10) === 1 && offset + 11 === packet.length;
  query.udp_max = Math.min(udpMax, Math.max(plainUdpMax, uint16(packet, offset + 3)));
  // Adds the EDNS version and the DO bit (DNSSEC).
  query.variant |= 0x400 | (byte(packet, offset + 6) << 16) | (byte(packet, offset + 7) & 0x80 ? 0x800 : 0);
  return query;
}

export const byte = (packet: Uint8Array, at: number): number => packet[at] ?? 0;
export const uint16 = (packet: Uint8Array, at: number): number => (byte(packet, at) << 8) | byte(packet, at + 1);
