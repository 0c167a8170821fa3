export interface AdapterServer {
  address: string;
  /** Servers with the lowest metric are used first. */
  metric: number;
}

const [up, loopback] = [1, 24];
const [ipv4, ipv6] = [2, 23];
/** Limits list entries, against cyclic lists. */
const MAX_COUNT = 1000;

/**
 * Parses the output of GetAdaptersAddresses on 64-bit Windows (IP_ADAPTER_ADDRESSES_LH): DNS servers of adapters that are up. Pointers lead
 * into `buffer`, which is at `address`.
 */
export function readAdapterTable(buffer: Buffer, address: bigint): AdapterServer[] {
  /** Null unless the pointer leads to `length` bytes in the buffer. */
  const resolvePointer = (at: number, length: number): number | null => {
    const targetOffset = Number(buffer.readBigUInt64LE(at) - address);
    return targetOffset >= 0 && targetOffset + length <= buffer.length ? targetOffset : null;
  };
  const followChain = (firstOffset: number | null, length: number): number[] => {
    const offsets: number[] = [];
    for (let at = firstOffset; at !== null && offsets.length < MAX_COUNT; at = resolvePointer(at + 8, length)) offsets.push(at);
    return offsets;
  };
  return followChain(buffer.length < 224 ? null : 0, 224).flatMap((adapterOffset) => {
    if (buffer.readUInt32LE(adapterOffset + 104) !== up || buffer.readUInt32LE(adapterOffset + 100) === loopback) return [];
    return followChain(resolvePointer(adapterOffset + 48, 32), 32).flatMap((serverOffset) => {
      const socketOffset = resolvePointer(serverOffset + 16, 16);
      const parsedAddress =
        socketOffset === null ? null : socketAddress(buffer.subarray(socketOffset, socketOffset + buffer.readInt32LE(serverOffset + 24)));
      return parsedAddress
        ? [
            {
              address: parsedAddress.address,
              metric: buffer.readUInt32LE(adapterOffset + (parsedAddress.addressType === ipv4 ? 216 : 220)),
            },
          ]
        : [];
    });
  });
}

/** Null unless the address is IPv4 or IPv6. */
function socketAddress(socket: Buffer): { addressType: number; address: string } | null {
  const addressType = socket.length >= 16 ? socket.readUInt16LE(0) : 0;
  if (addressType === ipv4) return { addressType, address: socket.subarray(4, 8).join('.') };
  if (addressType !== ipv6 || socket.length < 28) return null;
  const groups = Array.from({ length: 8 }, (_, n) => socket.readUInt16BE(8 + n * 2).toString(16)).join(':');
  const zone = socket.readUInt32LE(24);
  return { addressType, address: new URL(`http://[${groups}]`).hostname.slice(1, -1) + (zone ? `%${zone}` : '') };
}
