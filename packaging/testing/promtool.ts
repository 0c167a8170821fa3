import { spawnSync } from 'node:child_process';
import type { TestContext } from 'vitest';
import { skipTest } from './skip.ts';
import { findProgram, type UnpackedProgram } from './unpacked-program.ts';

/** The program that checks files for Prometheus. */
export const promtoolProgram: UnpackedProgram = { name: 'promtool', debianPackage: 'prometheus', path: '/usr/bin/promtool' };

/** Runs promtool, or skips the test where there is none. */
export function promtool(context: TestContext, args: string[], input = ''): { status: number | null; output: string } {
  const program = findProgram(promtoolProgram);
  if (!program)
    skipTest(
      context,
      'promtool is not on this system. `npm test` unpacks it where there is apt-get; elsewhere it is a part of Prometheus.',
    );
  const { status, stdout, stderr } = spawnSync(program, args, { input, encoding: 'utf8' });
  return { status, output: stdout + stderr };
}
