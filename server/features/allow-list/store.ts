import { randomUUID } from 'node:crypto';
import type { DevicePolicy } from '@porchlight/contract/agent.ts';
import type { ExceptionType } from '@porchlight/contract/exceptions.ts';
import type { Db, Trx } from '../../db/open.ts';
import type { Clock } from '../../lib/clock.ts';

export type AllowListStore = ReturnType<typeof allowListStore>;

/** What is allowed on which device. What has ended counts as gone; it is removed when the next one is added. */
export function allowListStore(db: Db, clock: Clock) {
  const list = (device: string, on: Db | Trx = db) =>
    on
      .selectFrom('allow_list')
      .select(['id', 'type', 'identifier', 'added', 'until'])
      .where('device', '=', device)
      .where((row) => row.or([row('until', 'is', null), row('until', '>', clock.now())]))
      .orderBy('added', 'desc')
      .orderBy('id')
      .execute();

  return {
    list,

    /** For the policy of the device. */
    async allowOf(device: string): Promise<DevicePolicy['allow']> {
      const rows = await list(device);
      return rows.map(({ type, identifier, until }) => ({ type, identifier, until: until?.toISOString() ?? null }));
    },

    /** The device must be locked: what was looked at before is still so. */
    async add(trx: Trx, device: string, what: { type: ExceptionType; identifier: string; added: Date; until: Date | null }) {
      await trx.deleteFrom('allow_list').where('device', '=', device).where('until', '<=', what.added).execute();
      return trx
        .insertInto('allow_list')
        .values({ id: randomUUID(), device, ...what })
        .returning(['id', 'type', 'identifier', 'added', 'until'])
        .executeTakeFirstOrThrow();
    },

    remove: (trx: Trx, device: string, id: string) =>
      trx.deleteFrom('allow_list').where('device', '=', device).where('id', '=', id).returning('id').executeTakeFirst(),
  };
}
