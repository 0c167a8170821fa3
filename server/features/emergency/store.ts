import { randomUUID } from 'node:crypto';
import type { AgentEvent } from '@porchlight/contract/agent-events.ts';
import { type EmergencyStop, emergencyLimits, type NetworkIsolation, type ShownIsolation } from '@porchlight/contract/emergency-stops.ts';
import { day } from '@porchlight/contract/time.ts';
import { type Selectable, sql } from 'kysely';
import type { EmergencyTables } from '../../db/emergency-tables.ts';
import type { Db, Trx } from '../../db/open.ts';
import { after, type Clock } from '../../lib/clock.ts';
import type { PolicyPart } from '../../ports.ts';

export type EmergencyStore = ReturnType<typeof emergencyStore>;
export type StopRow = Selectable<EmergencyTables['emergency_stops']>;
export type IsolationRow = Selectable<EmergencyTables['network_isolations']>;

export type IsolationReport = Omit<Extract<AgentEvent['reported'], { kind: 'isolation' }>, 'kind'>;

export const toStop = ({ uuid, name, time, until }: Pick<StopRow, 'uuid' | 'name' | 'time' | 'until'>): EmergencyStop => ({
  uuid,
  by: name,
  since: time.toISOString(),
  until: until.toISOString(),
});

export const toIsolation = ({
  uuid,
  name,
  until,
  may_end,
}: Pick<IsolationRow, 'uuid' | 'name' | 'until' | 'may_end'>): NetworkIsolation => ({
  uuid,
  by: name,
  until: until.toISOString(),
  may_end,
});

export const toShownIsolation = (row: IsolationRow): ShownIsolation => ({
  ...toIsolation(row),
  in_force: row.in_force,
  put_back: row.put_back,
});

type InJson<Row> = { [K in keyof Row]: Row[K] extends Date ? string : Row[K] };
type FoundStop = InJson<Pick<StopRow, 'uuid' | 'name' | 'time' | 'until'>>;
type FoundIsolation = InJson<Pick<IsolationRow, 'uuid' | 'name' | 'until' | 'may_end'>>;

/** The stop in force at a device, its own or of the whole account. The longest, if there are several. */
export const stopInPolicy: PolicyPart<EmergencyStop | null, FoundStop | null> = {
  found: sql`(
    select to_jsonb(s) from emergency_stops s
    where s.account = d.account and (s.device is null or s.device = d.uuid) and s.ended is null and s.until > now.time
    order by s.until desc limit 1)`,
  read: (found) => found && toStop({ ...found, time: new Date(found.time), until: new Date(found.until) }),
};

/** The isolation in force at a device. */
export const isolationInPolicy: PolicyPart<NetworkIsolation | null, FoundIsolation | null> = {
  found: sql`(
    select to_jsonb(i) from network_isolations i where i.device = d.uuid and i.ended is null and i.until > now.time order by i.until desc limit 1)`,
  read: (found) => found && toIsolation({ ...found, until: new Date(found.until) }),
};

