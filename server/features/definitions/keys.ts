import type { SignedDocument } from '@porchlight/contract/shapes.ts';
import { keysPayload } from '@porchlight/definitions/feed-format.ts';
import { lasts, signKeys } from '@porchlight/definitions/feed-make.ts';
import type { KeyPair } from '@porchlight/definitions/signature.ts';
import type { Db, Trx } from '../../db/open.ts';
import { after, type Clock } from '../../lib/clock.ts';
import type { Sealer } from '../../lib/seal.ts';
import { keyFor, replaceKey } from '../../lib/signing-keys.ts';

export interface KeysInForce {
  version: number;
  signing: KeyPair;
}

/** A list of keys is signed anew when less than this is left of it, in milliseconds: nobody sleeps longer through it. */
const renewBefore = lasts.keys / 4;

/** The keys of the feed: the root says which signing key is good. Their private halves lie sealed in the database (P3.2). */
export function feedKeys(db: Db, clock: Clock, sealer: Sealer) {
  const root = (on: Db | Trx) => keyFor(on, sealer, 'definitions');
  const signing = (on: Db | Trx) => keyFor(on, sealer, 'definitions_signing');
  const newest = (on: Db | Trx) => on.selectFrom('feed_keys').selectAll().orderBy('version', 'desc').executeTakeFirst();

  /** Signs the next list with `signer`, which agents know; `next` signs the one after it. */
  const list = async (trx: Trx, signer: KeyPair, next: KeyPair): Promise<KeysInForce> => {
    const version = ((await newest(trx))?.version ?? 0) + 1;
    const good = await signing(trx);
    const document = signKeys({ version, issued: clock.now(), root: next.public_key, signing: [good.public_key] }, signer);
    const { expires } = keysPayload.parse(JSON.parse(document.payload));
    await trx
      .insertInto('feed_keys')
      .values({ version, document: JSON.stringify(document), expires: new Date(expires) })
      .execute();
    return { version, signing: good };
  };

  return {
    /** What a new agent pins. */
    rootKey: async (): Promise<string> => (await root(db)).public_key,

    /** The list in force; the first one is made here, and one that ends soon is signed anew. */
    async inForce(trx: Trx): Promise<KeysInForce> {
      const now = await newest(trx);
      if (now && now.expires > after(clock.now(), renewBefore)) return { version: now.version, signing: await signing(trx) };
      const key = await root(trx);
      return list(trx, key, key);
    },

    async after(known: number): Promise<SignedDocument[]> {
      const rows = await db.selectFrom('feed_keys').select('document').where('version', '>', known).orderBy('version').execute();
      return rows.map(({ document }) => document);
    },

    /** From now on the old signing key is not good any more, whoever has it. */
    async newSigningKey(trx: Trx): Promise<void> {
      const key = await root(trx);
      await replaceKey(trx, sealer, 'definitions_signing');
      await list(trx, key, key);
    },

    /** The old root names the new one, for agents that know the old one; and the new one speaks for itself, for agents that pin it. */
    async newRoot(trx: Trx): Promise<void> {
      const old = await root(trx);
      const next = await replaceKey(trx, sealer, 'definitions');
      await list(trx, old, next);
      await list(trx, next, next);
    },
  };
}
