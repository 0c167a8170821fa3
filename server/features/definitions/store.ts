import { createHash } from 'node:crypto';
import type { SignedDocument } from '@porchlight/contract/shapes.ts';
import type { Definition, DefinitionSet } from '@porchlight/definitions/format.ts';
import { type KeyPair, signDocument } from '@porchlight/definitions/signature.ts';
import { sql } from 'kysely';
import { notify } from '../../db/notify.ts';
import type { Db } from '../../db/open.ts';
import type { Clock } from '../../lib/clock.ts';

/** The signed sets that agents fetch; versions only ever grow. */
export function definitionStore(db: Db, clock: Clock, key: KeyPair) {
  return {
    /** Publishes the catalogue that this server came with, unless the newest published set has the same content and key. */
    publish: (definitions: Definition[]): Promise<number> =>
      db.transaction().execute(async (trx) => {
        await sql`lock table definition_sets in exclusive mode`.execute(trx);
        const content_hash = createHash('sha256').update(key.public_key).update(JSON.stringify(definitions)).digest('hex');
        const newest = await trx
          .selectFrom('definition_sets')
          .select(['version', 'content_hash'])
          .orderBy('version', 'desc')
          .executeTakeFirst();
        if (newest?.content_hash === content_hash) return newest.version;
        const version = (newest?.version ?? 0) + 1;
        const issued = clock.now();
        const set: DefinitionSet = { version, issued: issued.toISOString(), definitions };
        await trx
          .insertInto('definition_sets')
          .values({ version, content_hash, issued, document: JSON.stringify(signDocument(set, key)) })
          .execute();
        await notify(trx, 'definitions', String(version));
        return version;
      }),

    async newestVersion(): Promise<number> {
      const row = await db.selectFrom('definition_sets').select('version').orderBy('version', 'desc').executeTakeFirst();
      return row?.version ?? 0;
    },

    async newest(): Promise<SignedDocument> {
      const { document } = await db.selectFrom('definition_sets').select('document').orderBy('version', 'desc').executeTakeFirstOrThrow();
      return document;
    },
  };
}
