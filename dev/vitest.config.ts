import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    name: 'dev',
    include: ['**/*.test.ts'],
    pool: 'forks',
    // These tests run together with the server's tests: those that start an agent isolate it.
    maxWorkers: 3,
    sequence: { groupOrder: 1 },
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
