import type { Silence } from '@porchlight/contract/care.ts';
import type { News } from '@porchlight/contract/news.ts';
import { sql } from 'kysely';
import type { Db, Trx } from '../../db/open.ts';
import { after, type Clock } from '../../lib/clock.ts';
import type { SilentDevice } from '../../notifications/render/outage.ts';
import { defaultSettings } from '../../notifications/settings.ts';
import { uptimeSince } from './uptime.ts';

export type OutageStore = ReturnType<typeof outageStore>;

interface Since {
  uuid: string;
  kind: Silence['kind'] | null;
  since: Date;
}

/** In milliseconds: the shortest outage that a holder can choose to be notified of. */
const least_silence = 24 * 3_600_000;

/** Stores why devices are offline, and when people were notified. */
export function outageStore(clock: Clock) {
  const waiting = ['switched_off', 'asleep', 'stopped'] as const;

  return {
    /** Locks the device, so that its reports and the notifications about it come one after the other. Undefined when it was removed. */
    async lock(trx: Trx, device: string) {
      const row = await trx
        .selectFrom('devices')
        .select(['uuid', 'account', 'name', 'person', 'info', 'last_seen'])
        .where('uuid', '=', device)
        .forUpdate()
        .executeTakeFirst();
      return row && { ...row, time_zone: row.info?.time_zone ?? 'UTC' };
    },

    /** Stores that an agent reported this; false when it did before. */
    async isNew(trx: Trx, device: string, { uuid, time }: Pick<News, 'uuid' | 'time'>): Promise<boolean> {
      const row = { device, uuid, time: new Date(time) };
      const done = await trx
        .insertInto('device_news')
        .values(row)
        .onConflict((oc) => oc.doNothing())
        .returning('uuid')
        .executeTakeFirst();
      return done !== undefined;
    },

    of: (trx: Trx, device: string) => trx.selectFrom('device_outages').selectAll().where('device', '=', device).executeTakeFirst(),

    /**
     * A new outage replaces the one before. `notified_at`: people were notified in another way, or already. `early`: within minutes; these people
     * wait to hear that the device is back, whatever outage replaces this one.
     */
    async begin(
      trx: Trx,
      device: string,
      kind: Silence['kind'],
      since: Date,
      more: { until?: Date; notified_at?: Date; early?: boolean } = {},
    ): Promise<void> {
      const early = more.early ? { early: true, early_since: since } : {};
      const row = { kind, since, until: more.until ?? null, notified_at: more.notified_at ?? null, ...early };
      await trx
        .insertInto('device_outages')
        .values({ device, ...row })
        .onConflict((oc) => oc.column('device').doUpdateSet(row))
        .execute();
    },

    /** Ends the outage of a device that is back, and answers it. A pause goes on until its end: a paused device is online. */
    heard: (trx: Trx, device: string) =>
      trx
        .deleteFrom('device_outages')
        .where('device', '=', device)
        .where((row) => row.or([row('kind', '!=', 'paused'), row('until', '<=', clock.now())]))
        .returningAll()
        .executeTakeFirst(),

    /** Answers the outage after which people wait to hear that the device is back, once. */
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
      // The next check-in notifies the people who wait to hear that it is back.
      const { early_since, notified_at } = paused ?? {};
      if (paused?.early && early_since)
        await this.begin(trx, device, 'vanished', early_since, { early: true, ...(notified_at ? { notified_at } : {}) });
    },

    markNotified: (trx: Trx, device: string) =>
      trx.updateTable('device_outages').set({ notified_at: clock.now() }).where('device', '=', device).execute(),

    /**
     * Devices that were offline for as long as their holder chose, counting only the server's uptime, and of which no one was notified.
     * One that was uninstalled is not waited for; one whose pause is over is.
     */
    async due(on: Db | Trx, device?: string): Promise<SilentDevice[]> {
      const now = clock.now();
      const one = device ?? '';
      // Uptime is never longer than the time that has passed, so only these rows are read, by their indexes.
      const earliest = after(now, -least_silence);
      const gone = on
        .selectFrom('devices as d')
        .leftJoin('device_outages as s', 's.device', 'd.uuid')
        .select(['d.uuid', 's.kind', 'd.last_seen as since'])
        .where('d.last_seen', '<=', earliest)
        .$if(device !== undefined, (rows) => rows.where('d.uuid', '=', one))
        .where((row) => row.or([row('s.device', 'is', null), row.and([row('s.kind', '=', 'paused'), row('s.until', '<=', now)])]));
      const said = on
        .selectFrom('device_outages as s')
        .select(['s.device as uuid', 's.kind', 's.since'])
        .where('s.notified_at', 'is', null)
        .where('s.kind', 'in', waiting)
        .where('s.since', '<=', earliest)
        .$if(device !== undefined, (rows) => rows.where('s.device', '=', one));
      const rows = await on
        .selectFrom(gone.$castTo<Since>().unionAll(said.$castTo<Since>()).as('silent'))
        .innerJoin('devices as d', 'd.uuid', 'silent.uuid')
        .leftJoin('alert_settings as a', 'a.account', 'd.account')
        .select(['d.uuid', 'd.account', 'd.name', 'd.person', 'd.info', 'silent.kind', 'silent.since'])
        .where('d.last_seen', 'is not', null)
        .where(uptimeSince('silent.since'), '>=', sql<number>`coalesce(a.silence_days, ${defaultSettings.silence_days}) * 86400`)
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
