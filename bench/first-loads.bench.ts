import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Row } from '@porchlight/dev/bench-row.ts';
import { firstLoads, readManifest } from '@porchlight/dev/first-loads.ts';
import { root } from '@porchlight/dev/root.ts';

/** In kilobytes. The limits of `npm run check` prevent growth alone. */
const aims: Record<string, number> = { login: 100, register: 100, dashboard: 115, guardian: 85 };

/** What a browser loads to show a page for the first time: scripts and styles, each gzipped. */
export async function bench(log: (line: string) => void): Promise<Row[]> {
  if (!existsSync(join(root, 'dashboard', 'dist', '.vite', 'manifest.json'))) {
    log('skipped: the dashboard is not built; `npm run build` does that');
    return [];
  }
  const pages = firstLoads(readManifest()).filter(({ name }) => name in aims);
  return Promise.all(
    pages.map(async ({ name, path }): Promise<Row> => {
      const files = await Promise.all(path.map((file) => readFile(join(root, file))));
      const value = files.reduce((sum, file) => sum + gzipSync(file, { level: 9 }).length, 0) / 1000;
      return { name: `first load, ${name}`, value, unit: 'kB', peer: null, peer_value: null, aim: { at_most: aims[name] ?? 0 } };
    }),
  );
}
