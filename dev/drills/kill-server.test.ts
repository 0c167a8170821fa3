import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../root.ts';
import { killServerDrill } from './kill-server.ts';

test.skipIf(!existsSync(join(root, 'server', 'main.ts')))(
  '[P4.5, P5.4] what the server acknowledged outlives a kill at each point of its way, and each alert is mailed to each person once',
  async () => {
    const { wrong, acknowledged } = await killServerDrill(5);
    expect(wrong).toEqual([]);
    expect(acknowledged).toBeGreaterThan(10);
  },
  240_000,
);
