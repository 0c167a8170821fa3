import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../root.ts';
import { killServerDrill } from './kill-server.ts';

test.skipIf(!existsSync(join(root, 'server', 'main.ts')))(
  '[P4.5, P5.4] acknowledged detections survive a server kill at any step, and each person gets one email for each alert',
  async () => {
    const { wrong, acknowledged } = await killServerDrill(5);
    expect(wrong).toEqual([]);
    expect(acknowledged).toBeGreaterThan(10);
  },
  240_000,
);
