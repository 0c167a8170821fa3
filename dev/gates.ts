import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildDashboard } from './build-dashboard.ts';
import { wronglyCompared } from './compared-secrets.ts';
import { buildMain, explainWeights, readBuild } from './first-loads-growth.ts';
import { importsOf } from './imports.ts';
import { slowPatterns } from './linear-patterns.ts';
import { root } from './root.ts';
import { withoutColours } from './runners.ts';
import { checkedWorkspaces, tinyFiles } from './tiny-files.ts';
import { filesBelow } from './walk.ts';

interface Outcome {
  code: number;
  output: string;
}

/** A check of `npm run check`. It passes when its tool succeeds and has read something; `read` parses the amount. */
export interface Gate {
  name: string;
  run(): Promise<Outcome>;
  read(output: string): number;
}

const tools = {
  biome: 'node_modules/@biomejs/biome/bin/biome',
  oxlint: 'node_modules/oxlint/bin/oxlint',
  tsc: 'node_modules/typescript/bin/tsc',
  knip: 'node_modules/knip/bin/knip.js',
  vitest: 'node_modules/vitest/vitest.mjs',
  sizeLimit: 'node_modules/size-limit/bin.js',
};

function tool(script: string, ...args: string[]): Promise<Outcome> {
  const options = { cwd: root, env: withoutColours(process.env) };
  const child = spawn(process.execPath, [join(root, script), ...args], { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code: code ?? 1, output }));
  });
}

const number = (pattern: RegExp) => (output: string) => Number(pattern.exec(output)?.[1] ?? 0);
const workspaces = ['.', 'contract', 'definitions', 'server', 'simulators', 'dashboard', 'agent', 'packaging', 'dev', 'e2e', 'bench'];
/** Folders with code that attackers can time when it compares secrets; not code in browsers. */
const foldersWithSecrets = ['server', 'simulators', 'agent', 'packaging', 'contract', 'definitions', 'dev'];

const typesOf = (workspace: string, ...extraArgs: string[]): Gate => ({
  name: `types of ${workspace}`,
  run: () => tool(tools.tsc, '-p', workspace, '--listFiles', ...extraArgs),
  read: (output) => output.split('\n').filter((line) => line.startsWith(root) && !line.includes('/node_modules/')).length,
});

const arrowsGate: Gate = {
  name: 'arrows, requirements, words and pages',
  run: () => tool(tools.vitest, 'run', '--project', 'dev', 'boundaries', 'requirements', 'words', 'pages', 'generated-docs'),
  read: number(/Tests\s.*?(\d+) passed/),
};

/** Leaves out tests, which know the secrets, and the list of exceptions. */
const mayCompareSecrets = (file: string) => !/\.test\.ts$|\/testing\/|^dev\/compared-secrets\.ts$/.test(file);

const secretsGate = (files: string[]): Gate => ({
  name: 'secrets compared in constant time',
  async run() {
    const shipped = files.filter(mayCompareSecrets);
    const { wrong, checked } = wronglyCompared(shipped, (file) => readFileSync(join(root, file), 'utf8'));
    return { code: wrong.length ? 1 : 0, output: [...wrong, `${checked} comparisons in ${shipped.length} files`].join('\n') };
  },
  read: number(/in (\d+) files/),
});

/** Folders whose programs read what others write; `dev` tries out its own. */
const foldersWithPatterns = ['contract', 'definitions', 'server', 'dashboard', 'agent', 'dev'];
const hasPatterns = (file: string) => /\.tsx?$/.test(file) && !/\.(test|drill)\.tsx?$|\/testing\//.test(file);

const patternsGate = (files: string[]): Gate => ({
  name: 'regular expressions are linear',
  async run() {
    const { wrong, checked } = slowPatterns(files, (file) => readFileSync(join(root, file), 'utf8'));
    return { code: wrong.length ? 1 : 0, output: [...wrong, `${checked} patterns in ${files.length} files`].join('\n') };
  },
  read: number(/in (\d+) files/),
});

const tinyFilesGate: Gate = {
  name: 'no file that belongs into its only importer',
  async run() {
    const files = filesBelow('.', /\.tsx?$/);
    const wrong = tinyFiles(files, checkedWorkspaces, (file) => readFileSync(join(root, file), 'utf8'));
    return { code: wrong.length ? 1 : 0, output: [...wrong, `imports of ${files.length} files`].join('\n') };
  },
  read: number(/of (\d+) files/),
};

