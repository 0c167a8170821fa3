import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from './root.ts';
import { checkedTally, type PlaywrightReport, type Tally, tallyOfPlaywright, tallyOfVitest, type VitestReport } from './tally.ts';
import { readUnhandledErrors, unhandledErrorsFile } from './unhandled-errors.ts';

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
export function envOfRunner(runner: 'vitest' | 'playwright', env: NodeJS.ProcessEnv, isTerminal = process.stdout.isTTY): NodeJS.ProcessEnv {
  if (isTerminal) return env;
  const { NO_COLOR, ...others } = withoutColours(env);
  return runner === 'vitest' ? { ...others, NO_COLOR } : others;
}

/** `report`: the file for Vitest's JSON report. */
export async function runVitest(report: string, args: string[], options: RunOptions = {}): Promise<Tally> {
  for (const file of [report, unhandledErrorsFile(report)]) await rm(file, { force: true });
  const reporters = ['default', 'json', join(root, 'dev/unhandled-errors-reporter.ts')].map((reporter) => `--reporter=${reporter}`);
  const flags = ['run', ...reporters, `--outputFile.json=${report}`];
  const ending = await runNode(['node_modules/vitest/vitest.mjs', ...flags, ...args], options);
  const vitestReport = await read<VitestReport>(report);
  return checkedTally('vitest', ending, vitestReport && tallyOfVitest(vitestReport), readUnhandledErrors(report));
}

/** `report`: the file for Playwright's JSON report; its other results are stored beside it. */
export async function runPlaywright(report: string, args: string[], options: RunOptions = {}): Promise<Tally> {
  await rm(report, { force: true });
  const output = ['--output', report.replace(/\.json$/, '')];
  // Node runs the TypeScript of the tests itself: Playwright's own translation of it takes seconds in each of its processes.
  const env = { ...options.env, PLAYWRIGHT_JSON_OUTPUT_NAME: report, PW_DISABLE_TS_ESM: '1' };
  const ending = await runNode(['node_modules/@playwright/test/cli.js', 'test', ...output, ...args], { ...options, env });
  const playwrightReport = await read<PlaywrightReport>(report);
  return checkedTally('playwright', ending, playwrightReport && tallyOfPlaywright(playwrightReport));
}

async function runNode([script = '', ...args]: string[], { env, prefix = [], printLater = false }: RunOptions): Promise<number | string> {
  const [command = '', ...commandArgs] = [...prefix, process.execPath, join(root, script), ...args];
  const output: string[] = [];
  const child = spawn(command, commandArgs, {
    cwd: root,
    env: envOfRunner(script.includes('vitest') ? 'vitest' : 'playwright', { ...process.env, ...env }),
    stdio: printLater ? ['ignore', 'pipe', 'pipe'] : 'inherit',
  });
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', (text: string) => output.push(text));
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  process.stdout.write(output.join(''));
  return code ?? signal ?? 1;
}

async function read<T>(file: string): Promise<T | null> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as T;
  } catch {
    return null;
  }
}
