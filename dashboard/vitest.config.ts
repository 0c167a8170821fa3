import { defineConfig } from 'vitest/config';
import { workersOf } from '../dev/workers.ts';

export default defineConfig({
  define: { __VERSION__: '"test"' },
  test: { name: 'dashboard', include: ['**/*.test.ts'], pool: 'forks', maxWorkers: workersOf('packages'), sequence: { groupOrder: 1 } },
});
