import { randomUUID } from 'node:crypto';
import type { WeakeningAct } from '@porchlight/contract/care.ts';
import type { Person } from '@porchlight/contract/devices.ts';
import { serverLimits } from '@porchlight/contract/server-limits.ts';
import type { Selectable } from 'kysely';
import type { Db, Trx } from '../../db/open.ts';
import type { Tables } from '../../db/tables.ts';
import { after, type Clock } from '../../lib/clock.ts';

export type ActivityRow = Selectable<Tables['activity_log']>;
export type ActivityStore = ReturnType<typeof activityStore>;

/** What was done that weakens protection. */
export function activityStore(db: Db, clock: Clock) {
  return {
    list: (account: string): Promise<ActivityRow[]> =>
      db
        .selectFrom('activity_log')
        .selectAll()
        .where('account', '=', account)
        .orderBy('time', 'desc')
        .orderBy('uuid')
        .limit(serverLimits.acts_page)
        .execute(),

    /** The acts of which people were notified within the last minutes, whenever they were done. */
    lately: (trx: Trx, account: string) =>
      trx
        .selectFrom('activity_log')
        .select(['kind', 'device', 'what', 'notified', 'time'])
        .where('account', '=', account)
        .where('received', '>', after(clock.now(), -serverLimits.acts_grouping))
        .where('notified', '!=', 'repeated')
        .execute(),

    /** Whether an SMS about this kind went out within the last hour. */
    textedLately: async (trx: Trx, account: string, kind: ActivityRow['kind']): Promise<boolean> => {
      const row = await trx
        .selectFrom('activity_log')
        .select('uuid')
        .where('account', '=', account)
        .where('kind', '=', kind)
        .where('notified', '=', 'by_itself')
        .where('received', '>', after(clock.now(), -serverLimits.act_texts_reserved_for))
        .limit(1)
        .executeTakeFirst();
      return row !== undefined;
    },

    add: (
      trx: Trx,
      account: string,
      { kind, device, what, before }: WeakeningAct,
      more: Pick<ActivityRow, 'actor' | 'notified' | 'time'>,
    ): Promise<ActivityRow> =>
      trx
        .insertInto('activity_log')
        .values({
          uuid: randomUUID(),
          account,
          kind,
          device: device?.uuid ?? null,
          device_name: device?.name ?? null,
          what: what ?? null,
          before: before ? JSON.stringify(before) : null,
          received: clock.now(),
          ...more,
        })
        .returningAll()
        .executeTakeFirstOrThrow(),

    /** Takes the acts that wait for the grouped message; they no longer wait. */
    async takeLater(trx: Trx, account: string): Promise<ActivityRow[]> {
      const rows = await trx
        .updateTable('activity_log')
        .set({ notified: 'together' })
        .where('account', '=', account)
        .where('notified', '=', 'later')
        .returningAll()
        .execute();
      return rows.toSorted((a, b) => a.time.getTime() - b.time.getTime());
    },

    /** The person who uses a device; null where that is unknown, or the device is gone. */
    async personAt(trx: Trx, device: string | null): Promise<Person | null> {
      if (device === null) return null;
      return (await this.peopleAt(trx, [device])).get(device) ?? null;
    },

    /** The people who use these devices, by device; those that are gone are left out. */
    async peopleAt(trx: Trx, devices: string[]): Promise<Map<string, Person | null>> {
      if (!devices.length) return new Map();
      const rows = await trx.selectFrom('devices').select(['uuid', 'person']).where('uuid', 'in', devices).execute();
      return new Map(rows.map(({ uuid, person }) => [uuid, person]));
    },

    /** The time zone of the device that was seen last: people think in the time on their own computer. */
    async zoneOf(account: string, on: Db | Trx = db): Promise<string> {
      const row = await on
        .selectFrom('devices')
        .select('info')
        .where('account', '=', account)
        .where('last_seen', 'is not', null)
        .orderBy('last_seen', 'desc')
        .limit(1)
        .executeTakeFirst();
      return row?.info?.time_zone ?? 'UTC';
    },
  };
}
