import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { configDefaults, defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { impactVariable } from './dev/impact.ts';
import { isolatedPool } from './dev/isolated-pool.ts';
import { inOwnNamespaces } from './dev/namespaces.ts';
import { filesOfTier, leftOut, retries } from './dev/tiers.ts';
import { onHost, ownProcess } from './dev/vitest-projects.ts';
import { workersOf } from './dev/workers.ts';

type Test = NonNullable<TestProjectInlineConfiguration['test']>;

const namespaces = inOwnNamespaces();
const otherTier = leftOut();
const wholeTier = filesOfTier('whole');

/** Their tests start agents, which see every program of the computer and listen on one fixed port. */
const withAgents = ['agent', 'dev'];
const ordinary = ['contract', 'server', 'definitions', 'simulators', 'dashboard', 'packaging'];

/** The kernel reports started programs only to the first process namespace, and wine needs the computer's first process. */
const inHostNamespaces: Record<string, string[]> = {
  agent: ['os/linux/process-events.test.ts', 'os/linux/watch-lost.test.ts'],
  dev: ['windows/**/*.test.ts'],
};

/** Files that see what the file before them in the same process has left: signals of its children, and its sockets. */
const needOwnProcess: Record<string, string[]> = { agent: ['os/linux/suspend.test.ts', 'journeys/dns-upstream-ports.test.ts'], dev: [] };

/** Files run next to each other. A process loads the modules, which have no state, once for all of its files. */
const next: Test = {
  maxWorkers: workersOf('vitest'),
  isolate: false,
  sequence: { groupOrder: 1 },
};
const alone: Test = { maxWorkers: 1, sequence: { groupOrder: 2 } };

const inFolder = (folder: string, files: string[]) =>
  files.flatMap((file) => (file.startsWith(`${folder}/`) ? [file.slice(folder.length + 1)] : []));

function project(name: string, test: Test, folder = name): TestProjectInlineConfiguration {
  const globalSetup = fileURLToPath(new URL(`./${folder}/testing/global-setup.ts`, import.meta.url));
  return {
    root: `./${folder}`,
    ...(folder === 'dashboard' ? { define: { __VERSION__: '"test"' } } : {}),
    test: {
      name,
      include: ['**/*.test.{ts,tsx}'],
      pool: 'forks',
      testTimeout: 120_000,
      // Node runs this TypeScript itself, as in the product, for four fifths of the processor time; what a browser gets has to be built.
      ...(folder === 'dashboard' ? {} : { experimental: { viteModuleRunner: false, nodeLoader: false } }),
      hookTimeout: 120_000,
      retry: retries(),
      ...(process.env[impactVariable] ? { setupFiles: [fileURLToPath(new URL('./dev/impact-setup.ts', import.meta.url))] } : {}),
      ...(existsSync(globalSetup) ? { globalSetup } : {}),
      ...test,
      exclude: [...configDefaults.exclude, ...inFolder(folder, otherTier), ...(test.exclude ?? [])],
    },
  };
}

/** Without namespaces all of these files run one at a time. */
function isolatedProjects(name: string): TestProjectInlineConfiguration[] {
  if (!namespaces) return [project(name, alone)];
  const hostFiles = inHostNamespaces[name] ?? [];
  // What starts processes has a process and namespaces of its own; the others share them, one file after the other.
  const ownFiles = [...inFolder(name, wholeTier), ...(needOwnProcess[name] ?? [])].filter((file) => !otherTier.includes(`${name}/${file}`));
  const pool = isolatedPool(namespaces);
  return [
    project(name, { ...next, pool, exclude: [...hostFiles, ...ownFiles] }),
    ...(ownFiles.length ? [project(ownProcess(name), { ...next, isolate: true, pool, include: ownFiles, exclude: hostFiles }, name)] : []),
    project(onHost(name), { ...alone, include: hostFiles }, name),
  ];
}

export default defineConfig({
  test: {
    // A reviewed text that is missing fails, as a different one does; `npx vitest run FILE -u` writes it.
    update: 'none',
    projects: [...ordinary.map((name) => project(name, next)), ...withAgents.flatMap(isolatedProjects)],
  },
});
