import type { SignedFeed } from '@porchlight/contract/shapes.ts';
import { expect, test } from 'vitest';
import { checkPart, checkSites, type OpenFeed, openFeed, partOf, readCataloguePart, reopenFeed } from './feed.ts';
import { documentsMax, partMax } from './feed-format.ts';
import { catalogueBytes, lasts, signKeys, signSet } from './feed-make.ts';
import { FeedRefused } from './feed-refused.ts';
import { type KeyPair, newKeyPair, signDocument } from './signature.ts';

const day = 86_400_000;
const start = new Date('2026-11-21T12:00:00.000Z');
const later = (ms: number) => new Date(start.getTime() + ms);
const catalogue = catalogueBytes([]);

/** An operator: the keys in force, everything that was published, and the steps of a rotation. */
function operator() {
  let [root, signing] = [newKeyPair(), newKeyPair()];
  const keys = [signKeys({ version: 1, issued: start, root: root.public_key, signing: [signing.public_key] }, root)];
  let version = 0;
  const list = (next: KeyPair, good: string[], issued: Date) => {
    keys.push(signKeys({ version: keys.length + 1, issued, root: next.public_key, signing: good }, root));
    root = next;
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
    /** With `beside`, the old key stays good for now. */
    newSigningKey(issued = start, beside = false) {
      const old = signing.public_key;
      signing = newKeyPair();
      list(root, beside ? [old, signing.public_key] : [signing.public_key], issued);
    },
    revokeOld: (issued = start) => list(root, [signing.public_key], issued),
    newRoot: (issued = start) => list(newKeyPair(), [signing.public_key], issued),
  };
}

const reason = (work: () => unknown): string => {
  try {
    work();
  } catch (err) {
    if (err instanceof FeedRefused) return err.reason;
    throw err;
  }
  return 'taken';
};

test('[P4.2] a feed that our server signed is taken, and its parts are what was signed or nothing', () => {
  const us = operator();
  const { set } = openFeed(us.root().public_key, null, us.publish(), start);
  expect(set).toMatchObject({ version: 1, keys_version: 1, sites: null });
  expect(readCataloguePart(checkPart(catalogue, set.catalogue), set)).toEqual({
    epoch: 1,
    version: 1,
    issued: start.toISOString(),
    definitions: [],
  });
  expect(reason(() => checkPart(catalogue.subarray(1), set.catalogue))).toBe('part_length');
  const turned = Buffer.from(catalogue).fill('[', 0, 1);
  expect(reason(() => checkPart(turned, set.catalogue))).toBe('part_content');
  expect(reason(() => checkSites(turned))).toBe('sites');
  expect(reason(() => readCataloguePart(turned, set))).toBe('catalogue');
  expect(() =>
    signSet({ version: 1, keys_version: 1, issued: start, catalogue, sites: new Uint8Array(partMax + 1) }, us.signing()),
  ).toThrow();
});

test('five steps of rotation, each followed as it comes, and all at once by who slept through them', () => {
  const us = operator();
  const pinned = us.root().public_key;
  const awake: OpenFeed[] = [openFeed(pinned, null, us.publish(), start)];
  const asleep = awake[0] as OpenFeed;
  const [stolen, firstRoot] = [us.signing(), us.root()];
  const hear = (feed: SignedFeed) => awake.push(openFeed(pinned, awake.at(-1) ?? null, feed, start));

  us.newSigningKey(start, true);
  hear(us.publish());
  hear(us.publish(start, stolen));
  us.revokeOld();
  hear(us.publish());
  const forged = us.publish(start, stolen);
  expect(reason(() => openFeed(pinned, awake.at(-1) ?? null, forged, start))).toBe('set_signature');
  expect(reason(() => openFeed(pinned, awake.at(-1) ?? null, { ...forged, keys: forged.keys.slice(0, 1) }, start))).toBe('set_signature');
  us.newRoot();
  hear(us.publish());
  us.newSigningKey();
  hear(us.publish());
  us.revokeOld();
  hear(us.publish());
  expect(awake.map(({ set }) => set.version)).toEqual([1, 2, 3, 4, 6, 7, 8]);

  const caughtUp = openFeed(pinned, asleep, us.publish(), start);
  expect(caughtUp.keys).toMatchObject({ version: 6, root: us.root().public_key });
  expect(reopenFeed(pinned, caughtUp.feed).set).toEqual(caughtUp.set);

  // The old root says nothing any more, and keys of before do not come back.
  const old = signKeys({ version: 7, issued: start, root: firstRoot.public_key, signing: [stolen.public_key] }, firstRoot);
  const byOld = signSet({ version: 99, keys_version: 7, issued: start, catalogue, sites: null }, stolen);
  expect(reason(() => openFeed(pinned, caughtUp, { keys: [...us.keys, old], set: byOld }, start))).toBe('keys_signature');
  const again = signSet({ version: 99, keys_version: 1, issued: start, catalogue, sites: null }, us.signing());
  expect(reason(() => openFeed(pinned, caughtUp, { keys: us.keys.slice(0, 1), set: again }, start))).toBe('keys_older');

  // Who is new pins the new root, and passes over what the old one signed.
  expect(reason(() => openFeed(us.root().public_key, null, us.publish(), start))).toBe('taken');
});

test.each<[string, string, (us: ReturnType<typeof operator>, held: OpenFeed) => [unknown, Date?]]>([
  ['the same version again', 'set_same', (_us, held) => [held.feed]],
  ['an older version', 'set_older', (us) => [us.publish(start, us.signing(), { version: 1 })]],
  ['a set whose time is over', 'set_expired', (us) => [us.publish(), later(lasts.set)]],
  ['keys whose time is over', 'keys_expired', (us) => [us.publish(later(lasts.keys)), later(lasts.keys)]],
  ['a set from before its key was good', 'signing_key_over', (us) => [us.publish(later(-day))]],
  ['a set that another key signed', 'set_signature', (us) => [us.publish(start, newKeyPair())]],
  ['a set that the root signed', 'set_signature', (us) => [us.publish(start, us.root())]],
  ['a list of keys in the place of a set', 'set_signature', (us) => [{ keys: us.keys, set: us.keys[0] }]],
  ['a signed document of another kind', 'not_a_feed', (us) => [{ keys: us.keys, set: signDocument({ version: 9 }, us.signing()) }]],
  [
    'newer keys that are left out',
    'keys_missing',
    (us) => {
      const known = [...us.keys];
      us.revokeOld();
      return [{ keys: known, set: us.publish().set }];
    },
  ],
  [
    'a set of before with newer keys',
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
])('%s is refused: %s', (_what, expected, make) => {
  const us = operator();
  const pinned = us.root().public_key;
  us.publish();
  const held = openFeed(pinned, null, us.publish(), start);
  const [offered, now = start] = make(us, held);
  expect(reason(() => openFeed(pinned, held, offered, now))).toBe(expected);
});

test('what is in force goes on protecting when its time is over, and under no other root', () => {
  const us = operator();
  const held = openFeed(us.root().public_key, null, us.publish(), start);
  expect(reopenFeed(us.root().public_key, held.feed).set.version).toBe(1);
  expect(reason(() => reopenFeed(newKeyPair().public_key, held.feed))).toBe('keys_signature');
  expect(partOf(catalogue).length).toBe(catalogue.length);
});
