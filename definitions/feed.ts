import { createHash } from 'node:crypto';
import { type SignedDocument, type SignedFeed, signedFeed } from '@porchlight/contract/shapes.ts';
import { extendKeys, followKeys, isNewer } from './feed-chain.ts';
import { documentsMax, type FeedPart, type KeysPayload, type SetPayload, setPayload } from './feed-format.ts';
import { refuseFeed } from './feed-refused.ts';
import { type DefinitionSet, readRecognition } from './recognition.ts';
import { openDocument, verifyText } from './signature.ts';
import { readSiteList } from './sites/site-list.ts';

export interface OpenFeed {
  feed: SignedFeed;
  keys: KeysPayload;
  set: SetPayload;
}

function openSet(document: SignedDocument, { signing }: KeysPayload): { set: SetPayload; key: KeysPayload['signing'][number] } {
  const key = signing.find(({ public_key }) => verifyText(document.payload, document.signature, public_key));
  if (!key) return refuseFeed('set_signature');
  const set = openDocument(document, key.public_key, setPayload);
  return set ? { set, key } : refuseFeed('not_a_feed');
}

/** Verifies a stored feed, ignoring its expiry so that it continues to protect. Throws `FeedRefused`. */
export function reopenFeed(pinnedRoot: string, storedFeed: SignedFeed): OpenFeed {
  const { documents, keys } = followKeys(pinnedRoot, storedFeed.keys);
  const { set } = openSet(storedFeed.set, keys);
  return { feed: { keys: documents, set: storedFeed.set }, keys, set };
}

/**
 * Verifies an offered feed. `offered.keys` may leave out key lists in `known`, by default those of the stored feed. Throws `FeedRefused`.
 * The caller fetches and checks the parts.
 */
export function openFeed(
  pinnedRoot: string,
  current: OpenFeed | null,
  offered: unknown,
  now: Date,
  known: SignedDocument[] = current?.feed.keys ?? [],
): OpenFeed {
  const { success, data } = signedFeed.safeParse(offered);
  if (!success) return refuseFeed('not_a_feed');
  if (data.set.signature === '') return refuseFeed('unsigned');
  const size = [...data.keys, data.set].reduce((sum, { payload }) => sum + payload.length, 0);
  if (size > documentsMax) return refuseFeed('too_large');

  const { documents, keys } = extendKeys(pinnedRoot, known, data.keys);
  const { set, key } = openSet(data.set, keys);
  const signedWith = { epoch: set.epoch, version: set.keys_version };
  if (isNewer(keys, signedWith)) return refuseFeed('keys_older');
  if (isNewer(signedWith, keys)) return refuseFeed('keys_missing');
  if (current && !isNewer(set, current.set)) return refuseFeed(isNewer(current.set, set) ? 'set_older' : 'set_same');
  if (Date.parse(keys.expires) <= now.getTime()) return refuseFeed('keys_expired');
  if (Date.parse(set.expires) <= now.getTime()) return refuseFeed('set_expired');
  // The start of validity is not checked: a slow clock must not leave a computer unprotected.
  const issued = Date.parse(set.issued);
  if (issued < Date.parse(key.from) || Math.max(issued, now.getTime()) >= Date.parse(key.until)) return refuseFeed('signing_key_over');
  return { feed: { keys: documents, set: data.set }, keys, set };
}

export const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

export const partOf = (bytes: Uint8Array): FeedPart => ({ sha256: sha256Of(bytes), length: bytes.length });

export function checkPart<T extends Uint8Array>(bytes: T, { sha256, length }: FeedPart): T {
  if (bytes.length !== length) return refuseFeed('part_length');
  return sha256Of(bytes) === sha256 ? bytes : refuseFeed('part_content');
}

export function readCataloguePart(bytes: Uint8Array, { epoch, version, issued }: SetPayload): DefinitionSet {
  try {
    const { format: _format, ...recognition } = readRecognition(bytes);
    return { epoch, version, issued, ...recognition };
  } catch {
    return refuseFeed('catalogue');
  }
}

export function checkSites(bytes: Uint8Array): Uint8Array {
  try {
    readSiteList(bytes);
    return bytes;
  } catch {
    return refuseFeed('sites');
  }
}
