import { defineConfig } from 'vitest/config';
import { workersOf } from '../dev/workers.ts';

const limit = 120_000;

export default defineConfig({
  define: { __VERSION__: '"test"' },
  test: {
    ...{ name: 'dashboard', include: ['**/*.test.ts'], pool: 'forks', maxWorkers: workersOf('packages'), sequence: { groupOrder: 1 } },
    ...{ testTimeout: limit, hookTimeout: limit },
  },
});
