import { randomUUID } from 'node:crypto';
import type { WeakeningActivity } from '@porchlight/contract/activity-log.ts';
import type { Person } from '@porchlight/contract/devices.ts';
import { serverLimits } from '@porchlight/contract/server-limits.ts';
import type { Selectable } from 'kysely';
import type { Db, Trx } from '../../db/open.ts';
import type { Tables } from '../../db/tables.ts';
import { after, type Clock } from '../../lib/clock.ts';

export type ActivityRow = Selectable<Tables['activity_log']>;
export type ActivityStore = ReturnType<typeof activityStore>;

export function activityStore(db: Db, clock: Clock) {
  const peopleAt = async (trx: Trx, devices: string[]): Promise<Map<string, Person | null>> => {
    if (!devices.length) return new Map();
    const rows = await trx.selectFrom('devices').select(['uuid', 'person']).where('uuid', 'in', devices).execute();
    return new Map(rows.map(({ uuid, person }) => [uuid, person]));
  };
  return {
    list: (account: string): Promise<ActivityRow[]> =>
      db
        .selectFrom('activity_log')
        .selectAll()
        .where('account', '=', account)
        .orderBy('time', 'desc')
        .orderBy('uuid')
        .limit(serverLimits.activity_page)
        .execute(),

    /** Recently received acts for which notifications were sent or queued. */
    recentlyNotified: (trx: Trx, account: string) =>
      trx
        .selectFrom('activity_log')
        .select(['kind', 'device', 'what', 'notified', 'time'])
        .where('account', '=', account)
        .where('received', '>', after(clock.now(), -serverLimits.activity_grouping))
        .where('notified', '!=', 'repeated')
        .execute(),

    /** Whether the account's password was changed at a time from `since` to `until`. */
    async passwordChanged(connection: Db | Trx, account: string, since: Date, until: Date): Promise<boolean> {
      const row = await connection
        .selectFrom('activity_log')
        .select('uuid')
        .where('account', '=', account)
        .where('kind', '=', 'password_changed')
        .where('time', '>=', since)
        .where('time', '<=', until)
        .limit(1)
        .executeTakeFirst();
      return row !== undefined;
    },

    /** Whether a text message about this kind of act was sent in the last hour. */
    smsSentRecently: async (trx: Trx, account: string, kind: ActivityRow['kind']): Promise<boolean> => {
      const row = await trx
        .selectFrom('activity_log')
        .select('uuid')
        .where('account', '=', account)
        .where('kind', '=', kind)
        .where('notified', '=', 'by_itself')
        .where('received', '>', after(clock.now(), -serverLimits.activity_texts_reserved_for))
        .limit(1)
        .executeTakeFirst();
      return row !== undefined;
    },

    add: (
      trx: Trx,
      account: string,
      { kind, device, what, before }: WeakeningActivity,
      details: Pick<ActivityRow, 'actor' | 'notified' | 'time'>,
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
          ...details,
        })
        .returningAll()
        .executeTakeFirstOrThrow(),

    entry: (trx: Trx, account: string, uuid: string) =>
      trx
        .selectFrom('activity_log')
        .select(['device', 'what', 'before'])
        .where('account', '=', account)
        .where('uuid', '=', uuid)
        .executeTakeFirst(),

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

    /** The device's user; null when the user is unknown or the device was removed. */
    async personAt(trx: Trx, device: string | null): Promise<Person | null> {
      if (device === null) return null;
      return (await peopleAt(trx, [device])).get(device) ?? null;
    },

    peopleAt,

    /** The time zone of the most recently seen device. */
    async zoneOf(account: string, connection: Db | Trx = db): Promise<string> {
      const row = await connection
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
