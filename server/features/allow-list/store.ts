import { randomUUID } from 'node:crypto';
import type { AllowListEntryType } from '@porchlight/contract/allow-list.ts';
import { sql } from 'kysely';
import type { Db, Trx } from '../../db/open.ts';
import { type Clock, isoTime } from '../../lib/clock.ts';
import type { PolicyPart } from '../../ports.ts';

interface FoundEntry {
  id: string;
  type: AllowListEntryType;
  identifier: string;
  until: string | null;
}

/** The newest first. */
export const allowedInPolicy: PolicyPart<FoundEntry[], FoundEntry[] | null> = {
  found: sql`(
    select jsonb_agg(jsonb_build_object('id', a.id, 'type', a.type, 'identifier', a.identifier, 'until', a.until) order by a.added desc, a.id)
    from allow_list a
    where a.device = d.uuid and (a.until is null or a.until > now.time) and a.waits_entry is null and a.refused is null)`,
  read: (found) => (found ?? []).map(({ until, ...entry }) => ({ ...entry, until: until && isoTime(until) })),
};

export type AllowListStore = ReturnType<typeof allowListStore>;

/** Allow-list entries, refused ones among them; expired entries are ignored, and deleted at the next addition. */
export function allowListStore(db: Db, clock: Clock) {
  const list = (device: string, connection: Db | Trx = db) =>
    connection
      .selectFrom('allow_list')
      .select(['id', 'type', 'identifier', 'added', 'until', 'waits_entry', 'refused', 'refused_by'])
      .where('device', '=', device)
      .where((row) => row.or([row('until', 'is', null), row('until', '>', clock.now())]))
      .orderBy('added', 'desc')
      .orderBy('id')
      .execute();

  return {
    list,

    async add(trx: Trx, device: string, entry: { type: AllowListEntryType; identifier: string; added: Date; until: Date | null }) {
      await trx
        .deleteFrom('allow_list')
        .where('device', '=', device)
        .where((row) =>
          row.or([row('until', '<=', entry.added), row.and([row('refused', 'is not', null), row('identifier', '=', entry.identifier)])]),
        )
        .execute();
      return trx
        .insertInto('allow_list')
        .values({ id: randomUUID(), device, ...entry })
        .returning(['id', 'type', 'identifier', 'added', 'until', 'waits_entry', 'refused', 'refused_by'])
        .executeTakeFirstOrThrow();
    },

    /** Its program waits for a yes from now on. `entry`: the activity-log entry of its addition. Whether it has no end. */
    async wait(trx: Trx, device: string, id: string, entry: string): Promise<boolean> {
      const rows = trx.updateTable('allow_list').set({ waits_entry: entry }).where('device', '=', device).where('id', '=', id);
      const row = await rows.where('refused', 'is', null).returning('until').executeTakeFirst();
      return row?.until === null;
    },

    /** Allows what waits, as it was added, or until a time. */
    letRun: (trx: Trx, device: string, id: string, until: Date | null) =>
      trx
        .updateTable('allow_list')
        .set({ waits_entry: null, ...(until ? { until } : {}) })
        .where('device', '=', device)
        .where('id', '=', id)
        .execute(),

    refuse: (trx: Trx, device: string, id: string, refused_by: string) =>
      trx
        .updateTable('allow_list')
        .set({ waits_entry: null, refused: clock.now(), refused_by })
        .where('device', '=', device)
        .where('id', '=', id)
        .execute(),

    remove: (trx: Trx, device: string, id: string) =>
      trx.deleteFrom('allow_list').where('device', '=', device).where('id', '=', id).returning('id').executeTakeFirst(),
  };
}
