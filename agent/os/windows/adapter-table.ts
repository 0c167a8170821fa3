/** A server for names that an adapter has. */
export interface AdapterServer {
  address: string;
  /** Of the adapter, for this kind of address: the lowest is used first. */
  metric: number;
}

const [up, loopback] = [1, 24];
const [ipv4, ipv6] = [2, 23];
/** More than any computer has, of either: what goes round in a circle ends. */
const MAX_COUNT = 1000;

/**
 * Reads what GetAdaptersAddresses wrote, on 64 bits: of the adapters that are up, loopback left out, their servers for names in the order in which
 * they stand. All that is pointed to stands in the same buffer, which lies at `address`. Source: IP_ADAPTER_ADDRESSES_LH.
 */
export function readAdapterTable(buffer: Buffer, address: bigint): AdapterServer[] {
  /** Where it points to, in the buffer; null when nowhere, or when `length` bytes are not there. */
  const pointed = (at: number, length: number): number | null => {
    const to = Number(buffer.readBigUInt64LE(at) - address);
    return to >= 0 && to + length <= buffer.length ? to : null;
  };
  const chain = (first: number | null, length: number): number[] => {
    const all: number[] = [];
    for (let at = first; at !== null && all.length < MAX_COUNT; at = pointed(at + 8, length)) all.push(at);
    return all;
  };
  return chain(buffer.length < 224 ? null : 0, 224).flatMap((adapter) => {
    if (buffer.readUInt32LE(adapter + 104) !== up || buffer.readUInt32LE(adapter + 100) === loopback) return [];
    return chain(pointed(adapter + 48, 32), 32).flatMap((server) => {
      const socket = pointed(server + 16, 16);
      const read = socket === null ? null : socketAddress(buffer.subarray(socket, socket + buffer.readInt32LE(server + 24)));
      return read ? [{ address: read.address, metric: buffer.readUInt32LE(adapter + (read.family === ipv4 ? 216 : 220)) }] : [];
    });
  });
}

/** Of a `sockaddr`; null for other kinds of addresses than IPv4 and IPv6. */
function socketAddress(socket: Buffer): { family: number; address: string } | null {
  const family = socket.length >= 16 ? socket.readUInt16LE(0) : 0;
  if (family === ipv4) return { family, address: socket.subarray(4, 8).join('.') };
  if (family !== ipv6 || socket.length < 28) return null;
  const groups = Array.from({ length: 8 }, (_, n) => socket.readUInt16BE(8 + n * 2).toString(16)).join(':');
  const zone = socket.readUInt32LE(24);
  // In its short form, as everyone else writes it.
  return { family, address: new URL(`http://[${groups}]`).hostname.slice(1, -1) + (zone ? `%${zone}` : '') };
}
