import { Agent, get } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { median, type Row } from '@porchlight/dev/bench-row.ts';
import { startChild } from '@porchlight/dev/child.ts';
import { readingsOf } from '@porchlight/dev/drills/server-readings.ts';
import { linkedDevice, registeredPerson } from '@porchlight/dev/people.ts';
import { freePort } from '@porchlight/dev/ports.ts';
import { serverHeapOptions } from '@porchlight/dev/programs.ts';
import { root } from '@porchlight/dev/root.ts';
import { answers, until } from '@porchlight/dev/until.ts';
import { startWorld } from '@porchlight/dev/world.ts';
import { findPostmaster } from '@porchlight/server/db/embedded/postmaster.ts';
import { urlOf } from '@porchlight/server/db/embedded/probe.ts';
import { openDb } from '@porchlight/server/db/open.ts';

const device_count = 10;
const rounds = 7;
/** A processor's time is counted in hundredths of a second, so a round has to take many of them. */
const calls = 2_000;
const at_once = 8;
/** Node compiles what has run often. */
const warm_up = 4_000;

/** What the two servers' processes cost per call; each is a process of its own on the same rows, and this process makes the calls. */
export async function bench(log: (line: string) => void): Promise<Row[]> {
  if (process.platform !== 'linux') {
    log('skipped: the time of another process is read from /proc');
    return [];
  }
  const world = await startWorld();
  const agent = new Agent({ keepAlive: true, maxSockets: at_once });
  let stopPeer = async () => {};
  try {
    const person = await registeredPerson(world);
    const postmaster = await findPostmaster(join(world.dataDir, 'postgres', 'cluster'));
    if (!postmaster) throw new Error('The database of the bench does not run.');
    const databaseUrl = urlOf(postmaster.socketFolder);
    await raiseDeviceLimit(databaseUrl, person.email);
    for (let n = 0; n < device_count; n++) await linkedDevice(world, person, `PC ${n}`);
    const peer = await startPeer(databaseUrl, world.dataDir);
    stopPeer = peer.stop;

    const servers = [
      { url: world.url, readings: readingsOf(world), costs: [] as number[] },
      { url: peer.url, readings: readingsOf({ serverPid: () => peer.pid, dataDir: world.dataDir }), costs: [] as number[] },
    ] as const;
    for (const { url } of servers) await read(agent, url, person.token, warm_up);
    for (let round = 0; round < rounds; round++) {
      for (const { url, readings, costs } of servers) {
        const before = await readings.processor();
        await read(agent, url, person.token, calls);
        costs.push(((await readings.processor()) - before) / calls);
      }
    }
    const [ours, bare] = servers.map(({ costs }) => costs);
    if (!ours || !bare) return [];
    const ratios = ours.map((cost, round) => cost / (bare[round] ?? Number.NaN)).toSorted((a, b) => a - b);
    log(`ratios of ${rounds} rounds: ${ratios.map((ratio) => ratio.toFixed(2)).join(', ')}`);
    return [
      {
        name: `authenticated read, ${device_count} devices: processor time per call, median of ${rounds} × ${calls}`,
        value: median(ours),
        unit: 'ms',
        peer: 'bare Fastify, the token query and the devices query, both prepared',
        peer_value: median(bare),
        aim: { ratio_at_most: 1.5 },
      },
    ];
  } finally {
    agent.destroy();
    await stopPeer();
    await world.close();
  }
}

async function raiseDeviceLimit(databaseUrl: string, email: string): Promise<void> {
  const { db, close } = openDb(databaseUrl, 1);
  await db.updateTable('accounts').set({ device_limit: device_count }).where('email', '=', email).execute();
  await close();
}

async function startPeer(databaseUrl: string, dataDir: string): Promise<{ url: string; pid: number; stop: () => Promise<void> }> {
  const port = await freePort();
  const child = startChild({
    script: fileURLToPath(new URL('./authenticated-read-peer.ts', import.meta.url)),
    node: serverHeapOptions,
    cwd: root,
    env: { PATH: process.env.PATH, DATABASE_URL: databaseUrl, PORT: String(port), NODE_ENV: 'production' },
    logFile: join(dataDir, 'logs', 'peer.log'),
  });
  const url = `http://localhost:${port}`;
  try {
    await until('the peer to be ready', async () => {
      if (!child.isRunning()) throw new Error(`The peer did not start: ${child.output()}`);
      return answers(url);
    });
  } catch (reason) {
    await child.stop();
    throw reason;
  }
  return { url, pid: child.pid, stop: () => child.stop() };
}

/** Makes this many calls, `at_once` at a time, and checks each answer. */
async function read(agent: Agent, url: string, token: string, count: number): Promise<void> {
  let left = count;
  const next = async () => {
    while (left-- > 0) {
      const { status, body } = await answerOf(agent, url, token);
      if (status !== 200 || !body.includes('"PC 9"')) throw new Error(`${url} answered ${status}: ${body.slice(0, 200)}`);
    }
  };
  await Promise.all(Array.from({ length: at_once }, next));
}

function answerOf(agent: Agent, url: string, token: string): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const request = get(`${url}/api/web/devices`, { agent, headers: { authorization: `Bearer ${token}` } }, (response) => {
      let body = '';
      response.setEncoding('utf8');
      response.on('data', (text: string) => (body += text));
      response.once('end', () => resolve({ status: response.statusCode ?? 0, body }));
      response.once('error', reject);
    });
    request.once('error', reject);
  });
}
