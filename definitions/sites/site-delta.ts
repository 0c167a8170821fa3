import { checksum, type Hashes, listLayout, readHashes, SiteListError, viewOf, writeHashes } from './list-bytes.ts';

/**
 * The delta format: 8 bytes for each added name, one or two for each removed name (distance between indexes in the old list).
 * Little-endian. Offsets: 0 magic, 4 format, 8 names before, 12 names after, 16 added, 20 removed, 24 checksum of the old list, 32 of the
 * new list, 40 of all that follows; then high halves, low halves, indexes.
 */
const layout = { magic: 0x44534c50, format: 1, header: 48 } as const;

const compareHashes = ({ high, low }: Hashes, index: number, otherHashes: Hashes, otherIndex: number): number =>
  (high[index] ?? 0) - (otherHashes.high[otherIndex] ?? 0) || (low[index] ?? 0) - (otherHashes.low[otherIndex] ?? 0);

/** Compares two lists: calls `came` with the index in the new list, `went` with the index in the old list. */
function compare(oldHashes: Hashes, newHashes: Hashes, visitor: { came(at: number): void; went(at: number): void }): void {
  let [a, b] = [0, 0];
  while (a < oldHashes.high.length || b < newHashes.high.length) {
    const order = a === oldHashes.high.length ? 1 : b === newHashes.high.length ? -1 : compareHashes(oldHashes, a, newHashes, b);
    if (order < 0) visitor.went(a++);
    else if (order > 0) visitor.came(b++);
    else [a, b] = [a + 1, b + 1];
  }
}

export function countChanges(before: Uint8Array, after: Uint8Array): { came: number; went: number } {
  let [came, went] = [0, 0];
  compare(readHashes(before), readHashes(after), { came: () => came++, went: () => went++ });
  return { came, went };
}

export function diffSiteLists(before: Uint8Array, after: Uint8Array): Uint8Array<ArrayBuffer> {
  const [oldHashes, newHashes] = [readHashes(before), readHashes(after)];
  const addedIndexes: number[] = [];
  const removedIndexes: number[] = [];
  compare(oldHashes, newHashes, { came: (at) => addedIndexes.push(at), went: (at) => removedIndexes.push(at) });
  const indexes = removedIndexes.flatMap((removedIndex, at) => encodeNumber(removedIndex - (removedIndexes[at - 1] ?? -1) - 1));
  const bytes = new Uint8Array(layout.header + addedIndexes.length * 8 + indexes.length);
  const view = viewOf(bytes);
  const words = [
    layout.magic,
    layout.format,
    oldHashes.high.length,
    newHashes.high.length,
    addedIndexes.length,
    removedIndexes.length,
    ...sums(before),
    ...sums(after),
  ];
  for (const [at, word] of words.entries()) view.setUint32(at * 4, word, true);
  for (const [at, sourceIndex] of addedIndexes.entries()) {
    view.setUint32(layout.header + at * 4, newHashes.high[sourceIndex] ?? 0, true);
    view.setUint32(layout.header + (addedIndexes.length + at) * 4, newHashes.low[sourceIndex] ?? 0, true);
  }
  bytes.set(indexes, layout.header + addedIndexes.length * 8);
  const sum = checksum(view, layout.header);
  view.setUint32(40, sum.high, true);
  view.setUint32(44, sum.low, true);
  return bytes;
}

/** Applies a delta; the result equals a fresh build. Throws `SiteListError` when the delta is damaged or belongs to another list. */
export function applySiteDelta(before: Uint8Array, delta: Uint8Array): Uint8Array<ArrayBuffer> {
  const oldHashes = readHashes(before);
  const { came, indexes, header } = readDelta(delta);
  const [high, low] = sums(before);
  if (header.before !== oldHashes.high.length || header.sum_before[0] !== high || header.sum_before[1] !== low)
    throw new SiteListError('The change belongs to another list than this one.');
  if (header.before - indexes.length + came.high.length !== header.after) throw new SiteListError('The change does not add up.');
  const bytes = writeHashes(header.after, (put) => {
    let [addedCount, removedCount] = [0, 0];
    const putAdded = () => put(came.high[addedCount] ?? 0, came.low[addedCount++] ?? 0);
    for (let index = 0; index < oldHashes.high.length; index++) {
      while (addedCount < came.high.length && compareHashes(came, addedCount, oldHashes, index) < 0) putAdded();
      if (indexes[removedCount] === index) removedCount++;
      else put(oldHashes.high[index] ?? 0, oldHashes.low[index] ?? 0);
    }
    while (addedCount < came.high.length) putAdded();
  });
  const [sumHigh, sumLow] = sums(bytes);
  if (header.sum_after[0] !== sumHigh || header.sum_after[1] !== sumLow)
    throw new SiteListError('The change leads to another list than it says.');
  return bytes;
}

export function siteDeltaInfo(delta: Uint8Array): { before: number; after: number; came: number; went: number } {
  const { header, came, indexes } = readDelta(delta);
  return { before: header.before, after: header.after, came: came.high.length, went: indexes.length };
}

interface Delta {
  came: Hashes;
  indexes: number[];
  header: { before: number; after: number; sum_before: [number, number]; sum_after: [number, number] };
}

function readDelta(bytes: Uint8Array): Delta {
  const view = viewOf(bytes);
  if (bytes.length < layout.header || view.getUint32(0, true) !== layout.magic)
    throw new SiteListError('This is not a change of a site list.');
  const word = (offset: number) => view.getUint32(offset, true);
  if (word(4) !== layout.format) throw new SiteListError(`The change has format ${word(4)}, and only ${layout.format} is known here.`);
  const sum = checksum(view, layout.header);
  if (word(40) !== sum.high || word(44) !== sum.low) throw new SiteListError('The change is damaged: its checksum is another one.');
  const [added, removed] = [word(16), word(20)];
  const body = layout.header + added * 8;
  if (body > bytes.length || removed > bytes.length - body) throw new SiteListError('The change was cut.');
  const readHalves = (start: number) => Uint32Array.from({ length: added }, (_, at) => word(start + at * 4));
  const came = { high: readHalves(layout.header), low: readHalves(layout.header + added * 4) };
  const indexes = decodeNumbers(bytes.subarray(body)).map((gap, at, all) => (at === 0 ? gap : (all[at] = (all[at - 1] ?? 0) + gap + 1)));
  if (indexes.length !== removed || (indexes.at(-1) ?? -1) >= word(8))
    throw new SiteListError('The change names places that its list does not have.');
  return { came, indexes, header: { before: word(8), after: word(12), sum_before: [word(24), word(28)], sum_after: [word(32), word(36)] } };
}

function sums(list: Uint8Array): [number, number] {
  const view = viewOf(list);
  return [view.getUint32(listLayout.header - 8, true), view.getUint32(listLayout.header - 4, true)];
}

/** Encodes a number: seven bits a byte, lowest first; the high bit marks that more bytes follow. */
function encodeNumber(value: number): number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...encodeNumber(value >>> 7)];
}

function decodeNumbers(bytes: Uint8Array): number[] {
  const bytesOut: number[] = [];
  let [value, scale] = [0, 1];
  for (const byte of bytes) {
    value += (byte & 127) * scale;
    scale = byte & 128 ? scale * 128 : 1;
    if (scale > 2 ** 35) throw new SiteListError('The change names places that its list does not have.');
    if (scale === 1) {
      bytesOut.push(value);
      value = 0;
    }
  }
  if (scale !== 1) throw new SiteListError('The change was cut.');
  return bytesOut;
}
