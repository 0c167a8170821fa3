import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './root.ts';
import { readTally, type Tally, tallyVariable } from './tally.ts';

type Runner = 'vitest' | 'playwright';

export interface RunOptions {
  env?: NodeJS.ProcessEnv;
  /** A command in front of the runner's own (`inOwnNamespaces`). */
  prefix?: string[];
  /** Prints the output at the end, because another runner prints at the same time. */
  printLater?: boolean;
}

/**
 * The environment of a tool whose output is read in a file or a pipe, where colour codes make it unreadable: Vitest prints them there too, as long as
 * NO_COLOR does not forbid it.
 */
export function withoutColours(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { FORCE_COLOR: _, ...others } = env;
  return { ...others, NO_COLOR: '1' };
}

/**
 * The environment of a test runner. Outside of a terminal Playwright prints no colours by itself; it may not get NO_COLOR, because it gives FORCE_COLOR
 * to its workers, in each of which Node then prints a warning that one excludes the other.
 */
export function envOfRunner(runner: Runner, env: NodeJS.ProcessEnv, isTerminal = process.stdout.isTTY): NodeJS.ProcessEnv {
  if (isTerminal) return env;
  const { NO_COLOR, ...others } = withoutColours(env);
  return runner === 'vitest' ? { ...others, NO_COLOR } : others;
}

export const runVitest = (args: string[], options: RunOptions = {}): Promise<Tally> =>
  runNode(
    'vitest',
    ['node_modules/vitest/vitest.mjs', 'run', '--reporter=default', `--reporter=${reporterOf('vitest')}`, ...args],
    options,
  );

/** `name`: of the folder for its traces, which a run of the same name replaces. */
export async function runPlaywright(name: string, args: string[], options: RunOptions = {}): Promise<Tally> {
  // Node runs the TypeScript of the tests itself: Playwright's own translation of it takes seconds in each of its processes.
  const env = { ...options.env, PW_DISABLE_TS_ESM: '1' };
  const output = join(process.env.TRACE ? 'test-results' : tmpdir(), name);
  const flags = [`--reporter=list,${reporterOf('playwright')}`, '--output', output];
  return runNode('playwright', ['node_modules/@playwright/test/cli.js', 'test', ...flags, ...args], { ...options, env });
}

const reporterOf = (runner: Runner) => join(root, 'dev', `${runner}-reporter.ts`);

async function runNode(runner: Runner, [script = '', ...args]: string[], options: RunOptions): Promise<Tally> {
  const { env, prefix = [], printLater = false } = options;
  const [command = '', ...commandArgs] = [...prefix, process.execPath, join(root, script), ...args];
  const tallyFile = join(tmpdir(), `tally-${randomUUID()}.json`);
  const output: string[] = [];
  const child = spawn(command, commandArgs, {
    cwd: root,
    env: envOfRunner(runner, { ...process.env, ...env, [tallyVariable]: tallyFile }),
    stdio: printLater ? ['ignore', 'pipe', 'pipe'] : 'inherit',
  });
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', (text: string) => output.push(text));
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  process.stdout.write(output.join(''));
  const tally = readTally(runner, code ?? signal ?? 1, tallyFile);
  rmSync(tallyFile, { force: true });
  return tally;
}
