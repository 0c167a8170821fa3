import { createHash } from 'node:crypto';
import { type SignedDocument, type SignedFeed, signedFeed } from '@porchlight/contract/shapes.ts';
import { extendKeys, followKeys, isNewer } from './feed-chain.ts';
import { cataloguePart, documentsMax, type FeedPart, type KeysPayload, type SetPayload, setPayload } from './feed-format.ts';
import { refuseFeed } from './feed-refused.ts';
import type { DefinitionSet } from './format.ts';
import { openDocument, verifyText } from './signature.ts';
import { readSiteList } from './sites/site-list.ts';

/** Documents that were verified, and what they say. */
export interface OpenFeed {
  /** From the pinned root on. */
  feed: SignedFeed;
  keys: KeysPayload;
  set: SetPayload;
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
  const { documents, keys } = followKeys(pinned, kept.keys);
  const { set } = openSet(kept.set, keys);
  return { feed: { keys: documents, set: kept.set }, keys, set };
}

/**
 * What a server offers, verified against what is held. `offered.keys` may begin after the keys that are held, which are `known`, or those of the feed
 * that is held. Throws `FeedRefused`; its parts are still to be fetched and checked.
 */
export function openFeed(
  pinned: string,
  held: OpenFeed | null,
  offered: unknown,
  now: Date,
  known: SignedDocument[] = held?.feed.keys ?? [],
): OpenFeed {
  const { success, data } = signedFeed.safeParse(offered);
  if (!success) return refuseFeed('not_a_feed');
  const size = [...data.keys, data.set].reduce((sum, { payload }) => sum + payload.length, 0);
  if (size > documentsMax) return refuseFeed('too_large');

  const { documents, keys } = extendKeys(pinned, known, data.keys);
  const { set, key } = openSet(data.set, keys);
  const made = { epoch: set.epoch, version: set.keys_version };
  if (isNewer(keys, made)) return refuseFeed('keys_older');
  if (isNewer(made, keys)) return refuseFeed('keys_missing');
  if (held && !isNewer(set, held.set)) return refuseFeed(isNewer(held.set, set) ? 'set_older' : 'set_same');
  if (Date.parse(keys.expires) <= now.getTime()) return refuseFeed('keys_expired');
  if (Date.parse(set.expires) <= now.getTime()) return refuseFeed('set_expired');
  // A clock that is behind must not keep a computer from being protected: only the end counts against it.
  const issued = Date.parse(set.issued);
  if (issued < Date.parse(key.from) || Math.max(issued, now.getTime()) >= Date.parse(key.until)) return refuseFeed('signing_key_over');
  return { feed: { keys: documents, set: data.set }, keys, set };
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
export function readCataloguePart(bytes: Uint8Array, { epoch, version, issued }: SetPayload): DefinitionSet {
  try {
    const { definitions } = cataloguePart.parse(JSON.parse(Buffer.from(bytes).toString('utf8')));
    return { epoch, version, issued, definitions };
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
