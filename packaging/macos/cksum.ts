const polynomial = 0x04c11db7;
const table = Uint32Array.from({ length: 256 }, (_none, byte) => {
  let crc = byte << 24;
  for (let bit = 0; bit < 8; bit++) crc = crc & 0x80000000 ? (crc << 1) ^ polynomial : crc << 1;
  return crc;
});

/** POSIX cksum(1): CRC-32, most significant bit first, over content and length. */
export function cksum(content: Buffer): number {
  let crc = 0;
  const add = (byte: number) => {
    crc = ((crc << 8) ^ (table[((crc >>> 24) ^ byte) & 0xff] ?? 0)) >>> 0;
  };
  for (const byte of content) add(byte);
  for (let length = content.length; length > 0; length = Math.floor(length / 256)) add(length % 256);
  return ~crc >>> 0;
}
