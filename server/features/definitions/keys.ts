import { serverLimits } from '@porchlight/contract/server-limits.ts';
import { type SignedDocument, signedDocument } from '@porchlight/contract/shapes.ts';
import { type GoodKey, type KeysPayload, keysPayload, releasePayload } from '@porchlight/definitions/feed-format.ts';
import { goodFrom, signKeys, validityMs } from '@porchlight/definitions/feed-make.ts';
import { type KeyPair, openDocument } from '@porchlight/definitions/signature.ts';
import { sql } from 'kysely';
import type { z } from 'zod';
import type { Db, Trx } from '../../db/open.ts';
import { after, type Clock } from '../../lib/clock.ts';
import type { Sealer } from '../../secrets/seal.ts';
import { keyFor, replaceKey } from '../../secrets/signing-keys.ts';

export interface KeysInForce {
  epoch: number;
  version: number;
  signing: KeyPair;
}

/** A key list is renewed when it expires within this many milliseconds. Agents offline for longer may miss the renewal. */
const renewBeforeMs = validityMs.keys / 4;

/** How long the previous key stays valid unless it was stolen, in milliseconds. */
const overlapMs = { policy: serverLimits.policy_key_overlap, link: serverLimits.link_key_overlap };
export type Rotated = keyof typeof overlapMs;

interface Change {
  /** A new root key, which signs the key lists after this one. */
  root?: KeyPair;
  epoch?: number;
  /** The purpose whose key was replaced; its previous key is valid until `until`. */
  replaced?: { purpose: Rotated; until: Date };
  release?: SignedDocument;
}

