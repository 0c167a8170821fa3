import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import { nativeParts, runtimes } from './targets.ts';

test('the native library of koffi has the version of koffi, which refuses to load any other version', () => {
  const { version } = createRequire(new URL('../agent/', import.meta.url))('koffi') as { version: string };
  for (const nativePart of Object.values(nativeParts)) expect(nativePart.version).toBe(version);
});

test('the agent runs on the same version of Node on every system', () => {
  expect(new Set(Object.values(runtimes).map(({ version }) => version)).size).toBe(1);
});
