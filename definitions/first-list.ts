import { readFileSync } from 'node:fs';
import { gunzipSync, gzipSync } from 'node:zlib';
import { day } from '@porchlight/contract/time.ts';
import { z } from 'zod';
import { hashHost } from './sites/hash.ts';
import { type Hashes, readHashes } from './sites/list-bytes.ts';
import { nearestParent } from './sites/parent-domains.ts';

const shipped = new URL('./first-list/', import.meta.url);

const source = z.object({
  name: z.string(),
  home: z.url(),
  file: z.string(),
  /** SPDX identifier. */
  licence: z.string(),
  copyright: z.string().nullable(),
  as_of: z.iso.date(),
  /** The addresses of the default lists that take the place of this source's names, once each was fetched. */
  lists: z.array(z.url()),
});

/** The list of scam sites that ships with the server: `bytes` for `readSiteList`, and the lists that it was made of. */
export interface FirstList {
  bytes: Uint8Array;
  /** For each name, in the order of `bytes`, which sources had it: bit n for source n. 0 where that is unknown. */
  marks: Uint16Array;
  /** The day of its newest source. */
  as_of: Date;
  sources: z.infer<typeof source>[];
}

export function readFirstList(): FirstList {
  const text = readFileSync(new URL('sources.json', shipped), 'utf8');
  const { as_of, sources } = z.object({ as_of: z.iso.date(), sources: z.array(source) }).parse(JSON.parse(text));
  const marks = readMarks(readFileSync(new URL('sites.marks', shipped)));
  return { bytes: readFileSync(new URL('sites.list', shipped)), marks, as_of: new Date(as_of), sources };
}

/** The file of marks: two bytes a name, the lower first, compressed. */
export function readMarks(packed: Uint8Array): Uint16Array {
  const bytes = gunzipSync(packed);
  return Uint16Array.from({ length: bytes.length / 2 }, (_, at) => bytes.readUInt16LE(at * 2));
}

export function packMarks(marks: Uint16Array): Uint8Array {
  const bytes = Buffer.alloc(marks.length * 2);
  for (const [at, mark] of marks.entries()) bytes.writeUInt16LE(mark, at * 2);
  return gzipSync(bytes, { level: 9 });
}

const maxSources = 16;

/** The marks of a list, of the names that each source has. */
export function markSources(list: Uint8Array, sources: Iterable<string>[]): Uint16Array {
  if (sources.length > maxSources) throw new RangeError(`A first list has at most ${maxSources} sources.`);
  const { high, low } = readHashes(list);
  const indexes = new Map<bigint, number>();
  for (let at = 0; at < high.length; at++) indexes.set(key(high[at] ?? 0, low[at] ?? 0), at);
  const marks = new Uint16Array(high.length);
  for (const [bit, names] of sources.entries()) {
    for (const name of names) {
      const hash = hashHost(name);
      const at = indexes.get(key(hash.high, hash.low));
      if (at !== undefined) marks[at] = (marks[at] ?? 0) | (1 << bit);
    }
  }
  return marks;
}

const key = (high: number, low: number): bigint => (BigInt(high) << 32n) | BigInt(low);

/** Older than this, what one source alone had is not used any more. */
const alone_max = 60 * day;

/** When each fetched list was last fetched well, by its address. */
export type FetchTimes = ReadonlyMap<string, Date>;

/**
 * Whether a name with this mark is still in force. A fetched source speaks for itself: its share of the first list is dropped, so that what it has
 * taken out opens. A name of unknown source may be of any source, so it is in force until every source was fetched.
 */
function markInForce({ sources, as_of }: FirstList, fetched: FetchTimes, now: Date): (mark: number) => boolean {
  const isFetched = (url: string) => (fetched.get(url)?.getTime() ?? Number.NEGATIVE_INFINITY) >= as_of.getTime();
  let waiting = 0;
  for (const [bit, { lists }] of sources.entries()) if (lists.length === 0 || !lists.every(isFetched)) waiting |= 1 << bit;
  const isOld = now.getTime() - as_of.getTime() > alone_max;
  return (mark) => {
    const left = mark & waiting;
    return isOld ? (left & (left - 1)) !== 0 : mark === 0 ? waiting !== 0 : left !== 0;
  };
}

/** The names of the first list that are still in force. */
export function firstListInForce(first: FirstList, fetched: FetchTimes, now: Date): Hashes {
  const isInForce = markInForce(first, fetched, now);
  const { high, low } = readHashes(first.bytes);
  const isNameInForce = (_: number, at: number) => isInForce(first.marks[at] ?? 0);
  return { high: high.filter(isNameInForce), low: low.filter(isNameInForce) };
}

/** The longest name of the first list among a host and its parent domains, and which sources had it. Null where there is none. */
export function sourcesInFirst(host: string, { bytes, marks, sources }: FirstList): { name: string; sources: string[] } | null {
  const { high, low } = readHashes(bytes);
  return (
    nearestParent(host, (name) => {
      const hash = hashHost(name);
      const at = high.findIndex((half, index) => half === hash.high && low[index] === hash.low);
      return at < 0 ? undefined : { name, sources: sources.flatMap((one, bit) => (((marks[at] ?? 0) >> bit) & 1 ? [one.name] : [])) };
    }) ?? null
  );
}
