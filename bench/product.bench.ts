import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { median, type Row } from '@porchlight/dev/bench-row.ts';
import { startWorld } from '@porchlight/dev/world.ts';

/** How long a newcomer waits for the server. */
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
  return [
    { name: 'first start until ready', value: median(cold), unit: 'ms', ...none, aim: { at_most: 8_000 } },
    { name: 'second start until ready', value: median(warm), unit: 'ms', ...none, aim: { at_most: 3_000 } },
  ];
}
