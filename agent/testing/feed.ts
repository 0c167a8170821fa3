import type { SignedDocument, SignedFeed } from '@porchlight/contract/shapes.ts';
import { sha256Of } from '@porchlight/definitions/feed.ts';
import { type GoodKey, keysPayload } from '@porchlight/definitions/feed-format.ts';
import { catalogueBytes, goodFrom, type KeysToSign, type SetToSign, signKeys, signSet } from '@porchlight/definitions/feed-make.ts';
import type { Recognition } from '@porchlight/definitions/recognition.ts';
import { type KeyPair, newKeyPair } from '@porchlight/definitions/signature.ts';
import { recognitionWith } from '@porchlight/definitions/testing/shipped-catalogue.ts';

export type TestSet = { version: number } & Pick<Recognition, 'definitions'> & Partial<Recognition>;

export interface FakeFeed {
  root(): KeyPair;
  signing(): KeyPair;
  /** What /definitions/parts serves, by SHA-256; tests may replace it. */
  partsByHash: Map<string, Uint8Array>;
  /** Recognition that a set leaves out is what ships. */
  publish(set: TestSet, signer?: KeyPair, more?: Partial<SetToSign>): SignedFeed;
  newSigningKey(): void;
  newRoot(): void;
  list(): { epoch: number; version: number };
  keysAfter(epoch: number, version: number): SignedDocument[];
  /** Sets the policy and link keys: the first call rewrites the first key list, later calls add a list. `more`: additional valid keys. */
  nameKeys(policy: string, link: string, more?: Partial<KeysToSign>): void;
  /** Simulates a server restored from a backup with this many key lists. */
  raiseEpoch(lists?: number): void;
}

export function fakeFeed(issued = new Date()): FakeFeed {
  let [root, signing] = [newKeyPair(), newKeyPair()];
  const partsByHash = new Map<string, Uint8Array>();
  const storePart = (bytes: Uint8Array) => partsByHash.set(sha256Of(bytes), bytes);
  let keys: SignedDocument[] = [];
  let epoch = 1;
  let named: { policy: GoodKey[]; link: GoodKey[]; release: SignedDocument[] } = { policy: [], link: [], release: [] };
  const list = (nextRoot: KeyPair = root) => {
    const validKeys = { signing: [signing.public_key], ...named };
    keys.push(signKeys({ epoch, version: keys.length + 1, issued, root: nextRoot.public_key, ...validKeys }, root));
    root = nextRoot;
  };
  list();
  return {
    root: () => root,
    signing: () => signing,
    partsByHash,
    publish({ version, definitions, ...others }, signer = signing, more = {}) {
      const shipped = recognitionWith(definitions);
      const versions = { epoch, version, keys_version: keys.length, issued };
      const set = {
        ...versions,
        catalogue: catalogueBytes(Object.keys(others).length ? { ...shipped, ...others } : shipped),
        sites: null,
        ...more,
      };
      for (const bytes of [set.catalogue, ...(set.sites ? [set.sites] : []), ...(set.deltas ?? []).map((delta) => delta.bytes)])
        storePart(bytes);
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
      const isFirst = !named.policy.length;
      named = { release: named.release, policy: [goodFrom(policy, issued)], link: [goodFrom(link, issued)], ...more };
      if (isFirst) keys = [];
      list();
    },
    raiseEpoch(lists = keys.length) {
      keys = keys.slice(0, lists);
      epoch += 1;
      list();
    },
  };
}
