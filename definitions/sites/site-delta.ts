import { checksum, type Hashes, listLayout, readHashes, SiteListError, viewOf, writeHashes } from './list-bytes.ts';

/**
 * What leads from one list to the next: 8 bytes for each name that came, one or two for each that went (its place in the old list, as
 * the distance from the one before). Little-endian; 0 magic, 4 format, 8 names before, 12 names after, 16 how many came, 20 how many
 * went, 24 checksum of the list before, 32 of the one after, 40 of all that follows; then the high halves, the low halves, the places.
 */
const layout = { magic: 0x44534c50, format: 1, header: 48 } as const;

const later = ({ high, low }: Hashes, at: number, than: Hashes, place: number): number =>
  (high[at] ?? 0) - (than.high[place] ?? 0) || (low[at] ?? 0) - (than.low[place] ?? 0);

/** Walks two sorted lists side by side. `came` gets places in the later one, `went` in the earlier. */
function compare(old: Hashes, next: Hashes, tell: { came(at: number): void; went(at: number): void }): void {
  let [a, b] = [0, 0];
  while (a < old.high.length || b < next.high.length) {
    const order = a === old.high.length ? 1 : b === next.high.length ? -1 : later(old, a, next, b);
    if (order < 0) tell.went(a++);
    else if (order > 0) tell.came(b++);
    else [a, b] = [a + 1, b + 1];
  }
}

/** How many names differ between two lists. Throws `SiteListError` when one is damaged. */
export function countChanges(before: Uint8Array, after: Uint8Array): { came: number; went: number } {
  let [came, went] = [0, 0];
  compare(readHashes(before), readHashes(after), { came: () => came++, went: () => went++ });
  return { came, went };
}

/** Bytes that make `after` of `before`, both lists as `buildSiteList` gives them. Throws `SiteListError` when one is damaged. */
export function diffSiteLists(before: Uint8Array, after: Uint8Array): Uint8Array<ArrayBuffer> {
  const [old, next] = [readHashes(before), readHashes(after)];
  const came: number[] = [];
  const went: number[] = [];
  compare(old, next, { came: (at) => came.push(at), went: (at) => went.push(at) });
  const places = went.flatMap((place, at) => variable(place - (went[at - 1] ?? -1) - 1));
  const bytes = new Uint8Array(layout.header + came.length * 8 + places.length);
  const view = viewOf(bytes);
  const words = [layout.magic, layout.format, old.high.length, next.high.length, came.length, went.length, ...sums(before), ...sums(after)];
  for (const [at, word] of words.entries()) view.setUint32(at * 4, word, true);
  for (const [at, from] of came.entries()) {
    view.setUint32(layout.header + at * 4, next.high[from] ?? 0, true);
    view.setUint32(layout.header + (came.length + at) * 4, next.low[from] ?? 0, true);
  }
  bytes.set(places, layout.header + came.length * 8);
  const sum = checksum(view, layout.header);
  view.setUint32(40, sum.high, true);
  view.setUint32(44, sum.low, true);
  return bytes;
}

/** The list after the change, byte for byte as a fresh build of it. Throws `SiteListError` when the change belongs to another list or is damaged. */
export function applySiteDelta(before: Uint8Array, delta: Uint8Array): Uint8Array<ArrayBuffer> {
  const old = readHashes(before);
  const { came, places, says } = readDelta(delta);
  const [high, low] = sums(before);
  if (says.before !== old.high.length || says.sum_before[0] !== high || says.sum_before[1] !== low)
    throw new SiteListError('The change belongs to another list than this one.');
  if (says.before - places.length + came.high.length !== says.after) throw new SiteListError('The change does not add up.');
  const bytes = writeHashes(says.after, (put) => {
    let [taken, gone] = [0, 0];
    const take = () => put(came.high[taken] ?? 0, came.low[taken++] ?? 0);
    for (let at = 0; at < old.high.length; at++) {
      while (taken < came.high.length && later(came, taken, old, at) < 0) take();
      if (places[gone] === at) gone++;
      else put(old.high[at] ?? 0, old.low[at] ?? 0);
    }
    while (taken < came.high.length) take();
  });
  const [sumHigh, sumLow] = sums(bytes);
  if (says.sum_after[0] !== sumHigh || says.sum_after[1] !== sumLow)
    throw new SiteListError('The change leads to another list than it says.');
  return bytes;
}

/** What a change says of itself. Throws `SiteListError` when it is damaged. */
export function siteDeltaInfo(delta: Uint8Array): { before: number; after: number; came: number; went: number } {
  const { says, came, places } = readDelta(delta);
  return { before: says.before, after: says.after, came: came.high.length, went: places.length };
}

interface Delta {
  came: Hashes;
  /** Places in the old list of what went, rising. */
  places: number[];
  says: { before: number; after: number; sum_before: [number, number]; sum_after: [number, number] };
}

function readDelta(bytes: Uint8Array): Delta {
  const view = viewOf(bytes);
  if (bytes.length < layout.header || view.getUint32(0, true) !== layout.magic)
    throw new SiteListError('This is not a change of a site list.');
  const word = (at: number) => view.getUint32(at, true);
  if (word(4) !== layout.format) throw new SiteListError(`The change has format ${word(4)}, and only ${layout.format} is known here.`);
  const sum = checksum(view, layout.header);
  if (word(40) !== sum.high || word(44) !== sum.low) throw new SiteListError('The change is damaged: its checksum is another one.');
  const [added, removed] = [word(16), word(20)];
  const body = layout.header + added * 8;
  if (body > bytes.length || removed > bytes.length - body) throw new SiteListError('The change was cut.');
  const read = (from: number) => Uint32Array.from({ length: added }, (_, at) => word(from + at * 4));
  const came = { high: read(layout.header), low: read(layout.header + added * 4) };
  const places = distances(bytes.subarray(body)).map((gap, at, all) => (at === 0 ? gap : (all[at] = (all[at - 1] ?? 0) + gap + 1)));
  if (places.length !== removed || (places.at(-1) ?? -1) >= word(8))
    throw new SiteListError('The change names places that its list does not have.');
  return { came, places, says: { before: word(8), after: word(12), sum_before: [word(24), word(28)], sum_after: [word(32), word(36)] } };
}

/** A list carries its own checksum. */
function sums(list: Uint8Array): [number, number] {
  const view = viewOf(list);
  return [view.getUint32(listLayout.header - 8, true), view.getUint32(listLayout.header - 4, true)];
}

/** Seven bits a byte, the lowest first; the eighth says that more follow. */
function variable(value: number): number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...variable(value >>> 7)];
}

function distances(bytes: Uint8Array): number[] {
  const all: number[] = [];
  let [value, scale] = [0, 1];
  for (const byte of bytes) {
    value += (byte & 127) * scale;
    scale = byte & 128 ? scale * 128 : 1;
    if (scale > 2 ** 35) throw new SiteListError('The change names places that its list does not have.');
    if (scale === 1) {
      all.push(value);
      value = 0;
    }
  }
  if (scale !== 1) throw new SiteListError('The change was cut.');
  return all;
}
