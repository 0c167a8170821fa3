import type { AgentEvent } from '@porchlight/contract/agent-events.ts';
import type { StoredOutage } from '@porchlight/contract/device-health.ts';
import { sql } from 'kysely';
import type { Db, Trx } from '../../db/open.ts';
import { after, type Clock } from '../../lib/clock.ts';
import type { SilentDevice } from '../../notifications/render/outage.ts';
import { defaultSettings } from '../../notifications/settings.ts';
import { uptimeSince } from './uptime.ts';

export type OutageStore = ReturnType<typeof outageStore>;

interface Since {
  uuid: string;
  kind: StoredOutage | null;
  since: Date;
}

/** Milliseconds: the shortest outage that a holder can choose. */
const minOutageMs = 24 * 3_600_000;

/** Why devices are offline, and when people were notified. */
export function outageStore(clock: Clock) {
  const waiting = ['switched_off', 'asleep', 'stopped'] as const;

  /**
   * Replaces the previous outage. `notified_at`: people already know. `early`: people were notified within minutes and must also be
   * notified when the device is back, even if another outage replaces this one.
   */
  const begin = async (
    trx: Trx,
    device: string,
    kind: StoredOutage,
    since: Date,
    details: { until?: Date; notified_at?: Date; early?: boolean } = {},
  ): Promise<void> => {
    const early = details.early ? { early: true, early_since: since } : {};
    const row = { kind, since, until: details.until ?? null, notified_at: details.notified_at ?? null, ...early };
    await trx
      .insertInto('device_outages')
      .values({ device, ...row })
      .onConflict((oc) => oc.column('device').doUpdateSet(row))
      .execute();
  };
  return {
    /** Locks the device, so that its reports and notifications run one at a time. Undefined when the device was removed. */
    async lock(trx: Trx, device: string) {
      const row = await trx
        .selectFrom('devices')
        .select(['uuid', 'account', 'name', 'person', 'info', 'last_seen'])
        .where('uuid', '=', device)
        .forUpdate()
        .executeTakeFirst();
      return row && { ...row, time_zone: row.info?.time_zone ?? 'UTC', limited: (row.info?.limitations ?? []).length > 0 };
    },

    /** Stores an event's id; false when it was already stored. */
    async isNew(trx: Trx, device: string, { uuid, reported }: Pick<AgentEvent, 'uuid' | 'reported'>): Promise<boolean> {
      const kind = reported.kind === 'new_program' || reported.kind === 'opened_site' ? reported.kind : null;
      const row = { device, uuid, time: clock.now(), kind, site: reported.kind === 'opened_site' ? reported.site : null };
      const insertedEvent = await trx
        .insertInto('device_reports')
        .values(row)
        .onConflict((oc) => oc.doNothing())
        .returning('uuid')
        .executeTakeFirst();
      return insertedEvent !== undefined;
    },

    of: (trx: Trx, device: string) => trx.selectFrom('device_outages').selectAll().where('device', '=', device).executeTakeFirst(),

    begin,

    /** Ends and returns the outage of a device that is back. Pauses continue, because a paused device is online. */
    endOutage: (trx: Trx, device: string) =>
      trx
        .deleteFrom('device_outages')
        .where('device', '=', device)
        .where((row) => row.or([row('kind', '!=', 'paused'), row('until', '<=', clock.now())]))
        .returningAll()
        .executeTakeFirst(),

    /** Returns, only once, the outage about whose end people must be notified. */
    takeEarly: (trx: Trx, device: string) =>
      trx
        .updateTable('device_outages')
        .set({ early: false })
        .where('device', '=', device)
        .where('early', '=', true)
        .returningAll()
        .executeTakeFirst(),

    async endPause(trx: Trx, device: string): Promise<void> {
      const pause = { device, kind: 'paused' as const };
      const paused = await trx
        .deleteFrom('device_outages')
        .where((row) => row.and(pause))
        .returningAll()
        .executeTakeFirst();
      // The next check-in notifies people that the device is back.
      const { early_since, notified_at } = paused ?? {};
      if (paused?.early && early_since)
        await begin(trx, device, 'vanished', early_since, { early: true, ...(notified_at ? { notified_at } : {}) });
    },

    markNotified: (trx: Trx, device: string) =>
      trx.updateTable('device_outages').set({ notified_at: clock.now() }).where('device', '=', device).execute(),

    /**
     * Devices that were offline for the days their holder chose, counting only the server's uptime, without a notification yet. Uninstalled
     * devices are excluded, ended pauses are not.
     */
    async due(connection: Db | Trx, device?: string): Promise<SilentDevice[]> {
      const now = clock.now();
      const onlyDevice = device ?? '';
      // This condition lets indexes limit the rows: uptime cannot exceed elapsed time.
      const earliest = after(now, -minOutageMs);
      const unreported = connection
        .selectFrom('devices as d')
        .leftJoin('device_outages as s', 's.device', 'd.uuid')
        .select(['d.uuid', 's.kind', 'd.last_seen as since'])
        .where('d.last_seen', '<=', earliest)
        .$if(device !== undefined, (rows) => rows.where('d.uuid', '=', onlyDevice))
        .where((row) => row.or([row('s.device', 'is', null), row.and([row('s.kind', '=', 'paused'), row('s.until', '<=', now)])]));
      const reported = connection
        .selectFrom('device_outages as s')
        .select(['s.device as uuid', 's.kind', 's.since'])
        .where('s.notified_at', 'is', null)
        .where('s.kind', 'in', waiting)
        .where('s.since', '<=', earliest)
        .$if(device !== undefined, (rows) => rows.where('s.device', '=', onlyDevice));
      const rows = await connection
        .selectFrom(unreported.$castTo<Since>().unionAll(reported.$castTo<Since>()).as('silent'))
        .innerJoin('devices as d', 'd.uuid', 'silent.uuid')
        .leftJoin('alert_settings as a', 'a.account', 'd.account')
        .select(['d.uuid', 'd.account', 'd.name', 'd.person', 'd.info', 'silent.kind', 'silent.since'])
        .where('d.last_seen', 'is not', null)
        .where(uptimeSince('silent.since'), '>=', sql<number>`coalesce(a.notify_after_days, ${defaultSettings.notify_after_days}) * 86400`)
        .execute();
      return rows.map(({ uuid, account, name, person, info, kind, since }) => ({
        uuid,
        account,
        name,
        person,
        time_zone: info?.time_zone ?? 'UTC',
        kind: kind === 'switched_off' || kind === 'asleep' || kind === 'stopped' ? kind : 'vanished',
        since,
      }));
    },
  };
}
