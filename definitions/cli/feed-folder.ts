import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type SignedFeed, signedFeed } from '@porchlight/contract/shapes.ts';
import { checkPart, type OpenFeed, readCataloguePart, reopenFeed, sha256Of } from '../feed.ts';
import { keysPayload, setPayload } from '../feed-format.ts';
import type { Recognition } from '../recognition.ts';
import { shippedRecognition } from '../shipped.ts';
import { Failure } from './command-line.ts';
import { catalogueOf, fileFailure, makeFolder, readBytes, readJson } from './files.ts';

/** A feed in a folder that a web server serves. */
export interface StoredFeed {
  open: OpenFeed;
  /** The root that signed its first list of keys, by which all who know the feed open it. */
  first_root: string;
  recognition: Recognition;
  sites: Uint8Array | null;
}

/** Whose parts stay: a server that has fetched `feed.json` fetches its parts later. */
const feedsRetained = 5;

const feedFile = (folder: string) => join(folder, 'feed.json');
const partFile = (folder: string, sha256: string) => join(folder, 'parts', sha256);

/** Null where there is no feed. The feed is checked as agents check it, but for its age. */
export function readFeedFolder(folder: string): StoredFeed | null {
  if (!existsSync(feedFile(folder))) return null;
  const feed = signedFeed.safeParse(readJson(feedFile(folder))).data;
  try {
    if (!feed?.keys[0]) throw new Error('no list of keys');
    const first_root = keysPayload.parse(JSON.parse(feed.keys[0].payload)).root;
    const open = reopenFeed(first_root, feed);
    const { catalogue, sites } = open.set;
    const recognition = readCataloguePart(checkPart(readFileSync(partFile(folder, catalogue.sha256)), catalogue), open.set);
    return { open, first_root, recognition, sites: sites && checkPart(readFileSync(partFile(folder, sites.sha256)), sites) };
  } catch (reason) {
    const problem = reason instanceof Error ? reason.message : String(reason);
    throw new Failure(`${folder} is not a whole feed that "publish" wrote: ${problem}. Restore it, or name another folder.`);
  }
}

/** What a feed recognises, or what one would that is made of a folder of the catalogue. */
export const recognitionIn = (folder: string): Recognition =>
  readFeedFolder(folder)?.recognition ?? shippedRecognition(catalogueOf(folder));

/** Renames over what is there, so that a web server serves the former file or the new one, and never half of it. */
function replaceFile(file: string, bytes: string | Uint8Array): void {
  try {
    writeFileSync(`${file}.new`, bytes, { flush: true });
    renameSync(`${file}.new`, file);
  } catch (reason) {
    throw fileFailure(file, reason);
  }
}

/** Which parts a feed names; none of a file that cannot be read. */
function partsNamedIn(file: string): string[] {
  const { data } = signedFeed.safeParse(readJson(file));
  if (!data) return [];
  const { catalogue, sites, deltas } = setPayload.parse(JSON.parse(data.set.payload));
  return [catalogue, ...(sites ? [sites] : []), ...deltas].map(({ sha256 }) => sha256);
}

/**
 * Parts first, then `feed.json`; then what no feed of the last few names is removed. `unchanged`: parts that were there already.
 * `earlier/` has the former feeds, by their versions.
 */
export function writeFeedFolder(
  folder: string,
  feed: SignedFeed,
  parts: Uint8Array[],
  former: StoredFeed | null,
): { feed: Uint8Array; unchanged: Uint8Array[] } {
  const [partsFolder, earlierFolder] = [join(folder, 'parts'), join(folder, 'earlier')];
  for (const needed of [partsFolder, earlierFolder]) makeFolder(needed);
  const isThere = (bytes: Uint8Array) => {
    const file = partFile(folder, sha256Of(bytes));
    return existsSync(file) && Buffer.compare(readBytes(file), bytes) === 0;
  };
  const unchanged = parts.filter(isThere);
  for (const bytes of parts) if (!unchanged.includes(bytes)) replaceFile(partFile(folder, sha256Of(bytes)), bytes);
  if (former) replaceFile(join(earlierFolder, `${former.open.set.version}.json`), readBytes(feedFile(folder)));
  const written = Buffer.from(JSON.stringify(feed), 'utf8');
  replaceFile(feedFile(folder), written);

  const earlier = readdirSync(earlierFolder)
    .filter((name) => /^\d+\.json$/.test(name))
    .sort((a, b) => Number.parseInt(b, 10) - Number.parseInt(a, 10));
  for (const name of earlier.slice(feedsRetained - 1)) rmSync(join(earlierFolder, name));
  const feeds = [feedFile(folder), ...earlier.slice(0, feedsRetained - 1).map((name) => join(earlierFolder, name))];
  const named = new Set(feeds.flatMap(partsNamedIn));
  const old = readdirSync(partsFolder).filter((name) => /^[0-9a-f]{64}(\.new)?$/.test(name) && !named.has(name));
  for (const name of old) rmSync(join(partsFolder, name));
  return { feed: written, unchanged };
}
