import type { SignedDocument, SignedFeed } from '@porchlight/contract/shapes.ts';
import { day } from '@porchlight/contract/time.ts';
import { sha256Of } from '@porchlight/definitions/feed.ts';
import { partMax } from '@porchlight/definitions/feed-format.ts';
import { signKeys } from '@porchlight/definitions/feed-make.ts';
import type { Definition } from '@porchlight/definitions/format.ts';
import { newKeyPair, signDocument } from '@porchlight/definitions/signature.ts';
import { buildSiteList } from '@porchlight/definitions/sites/site-list.ts';
import { type FakeFeed, fakeFeed } from './feed.ts';

/** `partsByHash`: served instead of the signed parts. */
export interface Offer {
  what: string;
  body: string | Uint8Array;
  partsByHash: Map<string, Uint8Array>;
}

export interface Mutations {
  feed: FakeFeed;
  good: SignedFeed;
  newer: SignedFeed;
  next(): Offer;
}

const inForce = 50;

function numbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Invalid feeds, each with one defect. */
export function mutatedFeeds(seed: number, definitions: Definition[]): Mutations {
  const random = numbers(seed);
  const numberBelow = (n: number) => Math.floor(random() * n);
  const pickOne = <T>(list: T[]): T => list[numberBelow(list.length)] as T;
  const feed = fakeFeed();
  const [revoked, policy] = [feed.signing(), newKeyPair()];
  const issued = new Date();
  const sites = (names: string[]) => ({ sites: buildSiteList(names) });
  const formerFeed = feed.publish({ version: inForce - 1, definitions });
  feed.newSigningKey();
  const good = feed.publish({ version: inForce, definitions }, feed.signing(), sites(['evil.test']));
  const newer = feed.publish({ version: inForce + 1, definitions }, feed.signing(), sites(['evil.test', 'worse.test']));

  const flipped = (bytes: Uint8Array): Uint8Array => {
    const copy = Buffer.from(bytes);
    for (let changesLeft = 1 + numberBelow(3); changesLeft > 0; changesLeft--) copy[numberBelow(copy.length)] = numberBelow(256);
    return Buffer.compare(copy, bytes) === 0 ? flipped(bytes) : copy;
  };
  const cut = (bytes: Uint8Array) => bytes.subarray(0, numberBelow(bytes.length));
  const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1');
  const document = (doc: SignedDocument): SignedDocument => {
    const field = pickOne(['payload', 'signature'] as const);
    return { ...doc, [field]: text(pickOne([flipped, cut])(Buffer.from(doc[field], 'latin1'))) };
  };
  const answer = (offered: unknown, partsByHash = new Map<string, Uint8Array>()) => ({
    body: JSON.stringify({ definitions: offered }),
    partsByHash,
  });
  const publish = (change: Parameters<FakeFeed['publish']>[2] = {}, signer = feed.signing(), version = inForce + 1 + numberBelow(9)) =>
    feed.publish({ version, definitions: [] }, signer, change);
  const partsOf = ({ set }: SignedFeed) => JSON.parse(set.payload) as { catalogue: { sha256: string }; sites: { sha256: string } };
  const ago = (days: number) => new Date(issued.getTime() - days * day);
  const otherRoot = () => {
    const [root, key] = [newKeyPair(), newKeyPair()];
    const list = signKeys({ version: pickOne([1, 2, 3]), issued, root: root.public_key, signing: [key.public_key] }, root);
    return { keys: pickOne([[list], [...newer.keys, list]]), set: publish({ keys_version: 3 }, key).set };
  };
  // Not an empty list: without new keys the set alone is valid.
  const anything = () => pickOne<unknown>([null, 0, -1, '', 'x', {}, true, 1e99, '\0', [[]], [null]]);

  const kinds: Record<string, () => Omit<Offer, 'what'>> = {
    'a document with flipped or cut bytes': () =>
      answer(pickOne([() => ({ ...newer, set: document(newer.set) }), () => ({ ...newer, keys: newer.keys.map(document) })])()),
    'a body that is cut': () => ({ ...answer(newer), body: cut(Buffer.from(answer(newer).body)) }),
    'a part with flipped or cut bytes': () => {
      const { sha256 } = pickOne([() => partsOf(newer).sites, () => partsOf(newer).sites])();
      return answer(newer, new Map([[sha256, pickOne([flipped, cut])(feed.partsByHash.get(sha256) ?? new Uint8Array(9))]]));
    },
    'a part of another set': () =>
      answer(newer, new Map([[partsOf(newer).sites.sha256, feed.partsByHash.get(partsOf(good).sites.sha256) as Uint8Array]])),
    'an older set': () => answer(pickOne([formerFeed, publish({}, feed.signing(), 1 + numberBelow(inForce - 1))])),
    'a set that is over': () => answer(publish({ issued: ago(31 + numberBelow(300)) })),
    'a set from before its key': () => answer(publish({ issued: ago(1 + numberBelow(20)) })),
    'another key': () => answer(publish({}, pickOne([newKeyPair(), policy, revoked, feed.root()]))),
    'a key that is not good any more, with the list of then': () =>
      answer({ keys: formerFeed.keys, set: publish({ keys_version: 1 }, revoked).set }),
    'another root': () => answer(otherRoot()),
    'documents of two feeds': () => answer({ keys: newer.keys, set: publish({ keys_version: pickOne([1, 3, 9]) }).set }),
    'one document in the place of another': () =>
      answer(
        pickOne([
          { keys: [newer.set], set: newer.set },
          { keys: newer.keys, set: newer.keys[0] },
        ]),
      ),
    'something else, signed': () =>
      answer({
        keys: newer.keys,
        set: signDocument(pickOne([anything(), { ...JSON.parse(newer.set.payload), version: anything() }]), feed.signing()),
      }),
    'something else': () => answer(pickOne([anything() ?? 1, { keys: anything(), set: newer.set }, { keys: newer.keys, set: anything() }])),
    'catalogues that are none': () =>
      answer(publish({ catalogue: Buffer.from(pickOne(['{', '[]', '{"definitions":{}}', '{"definitions":[{}]}'])) })),
    'lists of sites that are none': () => answer(publish({ sites: flipped(buildSiteList(['evil.test'])) })),
  };
  const huge: Record<string, () => Omit<Offer, 'what'>> = {
    'a body of 50 MB': () => ({ ...answer(null), body: Buffer.alloc(50 * 1024 * 1024, ' ') }),
    'a part of 50 MB': () => answer(newer, new Map([[partsOf(newer).sites.sha256, Buffer.alloc(50 * 1024 * 1024)]])),
    'a set that names 50 MB': () => {
      const set = { ...JSON.parse(newer.set.payload), catalogue: { sha256: sha256Of(Buffer.alloc(0)), length: partMax + 1 } } as unknown;
      return answer({ keys: newer.keys, set: signDocument(set, feed.signing()) });
    },
  };
  let count = 0;
  return {
    feed,
    good,
    newer,
    next() {
      count += 1;
      const [what, make] = pickOne(Object.entries(count % 500 === 0 ? huge : kinds));
      return { what, ...make() };
    },
  };
}
