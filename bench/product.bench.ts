import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { median, type Row } from '@porchlight/dev/bench-row.ts';
import { call } from '@porchlight/dev/call.ts';
import { linkedDevice, registeredPerson } from '@porchlight/dev/people.ts';
import { until } from '@porchlight/dev/until.ts';
import { startWorld, type World } from '@porchlight/dev/world.ts';

/** How long a newcomer waits for the server, and a family for the mail. */
export async function bench(log: (line: string) => void): Promise<Row[]> {
  const none = { peer: null, peer_value: null };
  const cold: number[] = [];
  const warm: number[] = [];
  for (let round = 0; round < 3; round++) {
    const dataDir = await mkdtemp(join(tmpdir(), 'porchlight-bench-'));
    for (const times of [cold, warm]) {
      const before = performance.now();
      const world = await startWorld({ dataDir });
      times.push(performance.now() - before);
      await world.close();
    }
    await rm(dataDir, { recursive: true, force: true });
    log(`start, round ${round + 1}: cold ${cold.at(-1)?.toFixed(0)} ms, warm ${warm.at(-1)?.toFixed(0)} ms`);
  }
  const world = await startWorld();
  try {
    const latencies = await alertLatencies(world, 20);
    return [
      { name: 'first start until ready', value: median(cold), unit: 'ms', ...none, aim: { at_most: 8_000 } },
      { name: 'second start until ready', value: median(warm), unit: 'ms', ...none, aim: { at_most: 3_000 } },
      { name: 'detection until mail, median of 20', value: median(latencies), unit: 'ms', ...none, aim: { at_most: 1_000 } },
      { name: 'detection until mail, slowest of 20', value: Math.max(...latencies), unit: 'ms', ...none, aim: { at_most: 3_000 } },
    ];
  } finally {
    await world.close();
  }
}

/** From sending a report to seeing its mail in the mailbox; looking takes up to 10 ms of it. */
async function alertLatencies(world: World, times: number): Promise<number[]> {
  const person = await registeredPerson(world);
  const { token } = await linkedDevice(world, person);
  const common = { name: 'Remote helper', category: 'RemoteControl', details: '', blocked: true, certainty: 'certain' } as const;
  const found: number[] = [];
  for (let n = 0; n < times; n++) {
    const uuid = randomUUID();
    const before = performance.now();
    const detection = { uuid, time: new Date().toISOString(), identifier: `bench-${uuid}`, ...common };
    await call(world.url, 'POST /agent/detections', { token, body: { detections: [detection] } });
    await until('the mail', async () => (await world.mailbox()).some((mail) => mail.text.includes(uuid)), 30_000, 10);
    found.push(performance.now() - before);
  }
  return found;
}
