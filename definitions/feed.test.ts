import { gunzipSync, gzipSync } from 'node:zlib';
import type { SignedFeed } from '@porchlight/contract/shapes.ts';
import { day } from '@porchlight/contract/time.ts';
import { expect, test } from 'vitest';
import { checkPart, checkSites, type OpenFeed, openFeed, partOf, readCataloguePart, reopenFeed } from './feed.ts';
import { documentsMax, partMax } from './feed-format.ts';
import { catalogueBytes, signKeys, signSet, validityMs } from './feed-make.ts';
import { FeedRefused } from './feed-refused.ts';
import { readRecognition } from './recognition.ts';
import { shippedRecognition } from './shipped.ts';
import { type KeyPair, newKeyPair, signDocument } from './signature.ts';

const start = new Date('2026-11-21T12:00:00.000Z');
const laterDate = (ms: number) => new Date(start.getTime() + ms);
const catalogue = catalogueBytes(shippedRecognition([]));

/** An operator's keys, published documents, and rotation steps. */
function operator() {
  let [root, signing] = [newKeyPair(), newKeyPair()];
  const keys = [signKeys({ version: 1, issued: start, root: root.public_key, signing: [signing.public_key] }, root)];
  let version = 0;
  const list = (nextRoot: KeyPair, signingKeys: string[], issued: Date) => {
    keys.push(signKeys({ version: keys.length + 1, issued, root: nextRoot.public_key, signing: signingKeys }, root));
    root = nextRoot;
  };
  return {
    root: () => root,
    signing: () => signing,
    keys,
    publish(issued = start, signer = signing, change: Partial<Parameters<typeof signSet>[0]> = {}): SignedFeed {
      version += 1;
      const set = signSet({ version, keys_version: keys.length, issued, catalogue, sites: null, ...change }, signer);
      return { keys: [...keys], set };
    },
    /** `beside`: the old signing key stays valid. */
    newSigningKey(issued = start, beside = false) {
      const oldKey = signing.public_key;
      signing = newKeyPair();
      list(root, beside ? [oldKey, signing.public_key] : [signing.public_key], issued);
    },
    revokeOld: (issued = start) => list(root, [signing.public_key], issued),
    newRoot: (issued = start) => list(newKeyPair(), [signing.public_key], issued),
  };
}

const reason = (operation: () => unknown): string => {
  try {
    operation();
  } catch (err) {
    if (err instanceof FeedRefused) return err.reason;
    throw err;
  }
  return 'taken';
};

test('[P4.2] the agent accepts a feed signed by our server, but no file of the feed whose hash differs from the signed hash', () => {
  const us = operator();
  const { set } = openFeed(us.root().public_key, null, us.publish(), start);
  expect(set).toMatchObject({ version: 1, keys_version: 1, sites: null });
  expect(readCataloguePart(checkPart(catalogue, set.catalogue), set)).toEqual({
    ...shippedRecognition([]),
    epoch: 1,
    version: 1,
    issued: start.toISOString(),
  });
  expect(reason(() => checkPart(catalogue.subarray(1), set.catalogue))).toBe('part_length');
  const sameLengthPart = Buffer.from(catalogue).fill('[', 0, 1);
  expect(reason(() => checkPart(sameLengthPart, set.catalogue))).toBe('part_content');
  expect(reason(() => checkSites(sameLengthPart))).toBe('sites');
  expect(reason(() => readCataloguePart(sameLengthPart, set))).toBe('catalogue');
  expect(() =>
    signSet({ version: 1, keys_version: 1, issued: start, catalogue, sites: new Uint8Array(partMax + 1) }, us.signing()),
  ).toThrow();
});

test('an agent follows five key rotations, one at a time or all at once after being offline', () => {
  const us = operator();
  const pinnedRoot = us.root().public_key;
  const onlineFeeds: OpenFeed[] = [openFeed(pinnedRoot, null, us.publish(), start)];
  const offlineFeed = onlineFeeds[0] as OpenFeed;
  const [stolenKey, firstRoot] = [us.signing(), us.root()];
  const offerFeed = (feed: SignedFeed) => onlineFeeds.push(openFeed(pinnedRoot, onlineFeeds.at(-1) ?? null, feed, start));

  us.newSigningKey(start, true);
  offerFeed(us.publish());
  offerFeed(us.publish(start, stolenKey));
  us.revokeOld();
  offerFeed(us.publish());
  const forgedFeed = us.publish(start, stolenKey);
  expect(reason(() => openFeed(pinnedRoot, onlineFeeds.at(-1) ?? null, forgedFeed, start))).toBe('set_signature');
  expect(reason(() => openFeed(pinnedRoot, onlineFeeds.at(-1) ?? null, { ...forgedFeed, keys: forgedFeed.keys.slice(0, 1) }, start))).toBe(
    'set_signature',
  );
  us.newRoot();
  offerFeed(us.publish());
  us.newSigningKey();
  offerFeed(us.publish());
  us.revokeOld();
  offerFeed(us.publish());
  expect(onlineFeeds.map(({ set }) => set.version)).toEqual([1, 2, 3, 4, 6, 7, 8]);

  const afterOffline = openFeed(pinnedRoot, offlineFeed, us.publish(), start);
  expect(afterOffline.keys).toMatchObject({ version: 6, root: us.root().public_key });
  expect(reopenFeed(pinnedRoot, afterOffline.feed).set).toEqual(afterOffline.set);

  // The old root key can no longer sign lists, and earlier keys do not become valid again.
  const oldList = signKeys({ version: 7, issued: start, root: firstRoot.public_key, signing: [stolenKey.public_key] }, firstRoot);
  const setByOldKeys = signSet({ version: 99, keys_version: 7, issued: start, catalogue, sites: null }, stolenKey);
  expect(reason(() => openFeed(pinnedRoot, afterOffline, { keys: [...us.keys, oldList], set: setByOldKeys }, start))).toBe(
    'keys_successor',
  );
  const setByCurrentKeys = signSet({ version: 99, keys_version: 1, issued: start, catalogue, sites: null }, us.signing());
  expect(reason(() => openFeed(pinnedRoot, afterOffline, { keys: us.keys.slice(0, 1), set: setByCurrentKeys }, start))).toBe('keys_older');

  // A new agent pins the new root key and skips documents of the old root key.
  expect(reason(() => openFeed(us.root().public_key, null, us.publish(), start))).toBe('taken');
});