export const allGates: Gate[] = [
  { name: 'format', run: () => tool(tools.biome, 'ci', '--colors=off', '.'), read: number(/Checked (\d+) files/) },
  { name: 'lint', run: () => tool(tools.oxlint, '--deny-warnings'), read: number(/on (\d+) files?/) },
  ...workspaces.map((workspace) => typesOf(workspace)),
  {
    name: 'unused code',
    // The table of timings shows how many files were read.
    run: () => tool(tools.knip, '--performance', '--no-progress'),
    read: number(/parseFile\w*\D+(\d+)/),
  },
  arrowsGate,
  tinyFilesGate,
  secretsGate(foldersWithSecrets.flatMap((folder) => filesBelow(folder, /\.ts$/))),
  patternsGate(foldersWithPatterns.flatMap((folder) => filesBelow(folder, /\.tsx?$/)).filter(hasPatterns)),
  {
    name: 'weight of the first loads',
    async run() {
      await buildDashboard(() => {});
      const { code, output } = await tool(tools.sizeLimit, '--json');
      const currentBuild = readBuild(root);
      if (!output.startsWith('[') || !currentBuild) return { code: code || 1, output };
      const weighedLoads = (JSON.parse(output) as { name: string; passed: boolean; size: number; sizeLimit: number }[]).filter(
        ({ size }) => size > 0,
      );
      const lines = code === 0 ? [] : explainWeights(weighedLoads, currentBuild, buildMain());
      return { code, output: [...lines, `${weighedLoads.length} weighed`].join('\n') };
    },
    read: number(/(?<!\d)(\d+) weighed/),
  },
];

const isCode = /\.(ts|tsx|mjs|js)$/;
const isPage = /^docs\/|\.md$|^\.env\.example$/;
const rootFile = /^[^/]+\.ts$/;

/** What every workspace is compiled by. */
const configOfAll = /^(tsconfig\.base|package-lock)\.json$/;

/**
 * These files and all that import them, directly or through others: only they can stop compiling when these change. It follows files and not the
 * dependencies of workspaces, so that a changed test, which nobody imports, compiles one workspace and not all that depend on it.
 */
function withImporters(files: string[]): Set<string> {
  const importers = new Map<string, string[]>();
  for (const file of filesBelow('.', /\.tsx?$/)) {
    for (const { to } of importsOf(file, readFileSync(join(root, file), 'utf8'))) importers.set(to, [...(importers.get(to) ?? []), file]);
  }
  const reached = new Set(files);
  for (const file of reached) for (const importer of importers.get(file) ?? []) reached.add(importer);
  return reached;
}

/** The workspaces that may no longer compile: of these files, and of all that import them. */
function workspacesToCompile(files: string[]): string[] {
  if (files.some((file) => configOfAll.test(file))) return workspaces;
  const code = files.filter((file) => isCode.test(file));
  const reached = code.length ? [...withImporters(code)] : [];
  return workspaces.filter((workspace) =>
    workspace === '.'
      ? reached.some((file) => rootFile.test(file)) || files.includes('tsconfig.json')
      : reached.some((file) => file.startsWith(`${workspace}/`)) || files.includes(`${workspace}/tsconfig.json`),
  );
}

/** The gates that these changes can break. Type checks are incremental. `removed`: files that are gone, which somebody may still import. */
export function fastGates(changed: string[], removed: string[] = []): Gate[] {
  const code = changed.filter((file) => isCode.test(file));
  const compared = code.filter(
    (file) => file.endsWith('.ts') && foldersWithSecrets.includes(file.split('/')[0] ?? '') && mayCompareSecrets(file),
  );
  const gates: Gate[] = [];
  for (const workspace of workspacesToCompile([...changed, ...removed])) {
    const info = join(root, '.cache', 'types', `${workspace === '.' ? 'root' : workspace}.tsbuildinfo`);
    gates.push(typesOf(workspace, '--incremental', '--tsBuildInfoFile', info));
  }
  if (code.length) gates.push({ name: 'lint', run: () => tool(tools.oxlint, '--deny-warnings', ...code), read: number(/on (\d+) files?/) });
  if ([...changed, ...removed].some((file) => isCode.test(file) || isPage.test(file))) gates.push(arrowsGate);
  if ([...changed, ...removed].some((file) => /\.tsx?$/.test(file) && checkedWorkspaces.includes(file.split('/')[0] ?? '')))
    gates.push(tinyFilesGate);
  if (changed.length) {
    const format = () => tool(tools.biome, 'ci', '--colors=off', '--no-errors-on-unmatched', '--files-ignore-unknown=true', ...changed);
    // The formatter reads no pages of docs/, so the amount read is not parsed.
    gates.push({ name: 'format', run: format, read: () => changed.length });
  }
  if (compared.length) gates.push(secretsGate(compared));
  const tried = code.filter((file) => hasPatterns(file) && foldersWithPatterns.includes(file.split('/')[0] ?? ''));
  if (tried.length) gates.push(patternsGate(tried));
  return gates;
}
