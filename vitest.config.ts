import { existsSync } from 'node:fs';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';

const packages = ['contract', 'definitions', 'simulators', 'server', 'agent', 'packaging', 'dashboard', 'dev'];
const globalSetup = './testing/global-setup.ts';

/** A package with special needs has its own vitest.config.ts; the others share this one. */
function project(name: string): string | TestProjectInlineConfiguration {
  const own = `./${name}/vitest.config.ts`;
  if (existsSync(new URL(own, import.meta.url))) return own;
  return {
    root: `./${name}`,
    test: {
      name,
      include: ['**/*.test.{ts,tsx}'],
      pool: 'forks',
      // These run together with the server's tests, since none of them start an agent.
      maxWorkers: 3,
      sequence: { groupOrder: 1 },
      testTimeout: 120_000,
      hookTimeout: 120_000,
      ...(existsSync(new URL(`./${name}/${globalSetup}`, import.meta.url)) ? { globalSetup } : {}),
    },
  };
}

export default defineConfig({ test: { projects: packages.map(project) } });