/** The key lists that agents follow from their pinned root key. Private keys are sealed in the database (P3.2). */
export function feedKeys(db: Db, clock: Clock, sealer: Sealer) {
  const root = (connection: Db | Trx) => keyFor(connection, sealer, 'definitions');
  const signing = (connection: Db | Trx) => keyFor(connection, sealer, 'definitions_signing');
  const newest = async (connection: Db | Trx): Promise<KeysPayload | null> => {
    const row = await connection.selectFrom('feed_keys').select('document').orderBy('version', 'desc').limit(1).executeTakeFirst();
    return row ? keysPayload.parse(JSON.parse(row.document.payload)) : null;
  };

  const validKeysOf = async (trx: Trx, purpose: Rotated, previousKeys: KeysPayload | null, { replaced }: Change): Promise<GoodKey[]> => {
    const currentKey = await keyFor(trx, sealer, purpose);
    const ends = (until: string) => (replaced?.purpose === purpose ? earlier(until, replaced.until) : until);
    const otherKeys = (previousKeys?.[purpose] ?? []).filter(({ public_key }) => public_key !== currentKey.public_key);
    const stillValid = otherKeys
      .map((key) => ({ ...key, until: ends(key.until) }))
      .filter(({ until }) => Date.parse(until) > clock.now().getTime());
    return [goodFrom(currentKey.public_key, clock.now()), ...stillValid];
  };

  /** Publishes a new key list, signed by `signer`, a key that agents know. */
  const list = async (trx: Trx, signer: KeyPair, change: Change = {}): Promise<KeysInForce> => {
    const previousKeys = await newest(trx);
    const version = (previousKeys?.version ?? 0) + 1;
    const epoch = change.epoch ?? previousKeys?.epoch ?? 1;
    const signingKey = await signing(trx);
    const [policy, link] = [await validKeysOf(trx, 'policy', previousKeys, change), await validKeysOf(trx, 'link', previousKeys, change)];
    const release = [...(previousKeys?.release ?? []), ...(change.release ? [change.release] : [])];
    const listedKeys = { root: (change.root ?? signer).public_key, signing: [signingKey.public_key], policy, link, release };
    const document = signKeys({ epoch, version, issued: clock.now(), ...listedKeys }, signer);
    const { expires } = keysPayload.parse(JSON.parse(document.payload));
    await trx
      .insertInto('feed_keys')
      .values({ version, epoch, document: JSON.stringify(document), expires: new Date(expires) })
      .execute();
    return { epoch, version, signing: signingKey };
  };

  /** Whether the key list contains every key in use. */
  const isComplete = async (trx: Trx, keys: KeysPayload): Promise<boolean> => {
    const usedKeys = { policy: await keyFor(trx, sealer, 'policy'), link: await keyFor(trx, sealer, 'link') };
    return (['policy', 'link'] as const).every((purpose) => keys[purpose].some((key) => key.public_key === usedKeys[purpose].public_key));
  };

  return {
    rootKey: async (): Promise<string> => (await root(db)).public_key,

    /** Creates the first key list, and renews the current list before it expires. */
    async inForce(trx: Trx): Promise<KeysInForce> {
      const currentKeys = await newest(trx);
      const isFresh = currentKeys && Date.parse(currentKeys.expires) > after(clock.now(), renewBeforeMs).getTime();
      if (currentKeys && isFresh && (await isComplete(trx, currentKeys)))
        return { epoch: currentKeys.epoch, version: currentKeys.version, signing: await signing(trx) };
      return list(trx, await root(trx));
    },

    async after(knownVersion: { epoch: number; version: number }): Promise<SignedDocument[]> {
      const rows = await db
        .selectFrom('feed_keys')
        .select('document')
        .where(sql<boolean>`(epoch, version) > (${knownVersion.epoch}, ${knownVersion.version})`)
        .orderBy('version')
        .execute();
      return rows.map(({ document }) => document);
    },

    async newSigningKey(trx: Trx): Promise<void> {
      await replaceKey(trx, sealer, 'definitions_signing');
      await list(trx, await root(trx));
    },

    /** Replaces a key. If the previous key may be `stolen`, its signatures become invalid immediately. */
    async newKey(trx: Trx, purpose: Rotated, { stolen }: { stolen: boolean }): Promise<void> {
      await replaceKey(trx, sealer, purpose);
      await list(trx, await root(trx), { replaced: { purpose, until: after(clock.now(), stolen ? 0 : overlapMs[purpose]) } });
    },

    /** The old root key signs the new root key for agents that pinned the old one; the new root key signs itself for new agents. */
    async newRoot(trx: Trx): Promise<void> {
      const oldRoot = await root(trx);
      const newRootKey = await replaceKey(trx, sealer, 'definitions');
      await list(trx, oldRoot, { root: newRootKey });
      await list(trx, newRootKey);
    },

    /** Publishes the operator's statement about the next release key if it follows the previous statement. */
    async newReleaseKey(trx: Trx, text: string): Promise<{ outcome: 'done' | 'known' | 'does_not_follow' | 'no_statement'; next: string }> {
      const outcome = readStatement(text);
      if (!outcome) return { outcome: 'no_statement', next: '' };
      const { from, next } = outcome.payload;
      const lastRelease = (await newest(trx))?.release.at(-1);
      const expectedKey = lastRelease && releasePayload.parse(JSON.parse(lastRelease.payload)).next;
      if (expectedKey === next) return { outcome: 'known', next };
      if (expectedKey !== undefined && expectedKey !== from) return { outcome: 'does_not_follow', next };
      await list(trx, await root(trx), { release: outcome.document });
      return { outcome: 'done', next };
    },

    /** A new epoch lets agents accept lower versions. It is the time in seconds, so it exceeds any epoch lost in a restore. */
    async raiseEpoch(trx: Trx): Promise<number> {
      const previousEpoch = (await newest(trx))?.epoch ?? 1;
      const { epoch } = await list(trx, await root(trx), { epoch: Math.max(previousEpoch + 1, Math.floor(clock.now().getTime() / 1000)) });
      return epoch;
    },
  };
}

/** A release-key statement; null when it is malformed or not signed by its own key. */
function readStatement(text: string): { document: SignedDocument; payload: z.infer<typeof releasePayload> } | null {
  try {
    const document = signedDocument.parse(JSON.parse(text));
    const { from } = releasePayload.parse(JSON.parse(document.payload));
    const payload = openDocument(document, from, releasePayload);
    return payload && { document, payload };
  } catch {
    return null;
  }
}

const earlier = (isoTime: string, otherTime: Date): string =>
  Date.parse(isoTime) < otherTime.getTime() ? isoTime : otherTime.toISOString();
