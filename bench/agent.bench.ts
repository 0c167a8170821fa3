import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Row } from '@porchlight/dev/bench-row.ts';
import { call } from '@porchlight/dev/call.ts';
import { registeredPerson } from '@porchlight/dev/people.ts';
import { until } from '@porchlight/dev/until.ts';
import { startWorld, type World } from '@porchlight/dev/world.ts';

const times = 40;

/** How long a change on the dashboard takes to be in force on a real agent. */
export async function bench(log: (line: string) => void): Promise<Row[]> {
  const world = await startWorld({ env: { AGENT_LOOPBACK_PORT: '0' } });
  try {
    const found = (await changes(world)).toSorted((a, b) => a - b);
    const p95 = found[Math.ceil(times * 0.95) - 1] ?? Number.NaN;
    log(`a change reached the agent: fastest ${found[0]?.toFixed(0)} ms, slowest ${found.at(-1)?.toFixed(0)} ms`);
    return [
      { name: `change until in force, p95 of ${times}`, value: p95, unit: 'ms', peer: null, peer_value: null, aim: { at_most: 3000 } },
    ];
  } finally {
    await world.close();
  }
}

/** From sending a new name of the device to finding it in the policy that the agent keeps; scanning takes up to 10 ms of it. */
async function changes(world: World): Promise<number[]> {
  const { token } = await registeredPerson(world);
  const { uuid, login_code } = await call(world.url, 'POST /web/create-device', { token, body: { name: 'Den PC' } });
  world.startAgent(['--code', login_code]);
  const kept = () => readFile(join(world.dataDir, 'agent', 'policy.json'), 'utf8').catch(() => '');
  await until('the first policy', async () => (await kept()).includes('Den PC'), 20_000, 10);
  const found: number[] = [];
  for (let n = 0; n < times; n++) {
    const name = `Den PC ${n}x`;
    const before = performance.now();
    await call(world.url, 'POST /web/devices/:uuid', { token, params: { uuid }, body: { name, policy: 'strict' } });
    await until('the change', async () => (await kept()).includes(name), 60_000, 10);
    found.push(performance.now() - before);
  }
  return found;
}