test.each<[string, string, (us: ReturnType<typeof operator>, current: OpenFeed) => [unknown, Date?]]>([
  ['the same version again', 'set_same', (_us, current) => [current.feed]],
  ['an older version', 'set_older', (us) => [us.publish(start, us.signing(), { version: 1 })]],
  ['a set whose time is over', 'set_expired', (us) => [us.publish(), laterDate(validityMs.set)]],
  ['keys whose time is over', 'keys_expired', (us) => [us.publish(laterDate(validityMs.keys)), laterDate(validityMs.keys)]],
  ['a set from before its key was good', 'signing_key_over', (us) => [us.publish(laterDate(-day))]],
  ['a set that another key signed', 'set_signature', (us) => [us.publish(start, newKeyPair())]],
  ['a set that the root signed', 'set_signature', (us) => [us.publish(start, us.root())]],
  ['a list of keys in the place of a set', 'set_signature', (us) => [{ keys: us.keys, set: us.keys[0] }]],
  ['a signed document of another kind', 'not_a_feed', (us) => [{ keys: us.keys, set: signDocument({ version: 9 }, us.signing()) }]],
  [
    'newer keys that are left out',
    'keys_missing',
    (us) => {
      const keyLists = [...us.keys];
      us.revokeOld();
      return [{ keys: keyLists, set: us.publish().set }];
    },
  ],
  [
    'a former set with newer keys',
    'keys_older',
    (us) => {
      const { set } = us.publish();
      us.revokeOld();
      return [{ keys: us.keys, set }];
    },
  ],
  [
    'a gap in the keys',
    'keys_order',
    (us) => {
      us.revokeOld();
      us.revokeOld();
      const { set } = us.publish();
      return [{ keys: us.keys.slice(2), set }];
    },
  ],
  [
    'two lists of keys with one version',
    'keys_order',
    (us) => [
      {
        keys: [signKeys({ version: 1, issued: start, root: us.root().public_key, signing: [newKeyPair().public_key] }, us.root())],
        set: us.publish().set,
      },
    ],
  ],
  [
    'more than a feed can be',
    'too_large',
    (us) => [{ keys: us.keys, set: { ...us.publish().set, payload: 'x'.repeat(documentsMax + 1) } }],
  ],
  ['something else', 'not_a_feed', () => [{ keys: 'all' }]],
  ['nothing', 'not_a_feed', () => [null]],
])('the agent refuses a feed with %s: %s', (_what, expected, makeOffer) => {
  const us = operator();
  const pinnedRoot = us.root().public_key;
  us.publish();
  const current = openFeed(pinnedRoot, null, us.publish(), start);
  const [offered, now = start] = makeOffer(us, current);
  expect(reason(() => openFeed(pinnedRoot, current, offered, now))).toBe(expected);
});

test('the agent continues to use a stored feed after it expires, but not under another root key', () => {
  const us = operator();
  const current = openFeed(us.root().public_key, null, us.publish(), start);
  expect(reopenFeed(us.root().public_key, current.feed).set.version).toBe(1);
  expect(reason(() => reopenFeed(newKeyPair().public_key, current.feed))).toBe('keys_signature');
  expect(partOf(catalogue).length).toBe(catalogue.length);
});

test('[P16.1] of a newer format what cannot be read is left out, and the rest counts; in our own format it is an error', () => {
  const ours = JSON.parse(gunzipSync(catalogueBytes(shippedRecognition([]))).toString('utf8')) as object;
  const written = (format: number) =>
    gzipSync(
      JSON.stringify({
        ...ours,
        ...{ format, skills: ['reads minds'] },
        money: [
          { kind: 'bank', domains: ['bank.example'], since: 2027 },
          { kind: 'moon_base', domains: ['moon.example'] },
        ],
      }),
    );
  expect(readRecognition(written(2)).money).toEqual([{ kind: 'bank', domains: ['bank.example'] }]);
  expect(readRecognition(written(2)).commands).toEqual(shippedRecognition([]).commands);
  expect(() => readRecognition(written(1))).toThrow();
  // What is small as gzip could fill the memory of every computer.
  expect(() => readRecognition(gzipSync(`[${' '.repeat(20 * 1024 * 1024)}]`))).toThrow('larger than');
});
