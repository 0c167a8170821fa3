import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    name: 'server',
    include: ['**/*.test.ts'],
    globalSetup: './testing/global-setup.ts',
    pool: 'forks',
    // Each file has a database and ports of its own, and much of its time it waits. The others keep to one at a time: agents see every program of the machine.
    maxWorkers: 3,
    sequence: { groupOrder: 1 },
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
