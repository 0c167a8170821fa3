import { serverLimits } from '@porchlight/contract/server-limits.ts';
import { type SignedDocument, signedDocument } from '@porchlight/contract/shapes.ts';
import { type GoodKey, type KeysPayload, keysPayload, releasePayload } from '@porchlight/definitions/feed-format.ts';
import { goodFrom, lasts, signKeys } from '@porchlight/definitions/feed-make.ts';
import { type KeyPair, openDocument } from '@porchlight/definitions/signature.ts';
import { sql } from 'kysely';
import type { z } from 'zod';
import type { Db, Trx } from '../../db/open.ts';
import { after, type Clock } from '../../lib/clock.ts';
import type { Sealer } from '../../lib/seal.ts';
import { keyFor, replaceKey } from '../../lib/signing-keys.ts';

export interface KeysInForce {
  epoch: number;
  version: number;
  signing: KeyPair;
}

/** A list of keys is signed anew when less than this is left of it, in milliseconds: nobody sleeps longer through it. */
const renewBefore = lasts.keys / 4;

/** In milliseconds: how long the key before is still good, after a change that was not made because it is known to somebody. */
const overlap = { policy: serverLimits.policy_key_overlap, link: serverLimits.link_key_overlap };
export type Rotated = keyof typeof overlap;

/** What the next list says otherwise than the one before it. */
interface Change {
  /** Signs the list after it, where that is another one. */
  root?: KeyPair;
  epoch?: number;
  /** The key of this purpose was replaced, and the one before is good until then. */
  replaced?: { purpose: Rotated; until: Date };
  release?: SignedDocument;
}

/** The lists of keys that agents follow: the root says which other keys are good. The private halves lie sealed in the database (P3.2). */
export function feedKeys(db: Db, clock: Clock, sealer: Sealer) {
  const root = (on: Db | Trx) => keyFor(on, sealer, 'definitions');
  const signing = (on: Db | Trx) => keyFor(on, sealer, 'definitions_signing');
  const newest = async (on: Db | Trx): Promise<KeysPayload | null> => {
    const row = await on.selectFrom('feed_keys').select('document').orderBy('version', 'desc').executeTakeFirst();
    return row ? keysPayload.parse(JSON.parse(row.document.payload)) : null;
  };

  /** The key in force, and what is still good beside it. */
  const goodOf = async (trx: Trx, purpose: Rotated, before: KeysPayload | null, { replaced }: Change): Promise<GoodKey[]> => {
    const now = await keyFor(trx, sealer, purpose);
    const ends = (until: string) => (replaced?.purpose === purpose ? earlier(until, replaced.until) : until);
    const others = (before?.[purpose] ?? []).filter(({ public_key }) => public_key !== now.public_key);
    const kept = others.map((key) => ({ ...key, until: ends(key.until) })).filter(({ until }) => Date.parse(until) > clock.now().getTime());
    return [goodFrom(now.public_key, clock.now()), ...kept];
  };

  /** Signs the next list with `signer`, which agents know. */
  const list = async (trx: Trx, signer: KeyPair, change: Change = {}): Promise<KeysInForce> => {
    const before = await newest(trx);
    const version = (before?.version ?? 0) + 1;
    const epoch = change.epoch ?? before?.epoch ?? 1;
    const good = await signing(trx);
    const [policy, link] = [await goodOf(trx, 'policy', before, change), await goodOf(trx, 'link', before, change)];
    const release = [...(before?.release ?? []), ...(change.release ? [change.release] : [])];
    const named = { root: (change.root ?? signer).public_key, signing: [good.public_key], policy, link, release };
    const document = signKeys({ epoch, version, issued: clock.now(), ...named }, signer);
    const { expires } = keysPayload.parse(JSON.parse(document.payload));
    await trx
      .insertInto('feed_keys')
      .values({ version, epoch, document: JSON.stringify(document), expires: new Date(expires) })
      .execute();
    return { epoch, version, signing: good };
  };

  /** Whether it names every key that is in use. */
  const isWhole = async (trx: Trx, keys: KeysPayload): Promise<boolean> => {
    const used = { policy: await keyFor(trx, sealer, 'policy'), link: await keyFor(trx, sealer, 'link') };
    return (['policy', 'link'] as const).every((purpose) => keys[purpose].some((key) => key.public_key === used[purpose].public_key));
  };

  return {
    /** What a new agent pins. */
    rootKey: async (): Promise<string> => (await root(db)).public_key,

    /** The list in force; the first one is made here, and one that ends soon is signed anew. */
    async inForce(trx: Trx): Promise<KeysInForce> {
      const now = await newest(trx);
      const lives = now && Date.parse(now.expires) > after(clock.now(), renewBefore).getTime();
      if (now && lives && (await isWhole(trx, now))) return { epoch: now.epoch, version: now.version, signing: await signing(trx) };
      return list(trx, await root(trx));
    },

    /** Those that somebody lacks who knows all up to this one. */
    async after(known: { epoch: number; version: number }): Promise<SignedDocument[]> {
      const rows = await db
        .selectFrom('feed_keys')
        .select('document')
        .where(sql<boolean>`(epoch, version) > (${known.epoch}, ${known.version})`)
        .orderBy('version')
        .execute();
      return rows.map(({ document }) => document);
    },

    /** From now on the old signing key is not good any more, whoever has it. */
    async newSigningKey(trx: Trx): Promise<void> {
      await replaceKey(trx, sealer, 'definitions_signing');
      await list(trx, await root(trx));
    },

    /** `stolen`: somebody may know the key before, so nothing that it signed is taken from now on, also what we signed ourselves. */
    async newKey(trx: Trx, purpose: Rotated, { stolen }: { stolen: boolean }): Promise<void> {
      await replaceKey(trx, sealer, purpose);
      await list(trx, await root(trx), { replaced: { purpose, until: after(clock.now(), stolen ? 0 : overlap[purpose]) } });
    },

    /** The old root names the new one, for agents that know the old one; and the new one speaks for itself, for agents that pin it. */
    async newRoot(trx: Trx): Promise<void> {
      const old = await root(trx);
      const next = await replaceKey(trx, sealer, 'definitions');
      await list(trx, old, { root: next });
      await list(trx, next);
    },

    /** Passes on the operator's word which release key comes next, if it follows the last one. `next`: the key that it names. */
    async newReleaseKey(trx: Trx, text: string): Promise<{ outcome: 'done' | 'known' | 'does_not_follow' | 'no_statement'; next: string }> {
      const word = readStatement(text);
      if (!word) return { outcome: 'no_statement', next: '' };
      const { from, next } = word.payload;
      const last = (await newest(trx))?.release.at(-1);
      const before = last && releasePayload.parse(JSON.parse(last.payload)).next;
      if (before === next) return { outcome: 'known', next };
      if (before !== undefined && before !== from) return { outcome: 'does_not_follow', next };
      await list(trx, await root(trx), { release: word.document });
      return { outcome: 'done', next };
    },

    /**
     * Agents take lower versions of this epoch. The epoch is the time in seconds, so it is higher than any epoch that the database lost when it was
     * restored.
     */
    async raiseEpoch(trx: Trx): Promise<number> {
      const before = (await newest(trx))?.epoch ?? 1;
      const { epoch } = await list(trx, await root(trx), { epoch: Math.max(before + 1, Math.floor(clock.now().getTime() / 1000)) });
      return epoch;
    },
  };
}

/** Null for what is none, or is not signed by the key that it says. */
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

const earlier = (one: string, other: Date): string => (Date.parse(one) < other.getTime() ? one : other.toISOString());
