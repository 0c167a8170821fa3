import { hashOf, type Lanes } from './hash.ts';

/** Bytes of a compact list or a change that cannot be used. The message says why, in words for whoever runs the server. */
export class SiteListError extends Error {
  override name = 'SiteListError';
}

/** Sorted 64-bit hashes, each in two halves. */
export interface Hashes {
  high: Uint32Array;
  low: Uint32Array;
}

/** All numbers are little-endian. 0 magic, 4 format, 8 names, 12 nothing yet, 16 checksum in two halves, then all high halves, then all low ones. */
export const listLayout = { magic: 0x4c534c50, format: 1, header: 24 } as const;

/** 32 bits at a time; one changed word always gives another sum, and anything else does with odds of 1 in 2^64. */
export function checksum(view: DataView, from: number): Lanes {
  const words = Math.floor((view.byteLength - from) / 4);
  const rest = view.byteLength - from - words * 4;
  return hashOf(words + rest + 1, (index) => {
    if (index < words) return view.getUint32(from + index * 4, true);
    return index < words + rest ? view.getUint8(from + words * 3 + index) : view.byteLength;
  });
}

export const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Bytes of a list: `fill` puts as many hashes as it says, sorted, none of them twice. */
export function writeHashes(count: number, fill: (put: (high: number, low: number) => void) => void): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(listLayout.header + count * 8);
  const view = viewOf(bytes);
  for (const [at, value] of [listLayout.magic, listLayout.format, count].entries()) view.setUint32(at * 4, value, true);
  let at = listLayout.header;
  fill((high, low) => {
    view.setUint32(at, high, true);
    view.setUint32(at + count * 4, low, true);
    at += 4;
  });
  const sum = checksum(view, listLayout.header);
  view.setUint32(16, sum.high, true);
  view.setUint32(20, sum.low, true);
  return bytes;
}

/** Throws `SiteListError` unless these are, byte for byte, what `writeHashes` once gave. */
export function readHashes(bytes: Uint8Array): Hashes {
  const view = viewOf(bytes);
  if (bytes.length < listLayout.header || view.getUint32(0, true) !== listLayout.magic) throw new SiteListError('This is not a site list.');
  const format = view.getUint32(4, true);
  if (format !== listLayout.format)
    throw new SiteListError(`The site list has format ${format}, and only ${listLayout.format} is known here.`);
  const count = view.getUint32(8, true);
  const expected = listLayout.header + count * 8;
  if (bytes.length !== expected)
    throw new SiteListError(`The site list is ${bytes.length} bytes long and says ${expected}: it was cut or has something behind it.`);
  const sum = checksum(view, listLayout.header);
  const same = view.getUint32(16, true) === sum.high && view.getUint32(20, true) === sum.low && view.getUint32(12, true) === 0;
  if (!same) throw new SiteListError('The site list is damaged: its checksum is another one.');
  const [high, low] = [new Uint32Array(count), new Uint32Array(count)];
  for (let at = 0; at < count; at++) {
    high[at] = view.getUint32(listLayout.header + at * 4, true);
    low[at] = view.getUint32(listLayout.header + (count + at) * 4, true);
    if (at > 0 && !before(high, low, at - 1, at)) throw new SiteListError('The site list is not sorted.');
  }
  return { high, low };
}

function before(high: Uint32Array, low: Uint32Array, a: number, b: number): boolean {
  const [first = 0, second = 0] = [high[a], high[b]];
  return first < second || (first === second && (low[a] ?? 0) < (low[b] ?? 0));
}
