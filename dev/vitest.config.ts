import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    name: 'dev',
    include: ['**/*.test.ts'],
    pool: 'forks',
    // Beside the server's, which start no agent: those here that start one have a computer of its own for it.
    maxWorkers: 3,
    sequence: { groupOrder: 1 },
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
