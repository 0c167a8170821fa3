import { hashOf, type Lanes } from './hash.ts';

/** A damaged site list. The message is for the operator. */
export class SiteListError extends Error {
  override name = 'SiteListError';
}

export interface Hashes {
  high: Uint32Array;
  low: Uint32Array;
}

/**
 * The file format, little-endian. Offsets: 0 magic, 4 format, 8 number of names, 12 reserved, 16 checksum, then all high halves, then all
 * low halves.
 */
export const listLayout = { magic: 0x4c534c50, format: 1, header: 24 } as const;

/** The number of sites in a list of this many bytes. */
export const siteCountOf = (length: number): number => (length - listLayout.header) / 8;

/** One changed word always changes the sum; other changes go unnoticed with odds of 1 in 2^64. */
export function checksum(view: DataView, start: number): Lanes {
  const wordCount = Math.floor((view.byteLength - start) / 4);
  const restBytes = view.byteLength - start - wordCount * 4;
  return hashOf(wordCount + restBytes + 1, (index) => {
    if (index < wordCount) return view.getUint32(start + index * 4, true);
    return index < wordCount + restBytes ? view.getUint8(start + wordCount * 3 + index) : view.byteLength;
  });
}

export const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** `fill` must put exactly `count` hashes, sorted and distinct. */
export function writeHashes(count: number, fill: (put: (high: number, low: number) => void) => void): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(listLayout.header + count * 8);
  const view = viewOf(bytes);
  for (const [at, value] of [listLayout.magic, listLayout.format, count].entries()) view.setUint32(at * 4, value, true);
  let offset = listLayout.header;
  fill((high, low) => {
    view.setUint32(offset, high, true);
    view.setUint32(offset + count * 4, low, true);
    offset += 4;
  });
  const sum = checksum(view, listLayout.header);
  view.setUint32(16, sum.high, true);
  view.setUint32(20, sum.low, true);
  return bytes;
}

/** Reads a list. Throws `SiteListError` unless `writeHashes` could have written these bytes. */
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
  const isSameSum = view.getUint32(16, true) === sum.high && view.getUint32(20, true) === sum.low && view.getUint32(12, true) === 0;
  if (!isSameSum) throw new SiteListError('The site list is damaged: its checksum is another one.');
  const [high, low] = [new Uint32Array(count), new Uint32Array(count)];
  for (let at = 0; at < count; at++) {
    high[at] = view.getUint32(listLayout.header + at * 4, true);
    low[at] = view.getUint32(listLayout.header + (count + at) * 4, true);
    if (at > 0 && !isBefore(high, low, at - 1, at)) throw new SiteListError('The site list is not sorted.');
  }
  return { high, low };
}

function isBefore(high: Uint32Array, low: Uint32Array, a: number, b: number): boolean {
  const [firstHigh = 0, secondHigh = 0] = [high[a], high[b]];
  return firstHigh < secondHigh || (firstHigh === secondHigh && (low[a] ?? 0) < (low[b] ?? 0));
}
