import { defineConfig } from 'vitest/config';
const p = (name: string) => ({ root: `./${name}`, test: { name, include: ['**/*.test.{ts,tsx}'], exclude: ['**/node_modules/**', ...(name === 'agent' ? ['os/linux/process-events.test.ts', 'os/linux/watch-lost.test.ts', 'journeys/**'] : [])], pool: 'forks' as const, isolate: false, testTimeout: 120_000, hookTimeout: 120_000, maxWorkers: 2, sequence: { groupOrder: 1 } } });
export default defineConfig({ test: { projects: ['agent', 'definitions', 'contract', 'simulators'].map(p) } });
