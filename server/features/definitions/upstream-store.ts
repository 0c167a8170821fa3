import { type OpenFeed, reopenFeed } from '@porchlight/definitions/feed.ts';
import { type Recognition, readRecognition } from '@porchlight/definitions/recognition.ts';
import type { Db } from '../../db/open.ts';
import type { Clock } from '../../lib/clock.ts';

/** Sets that stay stored, so that a bad one can be taken back. */
const sets_max = 3;

/** A set of the project's feed that was taken. `sites`: a list of sites that takes the place of the first list; null if it brings none. */
export interface TakenSet {
  version: number;
  issued: Date;
  recognition: Recognition;
  sites: Uint8Array | null;
  /** SHA-256 of the recognition that this server shipped with when the set was taken. */
  shipped: string;
}

export type UpstreamStore = ReturnType<typeof upstreamStore>;
export type UpstreamRow = NonNullable<Awaited<ReturnType<UpstreamStore['state']>>>;

/** Sets of the feed that `root` signs, and what became of the last fetch from each address. */
export function upstreamStore(db: Db, clock: Clock, root: string) {
  const sets = () => db.selectFrom('upstream_sets').where('root', '=', root).orderBy('epoch', 'desc').orderBy('version', 'desc');
  const note = async (url: string, row: { etag?: string | null; fetched?: Date; problem: string | null; refused: string | null }) => {
    const values = { tried: clock.now(), ...row };
    await db
      .insertInto('upstream_feeds')
      .values({ url, ...values })
      .onConflict((oc) => oc.column('url').doUpdateSet(values))
      .execute();
  };

  return {
    state: (url: string) => db.selectFrom('upstream_feeds').selectAll().where('url', '=', url).executeTakeFirst(),

    /** The newest set that was ever taken, also if it was taken back: nothing older is taken. */
    async newest(): Promise<OpenFeed | null> {
      const row = await sets().select('feed').limit(1).executeTakeFirst();
      return row ? reopenFeed(root, row.feed) : null;
    },

    /** The newest set that was not taken back. */
    async inForce(): Promise<TakenSet | null> {
      const row = await sets().selectAll().where('taken_back', 'is', null).limit(1).executeTakeFirst();
      if (!row) return null;
      const { set } = reopenFeed(root, row.feed);
      const recognition = readRecognition(row.catalogue);
      return { version: set.version, issued: new Date(set.issued), recognition, sites: row.sites, shipped: row.shipped };
    },

    async take({ feed, set }: OpenFeed, bytes: { catalogue: Uint8Array; sites: Uint8Array | null }, shipped: string): Promise<void> {
      const { epoch, version } = set;
      const row = { root, epoch, version, feed: JSON.stringify(feed), shipped, taken: clock.now() };
      await db
        .insertInto('upstream_sets')
        .values({ ...row, catalogue: Buffer.from(bytes.catalogue), sites: bytes.sites && Buffer.from(bytes.sites) })
        .onConflict((oc) => oc.doNothing())
        .execute();
      const newest = await sets().select(['epoch', 'version']).limit(sets_max).execute();
      const oldest = newest.at(-1);
      if (!oldest) return;
      await db
        .deleteFrom('upstream_sets')
        .where((eb) =>
          eb.or([
            eb('root', '!=', root),
            eb('epoch', '<', oldest.epoch),
            eb.and([eb('epoch', '=', oldest.epoch), eb('version', '<', oldest.version)]),
          ]),
        )
        .execute();
    },

    /** The set in force counts no longer, and is never taken again. Null if there is none. */
    async takeBack(): Promise<{ version: number } | null> {
      const row = await sets().select(['epoch', 'version']).where('taken_back', 'is', null).limit(1).executeTakeFirst();
      if (!row) return null;
      await db
        .updateTable('upstream_sets')
        .set({ taken_back: clock.now() })
        .where('root', '=', root)
        .where('epoch', '=', row.epoch)
        .where('version', '=', row.version)
        .execute();
      return row;
    },

    good: (url: string, etag: string | null) => note(url, { etag, fetched: clock.now(), problem: null, refused: null }),
    unchanged: (url: string) => note(url, { fetched: clock.now(), problem: null, refused: null }),
    /** `refused`: SHA-256 of the signed text of a set that was refused for its content, which the operator can accept. */
    failed: (url: string, problem: string, refused: string | null) => note(url, { etag: null, problem: problem.slice(0, 500), refused }),

    /** The refused set is taken at the next fetch. False if none was refused. */
    async accept(url: string): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('upstream_feeds')
        .set((eb) => ({ accepted: eb.ref('refused') }))
        .where('url', '=', url)
        .where('refused', 'is not', null)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },
  };
}
