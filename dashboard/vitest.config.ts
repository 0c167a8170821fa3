import { defineConfig } from 'vitest/config';

export default defineConfig({
  define: { __VERSION__: '"test"' },
  test: { name: 'dashboard', include: ['**/*.test.ts'], pool: 'forks', maxWorkers: 3, sequence: { groupOrder: 1 } },
});
