import { randomUUID } from 'node:crypto';
import type { DevicePolicy } from '@porchlight/contract/agent.ts';
import type { AllowListEntryType } from '@porchlight/contract/allow-list.ts';
import type { Db, Trx } from '../../db/open.ts';
import type { Clock } from '../../lib/clock.ts';

export type AllowListStore = ReturnType<typeof allowListStore>;

/** Allow-list entries; expired entries are ignored, and deleted at the next addition. */
export function allowListStore(db: Db, clock: Clock) {
  const list = (device: string, connection: Db | Trx = db) =>
    connection
      .selectFrom('allow_list')
      .select(['id', 'type', 'identifier', 'added', 'until'])
      .where('device', '=', device)
      .where((row) => row.or([row('until', 'is', null), row('until', '>', clock.now())]))
      .orderBy('added', 'desc')
      .orderBy('id')
      .execute();

  return {
    list,

    async allowOf(device: string): Promise<DevicePolicy['allow']> {
      const rows = await list(device);
      return rows.map(({ type, identifier, until }) => ({ type, identifier, until: until?.toISOString() ?? null, reported_until: null }));
    },

    async add(trx: Trx, device: string, entry: { type: AllowListEntryType; identifier: string; added: Date; until: Date | null }) {
      await trx.deleteFrom('allow_list').where('device', '=', device).where('until', '<=', entry.added).execute();
      return trx
        .insertInto('allow_list')
        .values({ id: randomUUID(), device, ...entry })
        .returning(['id', 'type', 'identifier', 'added', 'until'])
        .executeTakeFirstOrThrow();
    },

    remove: (trx: Trx, device: string, id: string) =>
      trx.deleteFrom('allow_list').where('device', '=', device).where('id', '=', id).returning('id').executeTakeFirst(),
  };
}
