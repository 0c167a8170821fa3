import type { ActivityKind } from '@porchlight/contract/activity-log.ts';
import { fixedPolicies } from '@porchlight/contract/policies.ts';
import type { PolicyAction } from '@porchlight/contract/shapes.ts';
import { day } from '@porchlight/contract/time.ts';
import { type Selectable, sql } from 'kysely';
import type { Db, Trx } from '../../db/open.ts';
import type { Tables } from '../../db/tables.ts';
import type { RecentPermission } from '../../incident-ports.ts';
import { after, type Clock } from '../../lib/clock.ts';
import type { DeviceRows } from '../../ports.ts';
import { second_activity_within } from './second-activity.ts';

const permissionKinds: RecentPermission['kind'][] = ['allowed', 'profile_chosen', 'profile_changed'];
export const isPermission = (kind: ActivityKind): kind is RecentPermission['kind'] => (permissionKinds as string[]).includes(kind);

const pinKinds: ActivityKind[] = ['pin_shown', 'pin_reset'];
export const showsPin = (kind: ActivityKind): boolean => pinKinds.includes(kind);

export type FoundRisk = Pick<Selectable<Tables['activity_log']>, 'uuid' | 'kind' | 'device' | 'what' | 'before'> & { time: string };

const toPermission = ({ uuid, kind, device, what, before, time }: FoundRisk): RecentPermission[] => {
  if (!isPermission(kind)) return [];
  const at = kind === 'profile_changed' ? null : device;
  return [{ entry: uuid, kind, what, exception: before?.exception ?? null, time: new Date(time), device: at }];
};

/**
 * The activities that let remote control run, or showed the PIN, within a day, the oldest first. What a yes let through does not count, nor what the
 * holder of somebody else's computer did elsewhere. See `PolicyPart`.
 */
export const risksInPolicy = sql<FoundRisk[] | null>`(
  select jsonb_agg(jsonb_build_object(
    'uuid', a.uuid, 'kind', a.kind, 'device', a.device, 'what', a.what, 'before', a.before, 'time', a.time) order by a.time)
  from activity_log a
  where a.account = d.account and a.kind in (${sql.join([...permissionKinds, ...pinKinds].map((kind) => sql.lit(kind)))})
    and a.counted is not null and not a.exempt and a.time > now.time - interval '1 day')`;

/** Those that let remote control run at the device, or at every device that has the profile. */
export const permissionsOfRisks = (found: FoundRisk[], device: string): RecentPermission[] =>
  found.flatMap(toPermission).filter((one) => one.device === null || one.device === device);

/** An allow-list entry. `waits_entry`: its program waits for a yes (P15.2). */
export interface AllowedProgram {
  id: string;
  waits_entry: string | null;
  added: Date;
}

export type HoldFactStore = ReturnType<typeof holdFactStore>;

