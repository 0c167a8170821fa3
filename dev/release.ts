// `npm run release`: see docs/releases.md.
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { buildDashboardOf } from './release/build.ts';
import { Refused } from './release/refused.ts';
import { release } from './release/release.ts';
import { root } from './root.ts';

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { 'dry-run': { type: 'boolean' }, unsigned: { type: 'boolean' }, out: { type: 'string' } },
  });
  const [version, ...others] = positionals;
  if (!version || others.length) throw new Refused('Name one version, for example: npm run release -- 1.2.0');
  await release({
    folder: root,
    version,
    out: resolve(values.out ?? join(root, 'dist', 'release', version)),
    key: values.unsigned ? null : (process.env.RELEASE_SIGNING_KEY ?? ''),
    dryRun: values['dry-run'] ?? false,
    now: new Date(),
    build: buildDashboardOf,
    report: (line) => console.log(line),
  });
}

try {
  await main();
} catch (reason) {
  console.error(reason instanceof Error ? reason.message : reason);
  process.exitCode = 1;
}
