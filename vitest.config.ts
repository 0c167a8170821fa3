import { existsSync } from 'node:fs';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';

const packages = ['contract', 'definitions', 'simulators', 'server', 'agent', 'packaging', 'dashboard', 'dev'];
const globalSetup = './testing/global-setup.ts';

/** A package that needs something special has a vitest.config.ts of its own; the others share this one. */
function project(name: string): string | TestProjectInlineConfiguration {
  const own = `./${name}/vitest.config.ts`;
  if (existsSync(new URL(own, import.meta.url))) return own;
  return {
    root: `./${name}`,
    test: {
      name,
      include: ['**/*.test.{ts,tsx}'],
      pool: 'forks',
      // Beside the server's tests: none of these start an agent.
      maxWorkers: 3,
      sequence: { groupOrder: 1 },
      testTimeout: 120_000,
      hookTimeout: 120_000,
      ...(existsSync(new URL(`./${name}/${globalSetup}`, import.meta.url)) ? { globalSetup } : {}),
    },
  };
}

export default defineConfig({ test: { projects: packages.map(project) } });
