import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    name: 'server',
    include: ['**/*.test.ts'],
    globalSetup: './testing/global-setup.ts',
    pool: 'forks',
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
