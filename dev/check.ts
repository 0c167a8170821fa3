// `npm run check`: everything that can be said about the code without running the product.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildDashboard } from './build-dashboard.ts';
import { wronglyCompared } from './compared-secrets.ts';
import { root } from './root.ts';
import { filesBelow } from './walk.ts';

/** A gate passes when its tool does and when it looked at something; `looked` reads how much from what the tool said. */
interface Gate {
  name: string;
  run(): { code: number; said: string } | Promise<{ code: number; said: string }>;
  looked(said: string): number;
}

const tools = {
  biome: 'node_modules/@biomejs/biome/bin/biome',
  oxlint: 'node_modules/oxlint/bin/oxlint',
  tsc: 'node_modules/typescript/bin/tsc',
  knip: 'node_modules/knip/bin/knip.js',
  vitest: 'node_modules/vitest/vitest.mjs',
  sizeLimit: 'node_modules/size-limit/bin.js',
};

function tool(script: string, ...args: string[]) {
  const done = spawnSync(process.execPath, [join(root, script), ...args], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: '0' },
  });
  return { code: done.status ?? 1, said: done.stdout + done.stderr };
}

const number = (pattern: RegExp) => (said: string) => Number(pattern.exec(said)?.[1] ?? 0);
const workspaces = ['.', 'contract', 'definitions', 'server', 'dashboard', 'agent', 'packaging', 'dev', 'e2e', 'bench'];

const gates: Gate[] = [
  { name: 'format', run: () => tool(tools.biome, 'ci', '.'), looked: number(/Checked (\d+) files/) },
  { name: 'lint', run: () => tool(tools.oxlint, '--deny-warnings'), looked: number(/ on (\d+) files/) },
  ...workspaces.map((workspace) => ({
    name: `types of ${workspace}`,
    run: () => tool(tools.tsc, '-p', workspace, '--listFiles'),
    looked: (said: string) => said.split('\n').filter((line) => line.startsWith(root) && !line.includes('/node_modules/')).length,
  })),
  {
    name: 'unused code',
    // Its table of timings tells how many files it read.
    run: () => tool(tools.knip, '--performance', '--no-progress'),
    looked: number(/parseFile\w*\D+(\d+)/),
  },
  {
    name: 'arrows and requirements',
    run: () => tool(tools.vitest, 'run', '--project', 'dev', 'boundaries', 'requirements'),
    looked: number(/Tests\s.*?(\d+) passed/),
  },
  {
    name: 'secrets compared in constant time',
    run() {
      const own = ['server', 'agent', 'packaging', 'contract', 'definitions', 'dev'].flatMap((folder) => filesBelow(folder, /\.ts$/));
      // A browser shows its secrets to whoever sits at it, tests know those that they compare, and the list of what is none is no comparison.
      const shipped = own.filter((file) => !/\.test\.ts$|\/testing\/|^dev\/compared-secrets\.ts$/.test(file));
      const { wrong, looked } = wronglyCompared(shipped, (file) => readFileSync(join(root, file), 'utf8'));
      return { code: wrong.length ? 1 : 0, said: [...wrong, `${looked} comparisons`].join('\n') };
    },
    looked: number(/(\d+) comparisons/),
  },
  {
    name: 'weight of the first loads',
    async run() {
      await buildDashboard(() => {});
      return tool(tools.sizeLimit, '--json');
    },
    looked: (said) => [...said.matchAll(/"size": (\d+)/g)].filter(([, size]) => Number(size) > 0).length,
  },
];

let failed = 0;
for (const gate of gates) {
  const { code, said } = await Promise.resolve(gate.run()).catch((reason: unknown) => ({ code: 1, said: String(reason) }));
  const looked = gate.looked(said);
  const holds = code === 0 && looked > 0;
  if (!holds) failed += 1;
  console.log(`${holds ? 'ok    ' : 'FAILED'} ${gate.name} (looked at ${looked})`);
  const words = said
    .split('\n')
    .filter((line) => !(line.startsWith('/') && /\.(ts|tsx|d\.[cm]?ts|json)$/.test(line)))
    .join('\n')
    .trim();
  if (!holds) console.log(words || 'It said nothing and looked at nothing.');
}
console.log(failed ? `\n${failed} of ${gates.length} gates failed` : `\nall ${gates.length} gates hold`);
process.exitCode = failed ? 1 : 0;
