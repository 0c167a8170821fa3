import { defineConfig } from 'vitest/config';
import { workersOf } from '../dev/workers.ts';

export default defineConfig({
  define: { __VERSION__: '"test"' },
  test: {
    name: 'dashboard',
    include: ['**/*.test.ts'],
    pool: 'forks',
    maxWorkers: workersOf('packages'),
    sequence: { groupOrder: 1 },
    // As for all other tests: beside a load even a pure function may wait for a processor.
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
