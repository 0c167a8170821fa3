import { createHash } from 'node:crypto';
import { type SignedDocument, type SignedFeed, signedFeed } from '@porchlight/contract/shapes.ts';
import { cataloguePart, documentsMax, type FeedPart, type KeysPayload, keysPayload, type SetPayload, setPayload } from './feed-format.ts';
import type { DefinitionSet } from './format.ts';
import { openDocument, verifyText } from './signature.ts';
import { readSiteList } from './sites/site-list.ts';

const reasons = {
  not_a_feed: 'it is not a feed',
  too_large: 'it is larger than any feed is',
  keys_signature: 'the list of keys is not signed by our server',
  keys_order: 'a list of keys is missing between two others',
  keys_expired: 'the list of keys is out of date',
  keys_older: 'it was made with older keys than we know',
  keys_missing: 'it was made with newer keys than it brings',
  set_signature: 'they are not signed by our server',
  signing_key_over: 'the key that signed them was not good then',
  set_expired: 'they are out of date',
  set_older: 'they are older than ours',
  set_same: 'they are the ones we have',
  part_length: 'a part has another length than was signed',
  part_content: 'a part is not what was signed',
  catalogue: 'what was signed is no catalogue',
  sites: 'what was signed is no list of sites',
} as const;
export type FeedReason = keyof typeof reasons;

/** Why a feed is not believed. The message ends in what remains true. */
export class FeedRefused extends Error {
  readonly reason: FeedReason;

  constructor(reason: FeedReason) {
    super(`the definitions are not taken, ${reasons[reason]}; the last good ones stay in force`);
    this.reason = reason;
  }
}

export const refuseFeed = (reason: FeedReason): never => {
  throw new FeedRefused(reason);
};

/** Documents that were verified, and what they say. */
export interface OpenFeed {
  /** From the pinned root on. */
  feed: SignedFeed;
  keys: KeysPayload;
  set: SetPayload;
}

/** Follows the root through its changes. What came before the pinned root is passed over; from there on each step must fit to the one before. */
function followKeys(pinned: string, documents: SignedDocument[]): { chain: SignedDocument[]; keys: KeysPayload } {
  const chain: SignedDocument[] = [];
  let keys: KeysPayload | null = null;
  for (const document of documents) {
    const root: string = keys?.root ?? pinned;
    const next: KeysPayload | null = openDocument(document, root, keysPayload);
    if (!next && !keys) continue;
    if (!next) return refuseFeed('keys_signature');
    if (keys && next.version !== keys.version + 1) return refuseFeed('keys_order');
    keys = next;
    chain.push(document);
  }
  return keys ? { chain, keys } : refuseFeed('keys_signature');
}

/** The set, by whichever of the good keys signed it. */
function openSet(document: SignedDocument, { signing }: KeysPayload): { set: SetPayload; key: KeysPayload['signing'][number] } {
  const key = signing.find(({ public_key }) => verifyText(document.payload, document.signature, public_key));
  if (!key) return refuseFeed('set_signature');
  const set = openDocument(document, key.public_key, setPayload);
  return set ? { set, key } : refuseFeed('not_a_feed');
}

/** What was kept, read back: verified from the pinned root on. Time does not count, since what is in force goes on protecting. Throws `FeedRefused`. */
export function reopenFeed(pinned: string, kept: SignedFeed): OpenFeed {
  const { chain, keys } = followKeys(pinned, kept.keys);
  const { set } = openSet(kept.set, keys);
  return { feed: { keys: chain, set: kept.set }, keys, set };
}

/**
 * What a server offers, verified against what is held. `offered.keys` may begin after the keys that are held. Throws `FeedRefused`;
 * its parts are still to be fetched and checked.
 */
export function openFeed(pinned: string, held: OpenFeed | null, offered: unknown, now: Date): OpenFeed {
  const { success, data } = signedFeed.safeParse(offered);
  if (!success) return refuseFeed('not_a_feed');
  const size = [...data.keys, data.set].reduce((sum, { payload }) => sum + payload.length, 0);
  if (size > documentsMax) return refuseFeed('too_large');

  const exactly = ({ payload, signature }: SignedDocument) => `${signature} ${payload}`;
  const known = new Set(held?.feed.keys.map(exactly));
  const news = data.keys.filter((document) => !known.has(exactly(document)));
  const { chain, keys } = followKeys(pinned, [...(held?.feed.keys ?? []), ...news]);
  const { set, key } = openSet(data.set, keys);
  if (set.keys_version < keys.version) return refuseFeed('keys_older');
  if (set.keys_version > keys.version) return refuseFeed('keys_missing');
  const have = held?.set.version ?? 0;
  if (set.version <= have) return refuseFeed(set.version < have ? 'set_older' : 'set_same');
  if (Date.parse(keys.expires) <= now.getTime()) return refuseFeed('keys_expired');
  if (Date.parse(set.expires) <= now.getTime()) return refuseFeed('set_expired');
  // A clock that is behind must not keep a computer from being protected: only the end counts against it.
  const issued = Date.parse(set.issued);
  if (issued < Date.parse(key.from) || Math.max(issued, now.getTime()) >= Date.parse(key.until)) return refuseFeed('signing_key_over');
  return { feed: { keys: chain, set: data.set }, keys, set };
}

export const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** A part as it is named in a signed set. */
export const partOf = (bytes: Uint8Array): FeedPart => ({ sha256: sha256Of(bytes), length: bytes.length });

/** The same bytes, once they are what was signed. Throws `FeedRefused`. */
export function checkPart<T extends Uint8Array>(bytes: T, { sha256, length }: FeedPart): T {
  if (bytes.length !== length) return refuseFeed('part_length');
  return sha256Of(bytes) === sha256 ? bytes : refuseFeed('part_content');
}

/** The definitions of a set from its checked part. Throws `FeedRefused`. */
export function readCataloguePart(bytes: Uint8Array, { version, issued }: SetPayload): DefinitionSet {
  try {
    const { definitions } = cataloguePart.parse(JSON.parse(Buffer.from(bytes).toString('utf8')));
    return { version, issued, definitions };
  } catch {
    return refuseFeed('catalogue');
  }
}

/** The same bytes, once they can be read as a list of sites. Throws `FeedRefused`. */
export function checkSites(bytes: Uint8Array): Uint8Array {
  try {
    readSiteList(bytes);
    return bytes;
  } catch {
    return refuseFeed('sites');
  }
}
