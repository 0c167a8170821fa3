import { serverLimits } from '@porchlight/contract/server-limits.ts';
import { type Compilable, type RawBuilder, sql } from 'kysely';
import { flags } from '../../../db/flags.ts';
import { preparedQuery } from '../../../db/prepared-query.ts';
import type { Kernel } from '../../../kernel.ts';
import { fail } from '../../../lib/errors.ts';
import type { NewestDefinitions, PollBackend, PollBegun, PollStart } from './poll-backend.ts';

/**
 * What the statement that authenticates a poll finds. `protecting`, `says_sleep`: as the agent reported last. `outage`: the device counts as
 * offline for no known reason; an announced absence ends with the agent's next check-in. `due_soon`: nobody waits for this device, or not long
 * enough. `new_here`: it is counted for how long the device has been connected. `troubled`: a detection or a weakening act within the last
 * hour, so silence counts after two minutes.
 */
const pollFlags = flags(['protecting', 'enrolling', 'stale', 'outage', 'due_soon', 'says_sleep', 'new_here', 'network_old', 'troubled']);

/** The token's device and all that a long poll compares, read in one statement. */
export interface PolledDevice {
  device: string;
  policy_version: number;
  found: ReturnType<typeof pollFlags.read>;
}

interface PolledToken {
  device: string | null;
  policy_version: number;
  bits: number;
}

export interface DevicePollDeps extends Pick<Kernel, 'db' | 'clock'> {
  newest(): Promise<NewestDefinitions>;
  networkHash(caller: string): Buffer | null;
  noteNetwork(device: string, caller: string): Promise<unknown>;
  /** In milliseconds: after this time the network of a device is noted again. */
  network_interval: number;
  devices: {
    seen(uuid: string, seen: { protecting: boolean }): Promise<unknown>;
    changedOf(known: Map<string, number>): Promise<string[]>;
    /** A statement that sets `last_seen` of the devices of `present`, a table expression with the column `uuid`. */
    markSeen(present: RawBuilder<unknown>): RawBuilder<unknown>;
  };
  watch: {
    /** In milliseconds: less time until silence counts is not enough. */
    due_within: number;
    checkedIn(device: string, report: { protecting: boolean; says_sleep: boolean }): Promise<unknown>;
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
    (values: { token_hash: Buffer; network_hash: Buffer | null; now: string }): Compilable<PolledToken> => ({
      compile: () =>
        sql<PolledToken>`
          select t.device, d.policy_version, ${pollFlags.of(conditions)} as bits
          from device_tokens t
            cross join (select ${values.now}::timestamptz as time) now
            left join devices d on d.uuid = t.device
            left join device_watch w on w.device = t.device
            left join device_outages o on o.device = t.device
            left join device_use u on u.device = t.device
            left join device_networks n on n.device = t.device and n.network_hash = ${values.network_hash}
          where t.token_hash = ${values.token_hash}`.compile(db),
    }),
  );
  const ago = (ms: number) => sql`now.time - interval '${sql.raw(String(ms))} milliseconds'`;
  const conditions: Parameters<typeof pollFlags.of>[0] = {
    protecting: sql`d.protecting`,
    enrolling: sql`d.enrol_id is not null`,
    stale: sql`d.last_seen is null or d.last_seen <= ${ago(seen_max_age)}`,
    outage: sql`o.kind = 'vanished'`,
    due_soon: sql`w.due is null or w.due <= ${ago(-watch.due_within)}`,
    says_sleep: sql`w.says_sleep`,
    new_here: sql`coalesce(u.connected_ms, 0) < ${sql.lit(serverLimits.pin_hash_after)}`,
    network_old: sql`n.seen is null or n.seen <= ${ago(deps.network_interval)}`,
    troubled: sql`d.last_detection > ${ago(serverLimits.outage_trouble)} or exists (
      select 1 from activity_log a where a.account = d.account and a.time > ${ago(serverLimits.outage_trouble)}
        and (a.device is null or a.device = d.uuid) and a.kind not in (${sql.join(deps.harmlessKinds.map((kind) => sql.lit(kind)))}))`,
  };

  const authenticate = async (token_hash: Buffer, caller: string): Promise<PolledDevice> => {
    const [row] = await rowsOf({ token_hash, network_hash: deps.networkHash(caller), now: clock.now().toISOString() });
    if (!row) return fail('unauthorized');
    const { device, policy_version, bits } = row;
    return { device: device ?? fail('device_removed'), policy_version, found: pollFlags.read(bits) };
  };

  /** Writes what the poll changes, which is nothing for a device that was connected a moment ago and is as it was. */
  const begin = async ({ device, policy_version, found }: PolledDevice, caller: string, start: PollStart): Promise<PollBegun> => {
    const { protecting, steady } = start;
    if (found.enrolling || found.protecting !== protecting || (found.stale && !steady)) await devices.seen(device, { protecting });
    if (found.outage || found.due_soon) await watch.checkedIn(device, { protecting, says_sleep: found.says_sleep });
    if (found.new_here) await deps.noteUse(device);
    if (found.network_old) await deps.noteNetwork(device, caller);
    const wait_max = found.troubled ? serverLimits.agent_wait_seconds : serverLimits.poll_seconds;
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
