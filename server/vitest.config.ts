import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    name: 'server',
    include: ['**/*.test.ts'],
    globalSetup: './testing/global-setup.ts',
    pool: 'forks',
    // Parallel, because each file has its own database and ports. Other projects run one at a time: agents see every program of the
    // machine.
    maxWorkers: 3,
    sequence: { groupOrder: 1 },
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
