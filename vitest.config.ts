import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { configDefaults, defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { impactVariable } from './dev/impact.ts';
import { isolatedPool } from './dev/isolated-pool.ts';
import { LongestFirst } from './dev/longest-first.ts';
import { inOwnNamespaces } from './dev/namespaces.ts';
import { leftOut } from './dev/tiers.ts';
import { workersOf } from './dev/workers.ts';

const namespaces = inOwnNamespaces();
const otherTier = leftOut();

/** Their tests start agents, which see every program of the computer and listen on one fixed port. */
const withAgents = ['agent', 'dev'];
const ordinary = ['contract', 'definitions', 'simulators', 'packaging'];

/** The kernel reports started programs only to the first process namespace, and wine needs the computer's first process. */
const inHostNamespaces: Record<string, string[]> = {
  agent: ['os/linux/process-events.test.ts', 'os/linux/watch-lost.test.ts'],
  dev: ['windows/**/*.test.ts'],
};

/** Files run next to each other, in groups one after the other. */
const next = { maxWorkers: workersOf('packages'), sequence: { groupOrder: 1 } };
const alone = { maxWorkers: 1, sequence: { groupOrder: 2 } };

function project(name: string, test: TestProjectInlineConfiguration['test'], folder = name): TestProjectInlineConfiguration {
  const notInThisTier = otherTier.flatMap((file) => (file.startsWith(`${folder}/`) ? [file.slice(folder.length + 1)] : []));
  const globalSetup = fileURLToPath(new URL(`./${folder}/testing/global-setup.ts`, import.meta.url));
  return {
    root: `./${folder}`,
    test: {
      name,
      include: ['**/*.test.{ts,tsx}'],
      pool: 'forks',
      testTimeout: 120_000,
      hookTimeout: 120_000,
      ...(process.env[impactVariable] ? { setupFiles: [fileURLToPath(new URL('./dev/impact-setup.ts', import.meta.url))] } : {}),
      ...(existsSync(globalSetup) ? { globalSetup } : {}),
      ...test,
      exclude: [...configDefaults.exclude, ...notInThisTier, ...(test?.exclude ?? [])],
    },
  };
}

/** Without namespaces all of these files run one at a time. */
function isolatedProjects(name: string): TestProjectInlineConfiguration[] {
  if (!namespaces) return [project(name, alone)];
  const hostFiles = inHostNamespaces[name] ?? [];
  return [
    project(name, { ...next, pool: isolatedPool(namespaces), exclude: hostFiles, isolate: !process.env.EXP }),
    project(`${name}-on-host`, { ...alone, include: hostFiles }, name),
  ];
}

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    // A process loads the server's modules, which have no state, once for all of its files.
    projects: [
      ...ordinary.map((name) => project(name, next)),
      project('server', { ...next, isolate: false }),
      ...withAgents.flatMap(isolatedProjects),
      './dashboard/vitest.config.ts',
    ],
  },
});
