import type { Dict, Plist } from './plist.ts';

/**
 * A binary property list (CFBinaryPList.c): `bplist00`, objects, a table of where each stands, and at the end 32 bytes that say how wide
 * the numbers are. Throws when it is broken.
 */
export function binaryPlist(bytes: Buffer): Plist {
  const trailer = bytes.length - 32;
  const [offsetWidth, referenceWidth] = [bytes.readUInt8(trailer + 6), bytes.readUInt8(trailer + 7)];
  const [count, top, table] = [8, 16, 24].map((at) => Number(bytes.readBigUInt64BE(trailer + at))) as [number, number, number];
  const number = (at: number, width: number) => (width <= 6 ? bytes.readUIntBE(at, width) : Number(bytes.readBigUInt64BE(at)));
  let read = 0;

  const object = (index: number, depth: number): Plist => {
    // A list that contains itself would never end.
    if (index >= count || depth > 50 || ++read > 100_000) throw new Error('no property list');
    const at = number(table + index * offsetWidth, offsetWidth);
    const marker = bytes.readUInt8(at);
    const [kind, low] = [marker >> 4, marker & 15];
    if (kind === 0) return low === 9;
    if (kind === 1) return number(at + 1, 1 << low);
    if (kind === 2) return low === 2 ? bytes.readFloatBE(at + 1) : bytes.readDoubleBE(at + 1);
    if (kind === 3) return bytes.readDoubleBE(at + 1);
    const long = low === 15;
    const width = long ? 1 << (bytes.readUInt8(at + 1) & 15) : 0;
    const length = long ? number(at + 2, width) : low;
    const from = at + 1 + (long ? 1 + width : 0);
    const reference = (n: number) => number(from + n * referenceWidth, referenceWidth);
    if (length > bytes.length) throw new Error('no property list');
    switch (kind) {
      case 4:
        return bytes.toString('base64', from, from + length);
      case 5:
        return bytes.toString('latin1', from, from + length);
      case 6:
        return Buffer.from(bytes.subarray(from, from + length * 2))
          .swap16()
          .toString('utf16le');
      case 10:
        return Array.from({ length }, (_, n) => object(reference(n), depth + 1));
      case 13: {
        const dict: Dict = {};
        for (let n = 0; n < length; n++) dict[String(object(reference(n), depth + 1))] = object(reference(n + length), depth + 1);
        return dict;
      }
      default:
        return '';
    }
  };
  return object(top, 0);
}
