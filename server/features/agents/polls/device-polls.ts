import { serverLimits } from '@porchlight/contract/server-limits.ts';
import { type Compilable, type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../db/open.ts';
import { preparedQuery } from '../../../db/prepared-query.ts';
import { after, type Clock } from '../../../lib/clock.ts';
import { fail } from '../../../lib/errors.ts';
import type { NewestDefinitions, PollBackend, PollBegun, PollStart } from './poll-backend.ts';

/** The token's device and all that a long poll compares, read in one statement. */
export interface PolledDevice {
  device: string;
  policy_version: number;
  last_seen: Date | null;
  protecting: boolean;
  enrolling: boolean;
  /** When silence becomes an outage; null if nobody waits for this device. */
  due: Date | null;
  says_sleep: boolean | null;
  /** Whether the device counts as offline for no known reason. An announced absence ends with the agent's next check-in. */
  outage: boolean;
  connected_ms: number | null;
  network_seen: Date | null;
  /** A detection or a weakening act within the last hour: then silence counts after two minutes. */
  troubled: boolean;
}

interface PolledToken extends Omit<PolledDevice, 'device'> {
  device: string | null;
}

export interface DevicePollDeps {
  db: Db;
  clock: Clock;
  newest(): Promise<NewestDefinitions>;
  networkHash(caller: string): Buffer | null;
  noteNetwork(device: string, caller: string): Promise<unknown>;
  /** Whether the network of a device has to be written again. */
  isNetworkOld(seen: Date | null): boolean;
  devices: {
    seen(uuid: string, seen: { protecting: boolean }): Promise<unknown>;
    changedOf(known: Map<string, number>): Promise<string[]>;
    /** A statement that sets `last_seen` of the devices of `present`, a table expression with the column `uuid`. */
    markSeen(present: RawBuilder<unknown>): RawBuilder<unknown>;
  };
  watch: {
    /** Whether nobody waits for the device, or not long enough. */
    isDueSoon(due: Date | null): boolean;
    heard(device: string, report: { protecting: boolean; says_sleep: boolean }): Promise<unknown>;
    /** A statement that postpones when the silence of the devices of `present` becomes an outage. */
    postpone(present: RawBuilder<unknown>): RawBuilder<unknown>;
  };
  noteUse(device: string): Promise<unknown>;
  /** Kinds of activity after which silence is no reason to worry. */
  harmlessKinds: string[];
}

/** In milliseconds. With the next presence statement within a minute, no time of contact is older than `outage_alarmed`. */
const seen_max_age = 45_000;

export function devicePolls(deps: DevicePollDeps) {
  const { db, clock, devices, watch } = deps;

  /** One row with `device` null for the token of a removed device, and none for an unknown token. Built once, as the most frequent statement of all. */
  const rowsOf = preparedQuery(
    db,
    (values: { token_hash: Buffer; network_hash: Buffer | null; trouble: Date }): Compilable<PolledToken> => ({
      compile: () =>
        sql<PolledToken>`
          select t.device, d.policy_version, d.last_seen, d.protecting, d.enrol_id is not null as enrolling,
            w.due, w.says_sleep, coalesce(o.kind = 'vanished', false) as outage, u.connected_ms, n.seen as network_seen,
            coalesce(d.last_detection > ${values.trouble}, false) or exists (
              select 1 from activity_log a where a.account = d.account and a.time > ${values.trouble}
                and (a.device is null or a.device = d.uuid) and a.kind <> all(${deps.harmlessKinds})) as troubled
          from device_tokens t
            left join devices d on d.uuid = t.device
            left join device_watch w on w.device = t.device
            left join device_outages o on o.device = t.device
            left join device_use u on u.device = t.device
            left join device_networks n on n.device = t.device and n.network_hash = ${values.network_hash}
          where t.token_hash = ${values.token_hash}`.compile(db),
    }),
  );

  const authenticate = async (token_hash: Buffer, caller: string): Promise<PolledDevice> => {
    const trouble = after(clock.now(), -serverLimits.outage_trouble);
    const [row] = await rowsOf({ token_hash, network_hash: deps.networkHash(caller), trouble });
    if (!row) return fail('unauthorized');
    return { ...row, device: row.device ?? fail('device_removed') };
  };

  /** Writes what the poll changes, which is nothing for a device that was connected a moment ago and is as it was. */
  const begin = async (row: PolledDevice, caller: string, { protecting, steady }: PollStart): Promise<PollBegun> => {
    const { device, last_seen, policy_version } = row;
    const isStale = last_seen === null || clock.now().getTime() - last_seen.getTime() >= seen_max_age;
    if (row.enrolling || row.protecting !== protecting || (isStale && !steady)) await devices.seen(device, { protecting });
    if (row.outage || watch.isDueSoon(row.due)) await watch.heard(device, { protecting, says_sleep: row.says_sleep ?? false });
    if ((row.connected_ms ?? 0) < serverLimits.pin_hash_after) await deps.noteUse(device);
    if (deps.isNetworkOld(row.network_seen)) await deps.noteNetwork(device, caller);
    const wait_max = row.troubled ? serverLimits.agent_wait_seconds : serverLimits.poll_seconds;
    return { device, policy_version, wait_max, newest: await deps.newest() };
  };

  /** Devices that another transaction has locked are left out and returned, so that statements about many devices never wait for each other. */
  const present = async (uuids: string[]): Promise<string[]> => {
    const table = sql`present`;
    const { rows } = await sql<{ uuid: string }>`
      with connected as (select unnest(${uuids}::uuid[]) as uuid),
        present as (select d.uuid from devices d join connected c on c.uuid = d.uuid for no key update of d skip locked),
        marked as (${devices.markSeen(table)}),
        postponed as (${watch.postpone(table)})
      select c.uuid from connected c where not exists (select from present p where p.uuid = c.uuid)
        and exists (select from devices d where d.uuid = c.uuid)`.execute(db);
    return rows.map(({ uuid }) => uuid);
  };

  const backend: PollBackend = {
    begin: async (token_hash, caller, start) => begin(await authenticate(token_hash, caller), caller, start),
    changedOf: devices.changedOf,
    newest: deps.newest,
    present,
  };
  return { authenticate, begin, backend };
}
