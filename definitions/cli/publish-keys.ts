import type { SignedDocument } from '@porchlight/contract/shapes.ts';
import { day } from '@porchlight/contract/time.ts';
import { z } from 'zod';
import { signKeys, validityMs } from '../feed-make.ts';
import type { KeyPair } from '../signature.ts';
import { Failure } from './command-line.ts';
import type { StoredFeed } from './feed-folder.ts';
import { readJson } from './files.ts';

/** A list of keys that ends sooner than this, in milliseconds, is renewed where the root can sign. */
const renewalMs = 100 * day;

const rawKey = z.string().regex(/^[\w-]{43}$/);
const keyPair = z.object({ public_key: rawKey, private_key: rawKey });
type Root = { public_key: string; private_key?: string | undefined };

const pairError = (file: string) =>
  new Failure(`${file} does not hold an Ed25519 pair: {"public_key":...,"private_key":...}, 32 raw bytes each as base64url.`);

export function pairIn(file: string): KeyPair {
  const { data } = keyPair.safeParse(readJson(file));
  if (!data) throw pairError(file);
  return data;
}

/** A root, perhaps without its private half, which is needed rarely and is best stored away. */
export function rootIn(file: string): Root {
  const { data } = keyPair.partial({ private_key: true }).safeParse(readJson(file));
  if (!data) throw pairError(file);
  return data;
}

interface KeysWanted {
  root: Root;
  key: KeyPair;
  /** Signs the next list: `root`, or its successor. */
  next_root: string;
  issued: Date;
}

/**
 * The lists of keys of the next feed, and the root by which they are opened. A list is added for a new key or root, and before the last one
 * ends.
 */
export function keysFor(
  former: StoredFeed | null,
  { root, key, next_root, issued }: KeysWanted,
): { keys: SignedDocument[]; first_root: string } {
  if (former && former.open.keys.root !== root.public_key) {
    throw new Failure(`The root of this feed is ${former.open.keys.root}, and not ${root.public_key}. Name the root that it has now.`);
  }
  if (!former && next_root !== root.public_key)
    throw new Failure('There is no feed yet that a root could follow. Publish without --successor.');
  const keys = former?.open.feed.keys ?? [];
  const first_root = former?.first_root ?? root.public_key;
  const listed = former?.open.keys.signing.find(({ public_key }) => public_key === key.public_key);
  const leftMs = former && listed ? Math.min(Date.parse(former.open.keys.expires), Date.parse(listed.until)) - issued.getTime() : 0;
  const isGood = leftMs > (root.private_key === undefined ? validityMs.set : renewalMs);
  if (isGood && next_root === root.public_key) return { keys, first_root };
  const { public_key, private_key } = root;
  if (private_key === undefined) throw new Failure('The root has a list of keys to sign, and this file has only its public half.');
  const list = signKeys({ version: keys.length + 1, issued, root: next_root, signing: [key.public_key] }, { public_key, private_key });
  return { keys: [...keys, list], first_root };
}
