import type { ActivityKind } from '@porchlight/contract/activity-log.ts';
import type { Person } from '@porchlight/contract/devices.ts';
import { fixedPolicies } from '@porchlight/contract/policies.ts';
import type { PolicyAction } from '@porchlight/contract/shapes.ts';
import { day } from '@porchlight/contract/time.ts';
import { type Selectable, sql } from 'kysely';
import type { Db, Trx } from '../../db/open.ts';
import type { Tables } from '../../db/tables.ts';
import { after, type Clock } from '../../lib/clock.ts';
import type { RecentPermission } from './first-hour-rule.ts';
import { second_activity_within, suspicious_after } from './opening.ts';

const permissionKinds: RecentPermission['kind'][] = ['allowed', 'profile_chosen', 'profile_changed'];
export const isPermission = (kind: ActivityKind): kind is RecentPermission['kind'] => (permissionKinds as string[]).includes(kind);

const pinKinds: ActivityKind[] = ['pin_shown', 'pin_reset'];
export const showsPin = (kind: ActivityKind): boolean => pinKinds.includes(kind);

type PermissionRow = Pick<Selectable<Tables['activity_log']>, 'uuid' | 'kind' | 'device' | 'what' | 'before' | 'time'>;
export type FoundRisk = Omit<PermissionRow, 'time'> & { time: string };

const toPermission = ({ uuid, kind, device, what, before, time }: PermissionRow): RecentPermission[] =>
  isPermission(kind)
    ? [{ entry: uuid, kind, what, exception: before?.exception ?? null, time, device: kind === 'profile_changed' ? null : device }]
    : [];

/** The activities within a day and without a yes that let remote control run, or showed the PIN, the oldest first. See `PolicyPart`. */
export const risksInPolicy = sql<FoundRisk[] | null>`(
  select jsonb_agg(jsonb_build_object(
    'uuid', a.uuid, 'kind', a.kind, 'device', a.device, 'what', a.what, 'before', a.before, 'time', a.time) order by a.time)
  from activity_log a
  where a.account = d.account and a.kind in (${sql.join([...permissionKinds, ...pinKinds].map((kind) => sql.lit(kind)))})
    and a.counted is not null and not a.exempt and a.time > now.time - interval '1 day')`;

/** Those at one device, or at every device that has the profile. */
export const permissionsOfRisks = (found: FoundRisk[], device: string): RecentPermission[] =>
  found.flatMap((one) => toPermission({ ...one, time: new Date(one.time) })).filter((one) => one.device === null || one.device === device);

export type HoldFactStore = ReturnType<typeof holdFactStore>;

/** Reads what holds and answers depend on from other features' tables; it writes only the key of a counted activity. */
export function holdFactStore(clock: Clock) {
  /** The activities of the account that let remote control run, within a day and without a yes, the oldest first (P9.1). */
  const permissionsOf = async (connection: Db | Trx, account: string): Promise<RecentPermission[]> => {
    const rows = await connection
      .selectFrom('activity_log')
      .select(['uuid', 'kind', 'device', 'what', 'before', 'time'])
      .where('account', '=', account)
      .where('kind', 'in', permissionKinds)
      // What a yes let through does not count, nor what the holder of somebody else's computer did elsewhere.
      .where('counted', 'is not', null)
      .where('exempt', '=', false)
      .where('time', '>', after(clock.now(), -suspicious_after))
      .orderBy('time')
      .execute();
    return rows.flatMap(toPermission);
  };

  /** Devices are locked before their incident, as a report does, so that no two transactions wait for each other. */
  const lockDevices = (trx: Trx, account: string) =>
    trx.selectFrom('devices').select('uuid').where('account', '=', account).orderBy('uuid').forUpdate().execute();
  /**
   * Serializes an account's weakening calls, and what refuses or opens them, so that two at once are not both the first. Taken before any
   * other lock.
   */
  const lockCalls = (trx: Trx, account: string) =>
    sql`select pg_advisory_xact_lock(hashtextextended(${`weakening:${account}`}, 0))`.execute(trx);
  return {
    /** The keys of activities of the last hour that count, and whether the PIN was shown within a day (P9.1). */
    async countedOf(trx: Trx, account: string): Promise<{ recent: string[]; pin_shown: boolean }> {
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

    count: (trx: Trx, entry: string, { counted, exempt = false }: { counted: string; exempt?: boolean }) =>
      trx.updateTable('activity_log').set({ counted, exempt }).where('uuid', '=', entry).execute(),

    lockCalls,

    lockDevices,

    /**
     * Locks what a report locks that may become a request, in the order of weakening calls, which is before the device itself. Nothing is
     * locked where nothing was permitted within a day, and nothing waits for a yes (`asks`).
     */
    async lockForReport(trx: Trx, device: string, { asks }: { asks: boolean }): Promise<void> {
      const row = await trx.selectFrom('devices').select('account').where('uuid', '=', device).executeTakeFirst();
      if (!row || !(asks || (await permissionsOf(trx, row.account)).length)) return;
      await lockCalls(trx, row.account);
      await lockDevices(trx, row.account);
    },

    lockDevice: (trx: Trx, uuid: string) => trx.selectFrom('devices').select('uuid').where('uuid', '=', uuid).forUpdate().execute(),

    /** For the words of messages: who uses the device, and its time zone. */
    async deviceWords(connection: Db | Trx, account: string, uuid: string | null): Promise<{ person: Person | null; time_zone: string }> {
      const rows = connection.selectFrom('devices').select(['person', 'info']).where('account', '=', account);
      const row = await (uuid ? rows.where('uuid', '=', uuid) : rows.orderBy('last_seen', 'desc')).limit(1).executeTakeFirst();
      return { person: uuid ? (row?.person ?? null) : null, time_zone: row?.info?.time_zone ?? 'UTC' };
    },

    permissionsOf,

    /** At one device, or at every device that has the profile. */
    permissionsAt: async (connection: Db | Trx, account: string, uuid: string): Promise<RecentPermission[]> =>
      (await permissionsOf(connection, account)).filter(({ device }) => device === null || device === uuid),

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
    async rulesOf(trx: Trx, device: string): Promise<{ action: PolicyAction; allowed: Map<string, string> }> {
      const row = await trx
        .selectFrom('devices')
        .leftJoin('custom_policies as own', (join) =>
          join.onRef('own.account', '=', 'devices.account').on(sql`own.uuid::text`, '=', sql`devices.policy`),
        )
        .select(['devices.policy', 'own.actions'])
        .where('devices.uuid', '=', device)
        .executeTakeFirst();
      const entries = await trx
        .selectFrom('allow_list')
        .select(['id', 'identifier'])
        .where('device', '=', device)
        .where('type', '=', 'definition')
        .where((eb) => eb.or([eb('until', 'is', null), eb('until', '>', clock.now())]))
        .execute();
      // A deleted profile protects like strict.
      const fixed = fixedPolicies[row?.policy === 'permissive' ? 'permissive' : 'strict'].actions;
      return { action: (row?.actions ?? fixed).RemoteControl, allowed: new Map(entries.map(({ id, identifier }) => [identifier, id])) };
    },
  };
}
