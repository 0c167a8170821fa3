import { randomUUID } from 'node:crypto';
import type { AgentInfo } from '@porchlight/contract/agent.ts';
import type { DeviceOutage } from '@porchlight/contract/device-health.ts';
import type { Device, Person } from '@porchlight/contract/devices.ts';
import { zero_time } from '@porchlight/contract/limits.ts';
import type { PolicyId } from '@porchlight/contract/policies.ts';
import { type RawBuilder, sql } from 'kysely';
import { lockAccount } from '../../db/lock-account.ts';
import { notify } from '../../db/notify.ts';
import type { Db, Trx } from '../../db/open.ts';
import { preparedQuery } from '../../db/prepared-query.ts';
import type { ServerEvents } from '../../kernel.ts';
import type { Clock } from '../../lib/clock.ts';
import { noteRemoval } from './code-store.ts';

export type DeviceStore = ReturnType<typeof deviceStore>;

export function deviceStore(db: Db, clock: Clock) {
  const selectDevices = (connection: Db | Trx) =>
    connection
      .selectFrom('devices')
      .leftJoin('device_codes', (join) => join.onRef('device_codes.device', '=', 'devices.uuid').on('device_codes.used', 'is', null))
      .select(['devices.uuid', 'devices.name', 'devices.policy', 'devices.info', 'devices.last_seen', 'devices.last_detection'])
      .leftJoin('device_outages', 'device_outages.device', 'devices.uuid')
      .select(['devices.installed', 'devices.strict_until', 'devices.leaves', 'devices.person'])
      .select(['device_codes.code', 'device_codes.expires'])
      .select(['device_outages.kind as outage', 'device_outages.since as silent_since', 'device_outages.until as silent_until']);

  const devicesOf = preparedQuery(db, ({ account }: { account: string }) =>
    selectDevices(db).where('account', '=', account).orderBy('devices.created'),
  );

  const bumpVersions = { policy_version: sql<number>`policy_version + 1` };
  /** Days are those of UTC. */
  const daysSeen = (now: Date) =>
    sql<number>`days_seen + case when (last_seen at time zone 'UTC')::date = (${now}::timestamptz at time zone 'UTC')::date then 0 else 1 end`;
  const seenNow = () => ({ last_seen: clock.now(), days_seen: daysSeen(clock.now()) });
  const personRow = (person: Person | null | undefined) =>
    person === undefined ? {} : { person: person && JSON.stringify(person), person_set: clock.now() };

  return {
    async list(account: string): Promise<Device[]> {
      const now = clock.now();
      return (await devicesOf({ account })).map((row) => toDevice(row, now));
    },

    async get(account: string, uuid: string, connection: Db | Trx = db): Promise<Device | null> {
      const row = await selectDevices(connection).where('account', '=', account).where('devices.uuid', '=', uuid).executeTakeFirst();
      return row ? toDevice(row, clock.now()) : null;
    },

    /** Locks the account, so that simultaneous additions are counted. */
    async countLocked(trx: Trx, account: string): Promise<number> {
      await lockAccount(trx, account);
      const { count } = await trx
        .selectFrom('devices')
        .select((eb) => eb.fn.countAll<string>().as('count'))
        .where('account', '=', account)
        .executeTakeFirstOrThrow();
      return Number(count);
    },

    create: (trx: Trx, account: string, { person, ...device }: { uuid: string } & Change) =>
      trx
        .insertInto('devices')
        .values({ ...device, ...personRow(person), account, created: clock.now() })
        .execute(),

    async update(trx: Trx, account: string, uuid: string, { person, ...change }: Change): Promise<boolean> {
      const updatedRow = await trx
        .updateTable('devices')
        .set({ ...change, ...personRow(person), ...bumpVersions })
        .where('account', '=', account)
        .where('uuid', '=', uuid)
        .returning('uuid')
        .executeTakeFirst();
      if (updatedRow) await notify(trx, 'device', uuid);
      return updatedRow !== undefined;
    },

    /** Chooses a profile; a deleted one protects like strict. */
    async choosePolicy(trx: Trx, account: string, uuid: string, policy: PolicyId): Promise<void> {
      await trx
        .updateTable('devices')
        .set({ policy, ...bumpVersions })
        .where('account', '=', account)
        .where('uuid', '=', uuid)
        .execute();
      await notify(trx, 'device', uuid);
    },

    /** Ends the device's current pause, not later ones. False when the device is unknown. */
    async resume(trx: Trx, account: string, uuid: string): Promise<boolean> {
      const updatedRow = await trx
        .updateTable('devices')
        .set({ resume: randomUUID(), ...bumpVersions })
        .where('account', '=', account)
        .where('uuid', '=', uuid)
        .returning('uuid')
        .executeTakeFirst();
      if (updatedRow) await notify(trx, 'device', uuid);
      return updatedRow !== undefined;
    },

    /** The only place that deletes a device, so that each removal is noted on its tokens. */
    async remove(trx: Trx, account: string, uuid: string): Promise<boolean> {
      const device = trx.selectFrom('devices').select('uuid').where('account', '=', account).where('uuid', '=', uuid);
      // Locked before its tokens, as in an enrolment, to avoid deadlocks.
      if (!(await device.forUpdate().executeTakeFirst())) return false;
      await noteRemoval(trx, account, uuid, clock.now());
      await trx.deleteFrom('devices').where('uuid', '=', uuid).execute();
      await notify(trx, 'device', uuid);
      return true;
    },

    /** Locks the device; undefined when the account does not own the device. */
    async bumpPolicy(trx: Trx, account: string, uuid: string): Promise<{ name: string; time_zone: string } | undefined> {
      const row = await trx
        .updateTable('devices')
        .set(bumpVersions)
        .where('account', '=', account)
        .where('uuid', '=', uuid)
        .returning(['name', 'info'])
        .executeTakeFirst();
      if (row) await notify(trx, 'device', uuid);
      return row && { name: row.name, time_zone: row.info?.time_zone ?? 'UTC' };
    },

    /** The new policy may be the same profile after a change. Wakes the agents. */
    async profileChanged(trx: Trx, account: string, profile: string, newPolicy: PolicyId): Promise<void> {
      const devicesWithProfile = trx.updateTable('devices').where('account', '=', account).where('policy', '=', profile);
      const rows = await devicesWithProfile
        .set({ policy: newPolicy, ...bumpVersions })
        .returning('uuid')
        .execute();
      for (const { uuid } of rows) await notify(trx, 'device', uuid);
    },

    /** When each device was made, and the guardian who does not know it (P18.2). */
    async doubtsOf(account: string): Promise<Map<string, { created: Date; unknown_to: string | null }>> {
      const rows = await db.selectFrom('devices').select(['uuid', 'created', 'unknown_to']).where('account', '=', account).execute();
      return new Map(rows.map(({ uuid, ...doubt }) => [uuid, doubt]));
    },

    /**
     * Stores a guardian's answer about a device: the first *I don’t know it*, or its end by the same guardian. Returns the device's name if
     * that changed something; null if not, undefined for an unknown device.
     */
    async setKnown(trx: Trx, { account, guardian }: { account: string; guardian: string }, uuid: string, known: boolean) {
      const row = await trx
        .selectFrom('devices')
        .select(['name', 'unknown_to'])
        .where('account', '=', account)
        .where('uuid', '=', uuid)
        .forUpdate()
        .executeTakeFirst();
      if (!row) return undefined;
      if (row.unknown_to !== (known ? guardian : null)) return null;
      await trx
        .updateTable('devices')
        .set({ unknown_to: known ? null : guardian })
        .where('uuid', '=', uuid)
        .execute();
      return row.name;
    },

    async policyChanged(trx: Db | Trx, { account, device }: ServerEvents['policy_changed']): Promise<void> {
      const ofAccount = trx.updateTable('devices').set(bumpVersions).where('account', '=', account);
      const rows = await (device === null ? ofAccount : ofAccount.where('uuid', '=', device)).returning('uuid').execute();
      for (const { uuid } of rows) await notify(trx, 'device', uuid);
    },

    markInstalled: (trx: Trx, uuid: string, info: AgentInfo, enrol_id: string) =>
      trx
        .updateTable('devices')
        .set({ installed: clock.now(), ...seenNow(), info: JSON.stringify(info), enrol_id })
        .where('uuid', '=', uuid)
        .execute(),

    /** The agent has its token now, so its enrolment cannot redeem the code again. */
    seen: (
      uuid: string,
      { info, ...seen }: { info?: AgentInfo; protecting?: boolean; strict_until?: Date | null; leaves?: Date | null } = {},
    ) =>
      db
        .updateTable('devices')
        .set({ ...seenNow(), enrol_id: null, ...seen, ...(info ? { info: JSON.stringify(info) } : {}) })
        .where('uuid', '=', uuid)
        .execute(),

    /** See `DevicePollDeps`. */
    markSeen: (present: RawBuilder<unknown>) =>
      sql`update devices d set days_seen = ${daysSeen(clock.now())}, last_seen = ${clock.now()} from ${present} p where d.uuid = p.uuid and d.last_seen < ${clock.now()}`,

    /** Locks the device, so that its reports run one at a time. */
    lockForReport: (trx: Trx, uuid: string) =>
      trx
        .selectFrom('devices')
        .select(['uuid', 'account', 'name', 'info', 'installed', 'person'])
        .where('uuid', '=', uuid)
        .forUpdate()
        .executeTakeFirst(),

    noteDetection: (trx: Trx, uuid: string, time: Date) =>
      trx
        .updateTable('devices')
        .set({ last_detection: sql<Date>`greatest(coalesce(last_detection, ${time}), ${time})` })
        .where('uuid', '=', uuid)
        .execute(),

    async changedOf(knownVersions: Map<string, number>): Promise<string[]> {
      const rows = await db
        .selectFrom('devices')
        .select(['uuid', 'policy_version'])
        .where('uuid', 'in', [...knownVersions.keys()])
        .execute();
      const versions = new Map(rows.map(({ uuid, policy_version }) => [uuid, policy_version]));
      return [...knownVersions]
        .filter(([uuid, version]) => (versions.get(uuid) ?? Number.POSITIVE_INFINITY) > version)
        .map(([uuid]) => uuid);
    },

    /** Undefined when the holder uses the device or its user is unknown. */
    async accountIfUsedByOther(uuid: string): Promise<string | undefined> {
      const row = await db.selectFrom('devices').select(['account', 'person']).where('uuid', '=', uuid).executeTakeFirst();
      return row?.person && !row.person.is_holder ? row.account : undefined;
    },

    accountOf: async (uuid: string): Promise<string | undefined> =>
      (await db.selectFrom('devices').select('account').where('uuid', '=', uuid).executeTakeFirst())?.account,
  };
}

