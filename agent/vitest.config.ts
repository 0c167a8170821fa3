import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: { name: 'agent', include: ['**/*.test.ts'], pool: 'forks', maxWorkers: 1, testTimeout: 30_000, hookTimeout: 30_000 },
});
