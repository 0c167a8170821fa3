import { signedDocument, time } from '@porchlight/contract/shapes.ts';
import { z } from 'zod';
import { definition } from './format.ts';

/**
 * The feed that agents believe. A root key signs the `keys` documents: which signing keys are good, and which root signs the
 * next one. A signing key signs each `set` document, which names its parts by content. Every document says what it is, so that
 * one cannot pass for the other.
 */

const publicKey = z.string().regex(/^[\w-]{43}$/);
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const version = z.number().int().positive();
/** Higher after the server was restored from a backup; documents of before there were epochs are of the first. */
const epoch = z.number().int().positive().default(1);
const goodKey = z.object({ public_key: publicKey, from: time, until: time });
export type GoodKey = z.infer<typeof goodKey>;

/** In bytes: no part is larger, and no more of one is ever read. Ten times what all public lists together need. */
export const partMax = 32 * 1024 * 1024;
/** Of all signed documents together, in bytes: some thousand changes of keys. */
export const documentsMax = 1024 * 1024;

/** Bytes that are known by their content. `length` in bytes. */
export const feedPart = z.object({ sha256, length: z.number().int().positive().max(partMax) });
export type FeedPart = z.infer<typeof feedPart>;

export const keysPayload = z.object({
  kind: z.literal('porchlight-keys'),
  /** Only the root raises it; whatever else is signed must have the epoch of the newest list. */
  epoch,
  /** Grows by one: who has slept follows each step. With a higher epoch it may be any. */
  version,
  issued: time,
  expires: time,
  /** Signs the next document of this kind; another one than signed this one when the root is changed. */
  root: publicKey,
  /** What is not listed is not good any more. */
  signing: z.array(goodKey).max(8),
  /** What signs the policies of devices, and links. */
  policy: z.array(goodKey).max(8).default([]),
  link: z.array(goodKey).max(8).default([]),
  /** `releasePayload` documents in order, each signed by the release key that the one before it names. */
  release: z.array(signedDocument).max(100).default([]),
});
export type KeysPayload = z.infer<typeof keysPayload>;

/** Says which release key comes after the one that signs this. */
export const releasePayload = z.object({ kind: z.literal('porchlight-release'), from: publicKey, next: publicKey, issued: time });

export const setPayload = z.object({
  kind: z.literal('porchlight-set'),
  epoch,
  /** Only ever grows within an epoch. */
  version,
  /** The keys that were in force when it was signed: older keys with a newer set, or the other way round, are no feed. */
  keys_version: version,
  issued: time,
  /** From then on it is not taken any more; who has it keeps it. */
  expires: time,
  /** `cataloguePart` as JSON. */
  catalogue: feedPart,
  /** The compact list of sites; null where there is none. */
  sites: feedPart.nullable(),
  /** Each makes `sites` of the list whose content is `from`. */
  deltas: z.array(feedPart.extend({ from: sha256 })).max(20),
});
export type SetPayload = z.infer<typeof setPayload>;

export const cataloguePart = z.object({ definitions: z.array(definition) });
