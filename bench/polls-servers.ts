import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { call } from '@porchlight/dev/call.ts';
import { startChild } from '@porchlight/dev/child.ts';
import { readingsOf } from '@porchlight/dev/drills/server-readings.ts';
import { linkedDevice, registeredPerson } from '@porchlight/dev/people.ts';
import { freePort } from '@porchlight/dev/ports.ts';
import { serverHeapOptions } from '@porchlight/dev/programs.ts';
import { root } from '@porchlight/dev/root.ts';
import { answers, until } from '@porchlight/dev/until.ts';
import { startWorld, type World, type WorldOptions } from '@porchlight/dev/world.ts';
import { findPostmaster } from '@porchlight/server/db/embedded/postmaster.ts';
import { urlOf } from '@porchlight/server/db/embedded/probe.ts';
import pg from 'pg';
import { type Agents, type PollOrder, startAgents } from './polls-agents.ts';

/** A server with agents that only this bench has. */
export interface PolledServer {
  /** In milliseconds of processor time since its start. */
  processor(): Promise<number>;
  /** In bytes, without garbage. */
  memory(): Promise<number>;
  agents: Agents;
  close(): Promise<void>;
}

const collecting = ['--expose-gc', `--import=${fileURLToPath(new URL('./polls-collect.ts', import.meta.url))}`];
/** In milliseconds: longer than collecting garbage three times. */
const collected_after = 1_500;
const devices_per_account = 5;

/** The product; `options`: a role, and where it has none of its own, the database of another server. */
export async function productServer(options: WorldOptions = {}): Promise<World> {
  return startWorld({ ...options, env: { ...options.env, NODE_OPTIONS: collecting.join(' ') } });
}

export const ofProduct = (world: World, known: PollOrder['known']): PolledServer =>
  polledServer(world, Number(new URL(world.url).port), known, async () => {});

/** `databaseUrl`: for Fastify with a database; otherwise it is Node's own server without one. `headers`: of each answer. */
export async function peerServer(
  world: World,
  known: PollOrder['known'],
  headers: string[],
  databaseUrl: string | null,
): Promise<PolledServer> {
  const port = await freePort();
  const child = startChild({
    script: fileURLToPath(new URL('./polls-peer.ts', import.meta.url)),
    node: [...serverHeapOptions, ...collecting],
    cwd: root,
    env: {
      ...{ PATH: process.env.PATH, PORT: String(port), HEADERS: JSON.stringify(headers), NODE_ENV: 'production' },
      ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}),
    },
    logFile: join(world.dataDir, 'logs', 'peer.log'),
  });
  try {
    await until('the peer to be ready', async () => {
      if (!child.isRunning()) throw new Error(`The peer did not start: ${child.output()}`);
      return answers(`http://127.0.0.1:${port}`);
    });
  } catch (reason) {
    await child.stop();
    throw reason;
  }
  return polledServer({ serverPid: () => child.pid, dataDir: world.dataDir }, port, known, () => child.stop());
}

function polledServer(
  world: Pick<World, 'serverPid' | 'dataDir'>,
  port: number,
  known: PollOrder['known'],
  stop: () => Promise<void>,
): PolledServer {
  const agents = startAgents(port, known);
  const { processor, memory } = readingsOf(world);
  return {
    processor,
    async memory() {
      for (let n = 0; n < 3; n++) {
        process.kill(world.serverPid(), 'SIGUSR2');
        await sleep(collected_after);
      }
      return (await memory()) * 1_048_576;
    },
    agents,
    async close() {
      await agents.close();
      await stop();
    },
  };
}

export async function databaseOf(world: World): Promise<string> {
  const postmaster = await findPostmaster(join(world.dataDir, 'postgres', 'cluster'));
  if (!postmaster) throw new Error('The database of the bench does not run.');
  return urlOf(postmaster.socketFolder);
}

/** Copies of a linked device, five to an account, each with a token of its own; without events of the last hour, in which polls are short. */
export async function devicesIn(
  world: World,
  databaseUrl: string,
  count: number,
): Promise<{ tokens: string[]; known: PollOrder['known'] }> {
  const { uuid, token } = await linkedDevice(world, await registeredPerson(world));
  const { policy, definitions_version } = await call(world.url, 'GET /agent/policy', { token });
  const { version } = JSON.parse(policy.payload) as { version: number };
  const tokens = Array.from({ length: count }, () => randomBytes(32).toString('base64url'));
  const hashes = tokens.map((text) => createHash('sha256').update(text).digest());
  const uuids = tokens.map(() => randomUUID());
  const accounts = tokens.map((_, n) => n - (n % devices_per_account)).map((n) => uuids[n] ?? '');
  const db = new pg.Client({ connectionString: databaseUrl });
  await db.connect();
  try {
    const ofDevice = 'accounts a join devices d on d.account = a.uuid where d.uuid = $2';
    await db.query(
      `insert into accounts select (jsonb_populate_record(a, jsonb_build_object('uuid', n.account, 'email', n.account || '@example.org'))).*
        from (select distinct unnest($1::uuid[]) as account) n, ${ofDevice}`,
      [accounts, uuid],
    );
    await db.query(
      `insert into devices
        select (jsonb_populate_record(d, jsonb_build_object('uuid', n.device, 'account', n.account, 'last_seen', now()))).*
        from unnest($1::uuid[], $3::uuid[]) as n (device, account), devices d where d.uuid = $2`,
      [uuids, uuid, accounts],
    );
    await db.query(
      `insert into device_tokens (token_hash, device, created)
        select n.token_hash, n.device, now() from unnest($1::bytea[], $2::uuid[]) as n (token_hash, device)`,
      [hashes, uuids],
    );
    await db.query('insert into device_use (device, connected_ms, last) select unnest($1::uuid[]), 2 * 3600000, now()', [uuids]);
    await db.query("insert into device_watch (device, due, says_sleep) select unnest($1::uuid[]), now() + interval '1 hour', false", [
      uuids,
    ]);
    await db.query('analyze accounts, devices, device_tokens, device_use, device_watch');
  } finally {
    await db.end();
  }
  return { tokens, known: { known: version, known_epoch: 1, known_definitions: definitions_version } };
}
