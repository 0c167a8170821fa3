import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { median, type Row } from '@porchlight/dev/bench-row.ts';
import { startWorld } from '@porchlight/dev/world.ts';

export async function bench(log: (line: string) => void): Promise<Row[]> {
  const noPeer = { peer: null, peer_value: null };
  const coldStarts: number[] = [];
  const warmStarts: number[] = [];
  for (let round = 0; round < 3; round++) {
    const dataDir = await mkdtemp(join(tmpdir(), 'porchlight-bench-'));
    for (const durations of [coldStarts, warmStarts]) {
      const startedAt = performance.now();
      const world = await startWorld({ dataDir });
      durations.push(performance.now() - startedAt);
      await world.close();
    }
    await rm(dataDir, { recursive: true, force: true });
    log(`start, round ${round + 1}: cold ${coldStarts.at(-1)?.toFixed(0)} ms, warm ${warmStarts.at(-1)?.toFixed(0)} ms`);
  }
  return [
    { name: 'first start until ready', value: median(coldStarts), unit: 'ms', ...noPeer, aim: { at_most: 8_000 } },
    { name: 'second start until ready', value: median(warmStarts), unit: 'ms', ...noPeer, aim: { at_most: 3_000 } },
  ];
}
