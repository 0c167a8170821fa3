import { sha256Of } from '@porchlight/definitions/feed.ts';
import type { Db, Trx } from '../../db/open.ts';
import { after, type Clock } from '../../lib/clock.ts';

/** Old parts are retained for these milliseconds, so that agents can finish fetching an older set. */
const retentionMs = 86_400_000;

/** Parts of published definition sets, by SHA-256. */
export function partStore(clock: Clock) {
  const find = async (connection: Db | Trx, sha256: string): Promise<Buffer | null> =>
    (await connection.selectFrom('feed_parts').select('bytes').where('sha256', '=', sha256).executeTakeFirst())?.bytes ?? null;

  return {
    find,
    async need(connection: Db | Trx, sha256: string | null | undefined): Promise<Buffer> {
      const bytes = sha256 ? await find(connection, sha256) : null;
      if (!bytes) throw new Error(`A part of the published definitions is missing (${sha256 ?? 'none was published'}).`);
      return bytes;
    },
    put: (trx: Trx, bytes: Uint8Array) =>
      trx
        .insertInto('feed_parts')
        .values({ sha256: sha256Of(bytes), bytes: Buffer.from(bytes), created: clock.now() })
        .onConflict((oc) => oc.column('sha256').doUpdateSet({ created: clock.now() }))
        .execute(),
    forgetOthers: (trx: Trx, usedHashes: string[]) =>
      trx.deleteFrom('feed_parts').where('sha256', 'not in', usedHashes).where('created', '<', after(clock.now(), -retentionMs)).execute(),
  };
}
