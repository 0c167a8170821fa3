import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { configDefaults, defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { isolatedPool } from './dev/isolated-pool.ts';
import { LongestFirst } from './dev/longest-first.ts';
import { inOwnNamespaces } from './dev/namespaces.ts';

const namespaces = inOwnNamespaces();

/** Their tests start agents, which see every program of the computer and listen on one fixed port. */
const withAgents = ['agent', 'dev'];
const ordinary = ['contract', 'definitions', 'simulators', 'packaging'];

/** The kernel reports started programs only to the first process namespace, and wine needs the computer's first process. */
const inHostNamespaces: Record<string, string[]> = {
  agent: ['os/linux/process-events.test.ts', 'os/linux/watch-lost.test.ts'],
  dev: ['windows/**/*.test.ts'],
};

/** Files run next to each other, in groups one after the other. */
const next = { maxWorkers: 3, sequence: { groupOrder: 1 } };
const alone = { maxWorkers: 1, sequence: { groupOrder: 2 } };

function project(name: string, test: TestProjectInlineConfiguration['test'], folder = name): TestProjectInlineConfiguration {
  const globalSetup = fileURLToPath(new URL(`./${folder}/testing/global-setup.ts`, import.meta.url));
  return {
    root: `./${folder}`,
    test: {
      name,
      include: ['**/*.test.{ts,tsx}'],
      pool: 'forks',
      testTimeout: 120_000,
      hookTimeout: 120_000,
      ...(existsSync(globalSetup) ? { globalSetup } : {}),
      ...test,
    },
  };
}

/** Without namespaces all of these files run one at a time. */
function isolatedProjects(name: string): TestProjectInlineConfiguration[] {
  if (!namespaces) return [project(name, alone)];
  const hostFiles = inHostNamespaces[name] ?? [];
  return [
    project(name, { ...next, pool: isolatedPool(namespaces), exclude: [...configDefaults.exclude, ...hostFiles] }),
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
