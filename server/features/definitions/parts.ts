import { sha256Of } from '@porchlight/definitions/feed.ts';
import type { Db, Trx } from '../../db/open.ts';
import { after, type Clock } from '../../lib/clock.ts';

/** In milliseconds: an agent that is in the middle of fetching a set finds its parts. */
const keptFor = 86_400_000;

/** The bytes that published sets name, by their SHA-256. */
export function partStore(clock: Clock) {
  const find = async (on: Db | Trx, sha256: string): Promise<Buffer | null> =>
    (await on.selectFrom('feed_parts').select('bytes').where('sha256', '=', sha256).executeTakeFirst())?.bytes ?? null;

  return {
    find,
    /** Throws when it is not there. */
    async need(on: Db | Trx, sha256: string | null | undefined): Promise<Buffer> {
      const bytes = sha256 ? await find(on, sha256) : null;
      if (!bytes) throw new Error(`A part of the published definitions is missing (${sha256 ?? 'none was published'}).`);
      return bytes;
    },
    put: (trx: Trx, bytes: Uint8Array) =>
      trx
        .insertInto('feed_parts')
        .values({ sha256: sha256Of(bytes), bytes: Buffer.from(bytes), created: clock.now() })
        .onConflict((oc) => oc.column('sha256').doUpdateSet({ created: clock.now() }))
        .execute(),
    forgetOthers: (trx: Trx, named: string[]) =>
      trx.deleteFrom('feed_parts').where('sha256', 'not in', named).where('created', '<', after(clock.now(), -keptFor)).execute(),
  };
}
