import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Row } from '@porchlight/dev/bench-row.ts';
import { call } from '@porchlight/dev/call.ts';
import { registeredPerson } from '@porchlight/dev/people.ts';
import { until } from '@porchlight/dev/until.ts';
import { startWorld, type World } from '@porchlight/dev/world.ts';

const times = 40;

export async function bench(log: (line: string) => void): Promise<Row[]> {
  const world = await startWorld({ env: { AGENT_LOOPBACK_PORT: '0' } });
  try {
    const latencies = (await changes(world)).toSorted((a, b) => a - b);
    const p95 = latencies[Math.ceil(times * 0.95) - 1] ?? Number.NaN;
    log(`a change reached the agent: fastest ${latencies[0]?.toFixed(0)} ms, slowest ${latencies.at(-1)?.toFixed(0)} ms`);
    return [
      { name: `change until in force, p95 of ${times}`, value: p95, unit: 'ms', peer: null, peer_value: null, aim: { at_most: 3000 } },
    ];
  } finally {
    await world.close();
  }
}

/** Milliseconds from renaming the device to the new name in the agent's stored policy; polling adds up to 10 ms. */
async function changes(world: World): Promise<number[]> {
  const { token } = await registeredPerson(world);
  const { uuid, login_code } = await call(world.url, 'POST /web/create-device', { token, body: { name: 'Den PC' } });
  world.startAgent(['--code', login_code]);
  const storedPolicy = () => readFile(join(world.dataDir, 'agent', 'policy.json'), 'utf8').catch(() => '');
  await until('the first policy', async () => (await storedPolicy()).includes('Den PC'), 20_000, 10);
  const latencies: number[] = [];
  for (let n = 0; n < times; n++) {
    const name = `Den PC ${n}x`;
    const startedAt = performance.now();
    await call(world.url, 'POST /web/devices/:uuid', { token, params: { uuid }, body: { name, policy: 'strict' } });
    await until('the change', async () => (await storedPolicy()).includes(name), 60_000, 10);
    latencies.push(performance.now() - startedAt);
  }
  return latencies;
}
