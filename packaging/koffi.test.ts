import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import { nativeParts, runtimes } from './targets.ts';

test('the native part is of the same version as koffi itself, or it would refuse to load', () => {
  const { version } = createRequire(new URL('../agent/', import.meta.url))('koffi') as { version: string };
  for (const part of Object.values(nativeParts)) expect(part.version).toBe(version);
});

test('every system has the same Node', () => {
  expect(new Set(Object.values(runtimes).map(({ version }) => version)).size).toBe(1);
});
