import { sha256Of } from '@porchlight/definitions/feed.ts';
import type { Db, Trx } from '../../db/open.ts';
import { after, type Clock } from '../../lib/clock.ts';

/** Old parts are retained for these milliseconds, so that agents can finish fetching an older set. */
const retentionMs = 86_400_000;

/** The parts that agents fetch now: catalogue, sites and changes of them. */
const cachedMax = { parts: 4, bytes: 8 * 1024 * 1024 };

/** Parts of published definition sets, by SHA-256. */
export function partStore(clock: Clock) {
  const find = async (connection: Db | Trx, sha256: string): Promise<Buffer | null> =>
    (await connection.selectFrom('feed_parts').select('bytes').where('sha256', '=', sha256).executeTakeFirst())?.bytes ?? null;

  const [loaded, loading] = [new Map<string, Buffer>(), new Map<string, Promise<Buffer | null>>()];
  const load = async (db: Db, sha256: string): Promise<Buffer | null> => {
    const bytes = await find(db, sha256).finally(() => loading.delete(sha256));
    if (!bytes || bytes.length > cachedMax.bytes) return bytes;
    loaded.set(sha256, bytes);
    const [oldest] = loaded.keys();
    if (oldest && loaded.size > cachedMax.parts) loaded.delete(oldest);
    return bytes;
  };

  return {
    find,
    /** As `find`. After a change all agents fetch the same parts within seconds, so the newest stay in memory and are read once. */
    async findCached(db: Db, sha256: string): Promise<Buffer | null> {
      const bytes = loaded.get(sha256);
      if (bytes) return bytes;
      const reading = loading.get(sha256) ?? load(db, sha256);
      loading.set(sha256, reading);
      return reading;
    },
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