interface Change {
  name: string;
  policy: PolicyId;
  person?: Person | null | undefined;
}

interface Row {
  uuid: string;
  name: string;
  policy: PolicyId;
  info: AgentInfo | null;
  last_seen: Date | null;
  last_detection: Date | null;
  installed: Date | null;
  strict_until: Date | null;
  leaves: Date | null;
  person: Person | null;
  code: string | null;
  expires: Date | null;
  outage: DeviceOutage['kind'] | null;
  silent_since: Date | null;
  silent_until: Date | null;
}

function toDevice(row: Row, now: Date): Device {
  return {
    uuid: row.uuid,
    name: row.name,
    policy: row.policy,
    info: { name: row.info?.name ?? '' },
    last_seen: row.last_seen?.toISOString() ?? null,
    last_detection: row.last_detection?.toISOString() ?? zero_time,
    ...(row.info?.limitations.length ? { limitations: row.info.limitations } : {}),
    outage: outageOf(row, now) ?? unarmedOf(row, now),
    person: row.person,
    ...(row.strict_until && row.strict_until > now ? { strict_until: row.strict_until.toISOString() } : {}),
    ...(row.leaves && row.leaves > now ? { leaves: row.leaves.toISOString() } : {}),
    ...(row.code && row.expires && !row.installed ? { login_code: row.code, login_code_expires: row.expires.toISOString() } : {}),
  };
}

function outageOf({ outage: kind, silent_since: since, silent_until: until }: Row, now: Date): DeviceOutage | null {
  if (!kind || !since || (until && until <= now)) return null;
  return { kind, since: since.toISOString(), ...(until ? { until: until.toISOString() } : {}) };
}

/** Definitions take seconds to arrive after linking. A device that reported long ago counts as out of contact. */
const [ARMING_MS, REPORTED_MS] = [60_000, 24 * 3_600_000];

function unarmedOf({ info, installed, last_seen }: Row, now: Date): DeviceOutage | null {
  if (!info?.no_definitions || !installed || !last_seen) return null;
  if (now.getTime() - installed.getTime() < ARMING_MS || now.getTime() - last_seen.getTime() > REPORTED_MS) return null;
  return { kind: 'no_definitions', since: last_seen.toISOString(), ...info.no_definitions };
}
