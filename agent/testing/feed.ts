import type { SignedFeed } from '@porchlight/contract/shapes.ts';
import { sha256Of } from '@porchlight/definitions/feed.ts';
import { catalogueBytes, type SetToSign, signKeys, signSet } from '@porchlight/definitions/feed-make.ts';
import type { Definition } from '@porchlight/definitions/format.ts';
import { type KeyPair, newKeyPair } from '@porchlight/definitions/signature.ts';

export interface FakeFeed {
  root(): KeyPair;
  signing(): KeyPair;
  /** What lies at /definitions/parts, by SHA-256; a test may put something else there. */
  parts: Map<string, Uint8Array>;
  /** Signs a set with these families, and `more` of a set; its parts can be fetched from then on. */
  publish(set: { version: number; definitions: Definition[] }, signer?: KeyPair, more?: Partial<SetToSign>): SignedFeed;
  /** A new signing key; the old one is not good any more. */
  newSigningKey(): void;
  newRoot(): void;
}

/** An operator who signs definitions: everything that agents may be offered, and what they may not. */
export function fakeFeed(issued = new Date()): FakeFeed {
  let [root, signing] = [newKeyPair(), newKeyPair()];
  const keys = [signKeys({ version: 1, issued, root: root.public_key, signing: [signing.public_key] }, root)];
  const parts = new Map<string, Uint8Array>();
  const put = (bytes: Uint8Array) => parts.set(sha256Of(bytes), bytes);
  const list = (next: KeyPair) => {
    keys.push(signKeys({ version: keys.length + 1, issued, root: next.public_key, signing: [signing.public_key] }, root));
    root = next;
  };
  return {
    root: () => root,
    signing: () => signing,
    parts,
    publish({ version, definitions }, signer = signing, more = {}) {
      const set = { version, keys_version: keys.length, issued, catalogue: catalogueBytes(definitions), sites: null, ...more };
      for (const bytes of [set.catalogue, ...(set.sites ? [set.sites] : []), ...(set.deltas ?? []).map((delta) => delta.bytes)]) put(bytes);
      return { keys: [...keys], set: signSet(set, signer) };
    },
    newSigningKey() {
      signing = newKeyPair();
      list(root);
    },
    newRoot: () => list(newKeyPair()),
  };
}