/** Emergency stops and network isolations (P9.5, P10.6). */
export function emergencyStore(db: Db, clock: Clock) {
  /** In force, the longest first. */
  const stopsOf = (account: string, connection: Db | Trx): Promise<StopRow[]> =>
    connection
      .selectFrom('emergency_stops')
      .selectAll()
      .where('account', '=', account)
      .where('ended', 'is', null)
      .where('until', '>', clock.now())
      .orderBy('until', 'desc')
      .execute();

  return {
    stopsOf: (account: string, connection: Db | Trx = db) => stopsOf(account, connection),

    /** The stop in force of the whole account. */
    guardianStopOf: async (account: string, connection: Db | Trx = db): Promise<StopRow | undefined> =>
      (await stopsOf(account, connection)).find(({ device }) => device === null),

    /** Until when a device is strict because it changed hands; null: it is not. */
    async strictUntil(account: string, device: string, connection: Db | Trx): Promise<Date | null> {
      const row = await connection
        .selectFrom('devices')
        .select('strict_until')
        .where('account', '=', account)
        .where('uuid', '=', device)
        .where('strict_until', '>', clock.now())
        .executeTakeFirst();
      return row?.strict_until ?? null;
    },

    async installedOf(trx: Trx, device: string): Promise<Date | null> {
      const row = await trx.selectFrom('devices').select('installed').where('uuid', '=', device).executeTakeFirst();
      return row?.installed ?? null;
    },

    /** When *I need help now* was last pressed at the device. */
    async lastHelp(trx: Trx, account: string, device: string): Promise<Date | null> {
      const row = await trx
        .selectFrom('emergency_stops')
        .select('time')
        .where('account', '=', account)
        .where('device', '=', device)
        .orderBy('time', 'desc')
        .limit(1)
        .executeTakeFirst();
      return row?.time ?? null;
    },

    async addStop(trx: Trx, stop: Omit<StopRow, 'uuid' | 'ended'>): Promise<StopRow> {
      const row = { ...stop, uuid: randomUUID(), ended: null };
      await trx.insertInto('emergency_stops').values(row).execute();
      return row;
    },

    /** Of 24 hours, the oldest first. */
    isolationsOf: (account: string, connection: Db | Trx = db): Promise<IsolationRow[]> =>
      connection
        .selectFrom('network_isolations')
        .selectAll()
        .where('account', '=', account)
        .where('time', '>', after(clock.now(), -day))
        .orderBy('time')
        .execute(),

    async addIsolation(trx: Trx, isolation: Omit<IsolationRow, 'uuid' | 'ended' | 'in_force' | 'put_back' | 'lost'>) {
      const row = { ...isolation, uuid: randomUUID() };
      await trx.insertInto('network_isolations').values(row).execute();
      return row;
    },

    /** Ends the isolation that was in force then, if its user can. False if there is none. */
    async endIsolation(trx: Trx, device: string, time: Date): Promise<boolean> {
      const row = await trx
        .updateTable('network_isolations')
        .set({ ended: time })
        .where('device', '=', device)
        .where('ended', 'is', null)
        .where('may_end', '=', true)
        .where('time', '<=', time)
        .where('until', '>', time)
        .returning('uuid')
        .executeTakeFirst();
      return row !== undefined;
    },

    /** Stores what the agent reports; returns the previous row, and undefined for an isolation that is not of this device. */
    async noteIsolation(trx: Trx, device: string, { isolation, in_force, put_back }: IsolationReport): Promise<IsolationRow | undefined> {
      const isolations = trx.selectFrom('network_isolations').selectAll().where('device', '=', device).where('uuid', '=', isolation);
      const row = await isolations.forUpdate().executeTakeFirst();
      if (!row) return undefined;
      await trx
        .updateTable('network_isolations')
        // An agent that was restarted counts from the beginning.
        .set({ in_force, put_back: Math.max(row.put_back, put_back), lost: row.lost ?? (in_force ? null : clock.now()) })
        .where('uuid', '=', isolation)
        .execute();
      return row;
    },

    /** Ends what is in force: of one device, or with null everything of the account. */
    async end(trx: Trx, account: string, device: string | null): Promise<void> {
      const now = clock.now();
      for (const table of ['emergency_stops', 'network_isolations'] as const) {
        await trx
          .updateTable(table)
          .set({ ended: now })
          .where('account', '=', account)
          .where('ended', 'is', null)
          .where('until', '>', now)
          .$if(device !== null, (rows) => rows.where('device', '=', device))
          .execute();
      }
    },

    /** The connected devices of the account. */
    devicesOf: (account: string, connection: Db | Trx = db) =>
      connection
        .selectFrom('devices')
        .select(['uuid', 'name', 'last_detection'])
        .where('account', '=', account)
        .where('installed', 'is not', null)
        .orderBy('created')
        .execute(),
  };
}

export const guardianStopEnds = (time: Date): Date => after(time, emergencyLimits.guardian_stop);
export const helpStopEnds = (time: Date): Date => after(time, emergencyLimits.help_stop);
