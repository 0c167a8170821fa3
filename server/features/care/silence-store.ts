import type { Silence } from '@porchlight/contract/care.ts';
import type { News } from '@porchlight/contract/news.ts';
import { sql } from 'kysely';
import type { Db, Trx } from '../../db/open.ts';
import type { Clock } from '../../lib/clock.ts';
import { heardSince } from './hearing.ts';
import { unchosen } from './settings.ts';

export type SilenceStore = ReturnType<typeof silenceStore>;

/** A device that is silent, with what must be known to tell of it. */
export interface SilentDevice {
  uuid: string;
  account: string;
  name: string;
  time_zone: string;
  kind: Silence['kind'];
  since: Date;
}

/** Why devices are silent, and who was told. */
export function silenceStore(db: Db, clock: Clock) {
  const waiting = ['switched_off', 'stopped'] as const;

  return {
    /** Locks the device: what it says, and what is told of it, come one after the other. Undefined when it was removed. */
    async lock(trx: Trx, device: string) {
      const row = await trx
        .selectFrom('devices')
        .select(['uuid', 'account', 'name', 'info', 'last_seen'])
        .where('uuid', '=', device)
        .forUpdate()
        .executeTakeFirst();
      return row && { ...row, time_zone: row.info?.time_zone ?? 'UTC' };
    },

    /** Writes down that an agent told this; false when it did before. */
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

    of: (trx: Trx, device: string) => trx.selectFrom('silences').selectAll().where('device', '=', device).executeTakeFirst(),

    /** A new silence takes the place of the one before. `told`: it is told in another way, or was already. */
    async begin(trx: Trx, device: string, kind: Silence['kind'], since: Date, more: { until?: Date; told?: Date } = {}): Promise<void> {
      const row = { kind, since, until: more.until ?? null, told: more.told ?? null };
      await trx
        .insertInto('silences')
        .values({ device, ...row })
        .onConflict((oc) => oc.column('device').doUpdateSet(row))
        .execute();
    },

    /** The device was heard. A pause goes on until its end: a device that is paused is not silent. */
    heard: (device: string) =>
      db
        .deleteFrom('silences')
        .where('device', '=', device)
        .where((row) => row.or([row('kind', '!=', 'paused'), row('until', '<=', clock.now())]))
        .execute(),

    endPause: (trx: Trx, device: string) => trx.deleteFrom('silences').where('device', '=', device).where('kind', '=', 'paused').execute(),

    markTold: (trx: Trx, device: string) => trx.updateTable('silences').set({ told: clock.now() }).where('device', '=', device).execute(),

    /**
     * Devices that were not heard for as long as their holder chose, while there was somebody to hear them, and of which nobody was told.
     * One that was uninstalled is not waited for; one whose pause is over is.
     */
    async due(on: Db | Trx, device?: string): Promise<SilentDevice[]> {
      const now = clock.now();
      const rows = await on
        .selectFrom((q) =>
          q
            .selectFrom('devices as d')
            .leftJoin('silences as s', 's.device', 'd.uuid')
            .leftJoin('alert_settings as a', 'a.account', 'd.account')
            .select(['d.uuid', 'd.account', 'd.name', 'd.info', 's.kind'])
            .select(sql<Date>`case when s.kind in ('switched_off', 'stopped') then s.since else d.last_seen end`.as('since'))
            .select(sql<number>`coalesce(a.silence_days, ${unchosen.silence_days})`.as('days'))
            .where('d.last_seen', 'is not', null)
            .$if(device !== undefined, (one) => one.where('d.uuid', '=', device ?? ''))
            .where((row) =>
              row.or([
                row('s.device', 'is', null),
                row.and([row('s.told', 'is', null), row('s.kind', 'in', waiting)]),
                row.and([row('s.kind', '=', 'paused'), row('s.until', '<=', now)]),
              ]),
            )
            .as('silent'),
        )
        .selectAll()
        .where(heardSince('silent.since'), '>=', sql<number>`silent.days * 86400`)
        .execute();
      return rows.map(({ uuid, account, name, info, kind, since }) => ({
        uuid,
        account,
        name,
        time_zone: info?.time_zone ?? 'UTC',
        kind: kind === 'switched_off' || kind === 'stopped' ? kind : 'vanished',
        since,
      }));
    },
  };
}
