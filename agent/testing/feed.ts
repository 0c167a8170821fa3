import type { SignedDocument, SignedFeed } from '@porchlight/contract/shapes.ts';
import { sha256Of } from '@porchlight/definitions/feed.ts';
import { type GoodKey, keysPayload } from '@porchlight/definitions/feed-format.ts';
import { catalogueBytes, goodFrom, type KeysToSign, type SetToSign, signKeys, signSet } from '@porchlight/definitions/feed-make.ts';
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
  /** The newest list of keys, by its numbers. */
  list(): { epoch: number; version: number };
  keysAfter(epoch: number, version: number): SignedDocument[];
  /** Which keys sign policies and links, from the first list on; afterwards in a list of its own. `more`: those that are good beside it. */
  nameKeys(policy: string, link: string, more?: Partial<KeysToSign>): void;
  /** As after the server was restored from a backup, in which there were so many lists of keys. */
  raiseEpoch(lists?: number): void;
}

/** An operator who signs definitions: everything that agents may be offered, and what they may not. */
export function fakeFeed(issued = new Date()): FakeFeed {
  let [root, signing] = [newKeyPair(), newKeyPair()];
  const parts = new Map<string, Uint8Array>();
  const put = (bytes: Uint8Array) => parts.set(sha256Of(bytes), bytes);
  let keys: SignedDocument[] = [];
  let epoch = 1;
  let named: { policy: GoodKey[]; link: GoodKey[]; release: SignedDocument[] } = { policy: [], link: [], release: [] };
  const list = (next: KeyPair = root) => {
    const good = { signing: [signing.public_key], ...named };
    keys.push(signKeys({ epoch, version: keys.length + 1, issued, root: next.public_key, ...good }, root));
    root = next;
  };
  list();
  return {
    root: () => root,
    signing: () => signing,
    parts,
    publish({ version, definitions }, signer = signing, more = {}) {
      const made = { epoch, version, keys_version: keys.length, issued };
      const set = { ...made, catalogue: catalogueBytes(definitions), sites: null, ...more };
      for (const bytes of [set.catalogue, ...(set.sites ? [set.sites] : []), ...(set.deltas ?? []).map((delta) => delta.bytes)]) put(bytes);
      return { keys: [...keys], set: signSet(set, signer) };
    },
    newSigningKey() {
      signing = newKeyPair();
      list();
    },
    newRoot: () => list(newKeyPair()),
    list: () => ({ epoch, version: keys.length }),
    keysAfter: (knownEpoch, version) =>
      keys.filter((document) => {
        const list = keysPayload.parse(JSON.parse(document.payload));
        return list.epoch > knownEpoch || (list.epoch === knownEpoch && list.version > version);
      }),
    nameKeys(policy, link, more = {}) {
      const first = !named.policy.length;
      named = { release: named.release, policy: [goodFrom(policy, issued)], link: [goodFrom(link, issued)], ...more };
      if (first) keys = [];
      list();
    },
    raiseEpoch(lists = keys.length) {
      keys = keys.slice(0, lists);
      epoch += 1;
      list();
    },
  };
}