/** Reads what holds and answers depend on from other features' tables; it writes only the key of a counted activity. */
export function holdFactStore(clock: Clock, devices: DeviceRows) {
  const risksOf = async (connection: Db | Trx, account: string): Promise<FoundRisk[]> => {
    const { rows } = await sql<{ found: FoundRisk[] | null }>`
      select ${risksInPolicy} as found from (select ${account}::uuid as account) d, (select ${clock.now()}::timestamptz as time) now`.execute(
      connection,
    );
    return rows[0]?.found ?? [];
  };

  /**
   * Serializes an account's weakening calls, and what refuses or opens them, so that two at once are not both the first. Taken before any
   * other lock.
   */
  const lockCalls = (trx: Trx, account: string) =>
    sql`select pg_advisory_xact_lock(hashtextextended(${`weakening:${account}`}, 0))`.execute(trx);
  /** The allow-list entries of programs, by definition. */
  const allowedAt = async (trx: Trx, device: string): Promise<Map<string, AllowedProgram>> => {
    const entries = await trx
      .selectFrom('allow_list')
      .select(['id', 'identifier', 'waits_entry', 'added'])
      .where('refused', 'is', null)
      .where('device', '=', device)
      .where('type', '=', 'definition')
      .where((eb) => eb.or([eb('until', 'is', null), eb('until', '>', clock.now())]))
      .execute();
    return new Map(entries.map((entry) => [entry.identifier, entry]));
  };

  return {
    ...devices,
    allowedAt,

    /** The keys of activities of the last hour that count, and whether the PIN was shown within a day (P9.1). */
    async countedOf(trx: Db | Trx, account: string): Promise<{ recent: string[]; pin_shown: boolean }> {
      const now = clock.now();
      const rows = await trx
        .selectFrom('activity_log')
        .select(['counted', 'time'])
        .where('account', '=', account)
        .where('counted', 'is not', null)
        .where('time', '>', after(now, -day))
        .execute();
      return {
        recent: rows.flatMap(({ counted, time }) => (counted !== null && after(time, second_activity_within) > now ? [counted] : [])),
        pin_shown: rows.some(({ counted }) => counted === 'pin_shown'),
      };
    },

    /** Whether a further weakening call may wait: one statement, since each open page asks again and again, and mostly nothing waits. */
    async mayWait(connection: Db | Trx, account: string): Promise<boolean> {
      const { rows } = await sql<{ may: boolean }>`select
        exists (select from hold_settings where account = ${account} and ask_first)
        or exists (select from incidents where account = ${account} and over is null)
        or exists (select from activity_log
          where account = ${account} and counted is not null and time > ${after(clock.now(), -second_activity_within)}) as may`.execute(
        connection,
      );
      return rows[0]?.may === true;
    },

    count: (trx: Trx, entry: string, { counted, exempt = false }: { counted: string; exempt?: boolean }) =>
      trx.updateTable('activity_log').set({ counted, exempt }).where('uuid', '=', entry).execute(),

    /** What an activity let run is agreed: it is neither asked about nor reported any more. */
    agree: (trx: Trx, entry: string) => trx.updateTable('activity_log').set({ exempt: true }).where('uuid', '=', entry).execute(),

    lockCalls,

    /**
     * Locks what a report locks that may become a request, in the order of weakening calls, which is before the device itself. Nothing is
     * locked where nothing was permitted within a day, and nothing waits for a yes (`asks`).
     */
    async lockForReport(trx: Trx, device: string, { asks }: { asks: boolean }): Promise<void> {
      const row = await trx.selectFrom('devices').select('account').where('uuid', '=', device).executeTakeFirst();
      if (!row || !(asks || (await risksOf(trx, row.account)).some(({ kind }) => isPermission(kind)))) return;
      await lockCalls(trx, row.account);
      await devices.lockDevices(trx, row.account);
    },

    /** The activities that let remote control run at a device, within a day and without a yes, the oldest first (P9.1). */
    permissionsAt: async (connection: Db | Trx, account: string, device: string): Promise<RecentPermission[]> =>
      permissionsOfRisks(await risksOf(connection, account), device),

    /** The definition that an alert matched. */
    identifierOf: async (connection: Db | Trx, alert: string): Promise<string | undefined> =>
      (await connection.selectFrom('detections').select('identifier').where('uuid', '=', alert).executeTakeFirst())?.identifier,

    /** The programs that a one-time code allowed at the device, with the time of the newest code, by the program's name in the log (P10.7). */
    async codesUsed(trx: Trx, account: string, device: string): Promise<Map<string, Date>> {
      const rows = await trx
        .selectFrom('activity_log')
        .select(['what', 'time'])
        // The index is by account.
        .where('account', '=', account)
        .where('device', '=', device)
        .where('kind', '=', 'allowed')
        // Without an actor it was somebody at the computer.
        .where('actor', 'is', null)
        .where('time', '>', after(clock.now(), -day))
        .orderBy('time')
        .execute();
      return new Map(rows.map(({ what, time }) => [what ?? '', time]));
    },

    /** What the device's profile does with remote-control programs, and the allow-list entries of programs by definition. */
    async rulesOf(trx: Trx, device: string): Promise<{ action: PolicyAction; allowed: Map<string, AllowedProgram> }> {
      const row = await trx
        .selectFrom('devices')
        .leftJoin('custom_policies as own', (join) =>
          join.onRef('own.account', '=', 'devices.account').on(sql`own.uuid::text`, '=', sql`devices.policy`),
        )
        .select(['devices.policy', 'own.actions'])
        .where('devices.uuid', '=', device)
        .executeTakeFirst();
      // A deleted profile protects like strict.
      const fixed = fixedPolicies[row?.policy === 'permissive' ? 'permissive' : 'strict'].actions;
      return { action: (row?.actions ?? fixed).RemoteControl, allowed: await allowedAt(trx, device) };
    },
  };
}
