import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestContext } from 'vitest';
import { skipTest } from './skip.ts';

/** Where `npm test` unpacks promtool. */
export const fetchedPromtool = fileURLToPath(new URL('../../.cache/promtool/promtool', import.meta.url));

/** The program that checks files for Prometheus, or null. */
export function findPromtool(): string | null {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return [...folders.map((folder) => join(folder, 'promtool')), fetchedPromtool].find((path) => existsSync(path)) ?? null;
}

/** Runs promtool, or skips the test where there is none. */
export function promtool(context: TestContext, args: string[], input = ''): { status: number | null; output: string } {
  const program = findPromtool();
  if (!program)
    skipTest(
      context,
      'promtool is not on this system. `npm test` unpacks it where there is apt-get; elsewhere it is a part of Prometheus.',
    );
  const { status, stdout, stderr } = spawnSync(program, args, { input, encoding: 'utf8' });
  return { status, output: stdout + stderr };
}
