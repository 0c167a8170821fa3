import { signedDocument, time } from '@porchlight/contract/shapes.ts';
import { z } from 'zod';

/**
 * A root key signs the `keys` documents: the valid signing keys and the root that signs the next list. A signing key signs each `set`
 * document, which names its parts by hash. The kind in each document keeps one from passing for the other.
 */

const publicKey = z.string().regex(/^[\w-]{43}$/);
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const version = z.number().int().positive();
const epoch = z.number().int().positive();
const goodKey = z.object({ public_key: publicKey, from: time, until: time });
export type GoodKey = z.infer<typeof goodKey>;

/** Maximum bytes of a part: ten times the size of all public lists. */
export const partMax = 32 * 1024 * 1024;
/** Maximum bytes of all signed documents together: some thousand key changes. */
export const documentsMax = 1024 * 1024;

export const feedPart = z.object({ sha256, length: z.number().int().positive().max(partMax) });
export type FeedPart = z.infer<typeof feedPart>;

export const keysPayload = z.object({
  kind: z.literal('porchlight-keys'),
  /** Only the root key raises the epoch. All other signed documents have the epoch of the newest key list. */
  epoch,
  /** Increases by one, so that no key list is missed. May be any number with a higher epoch. */
  version,
  issued: time,
  expires: time,
  /** The key that signs the next key list; differs from this list's signer when the root key changes. */
  root: publicKey,
  /** Keys that may sign sets. Unlisted keys are invalid. */
  signing: z.array(goodKey).max(8),
  policy: z.array(goodKey).max(8),
  link: z.array(goodKey).max(8),
  /** `releasePayload` documents, each signed by the release key that the previous one names. */
  release: z.array(signedDocument).max(100),
});
export type KeysPayload = z.infer<typeof keysPayload>;

export const releasePayload = z.object({ kind: z.literal('porchlight-release'), from: publicKey, next: publicKey, issued: time });

export const setPayload = z.object({
  kind: z.literal('porchlight-set'),
  epoch,
  /** The version only increases within an epoch. */
  version,
  /** The version of the key list in force at signing. A set with another key list is refused. */
  keys_version: version,
  issued: time,
  /** Agents refuse an expired set, but continue to use the stored one. */
  expires: time,
  catalogue: feedPart,
  sites: feedPart.nullable(),
  /** Each delta turns the site list with hash `from` into `sites`. */
  deltas: z.array(feedPart.extend({ from: sha256 })).max(20),
});
export type SetPayload = z.infer<typeof setPayload>;
