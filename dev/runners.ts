import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from './root.ts';

/** What a runner of tests found. */
export interface Tally {
  passed: number;
  failed: number;
  skipped: number;
}

export const none: Tally = { passed: 0, failed: 0, skipped: 0 };

export function add(a: Tally, b: Tally): Tally {
  return { passed: a.passed + b.passed, failed: a.failed + b.failed, skipped: a.skipped + b.skipped };
}

interface VitestReport {
  success: boolean;
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests: number;
}

interface PlaywrightReport {
  stats: { expected: number; unexpected: number; flaky: number; skipped: number };
  errors: unknown[];
}

export async function runVitest(report: string, args: string[], env: NodeJS.ProcessEnv = {}): Promise<Tally> {
  await rm(report, { force: true });
  const flags = ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const code = await runNode(['node_modules/vitest/vitest.mjs', ...flags, ...args], env);
  const found = await read<VitestReport>(report);
  return checked('vitest', code, found && tallyOfVitest(found));
}

export async function runPlaywright(report: string, args: string[], env: NodeJS.ProcessEnv = {}): Promise<Tally> {
  await rm(report, { force: true });
  const code = await runNode(['node_modules/@playwright/test/cli.js', 'test', ...args], { ...env, PLAYWRIGHT_JSON_OUTPUT_NAME: report });
  const found = await read<PlaywrightReport>(report);
  return checked('playwright', code, found && tallyOfPlaywright(found));
}

export function tallyOfVitest(report: VitestReport): Tally {
  return { passed: report.numPassedTests, failed: report.numFailedTests, skipped: report.numPendingTests + report.numTodoTests };
}

/** A test that passed only at the second try has failed once, and that is what we want to know. */
export function tallyOfPlaywright({ stats }: PlaywrightReport): Tally {
  return { passed: stats.expected, failed: stats.unexpected + stats.flaky, skipped: stats.skipped };
}

/** A runner that broke, or looked at nothing, has failed, whatever its numbers say. */
export function checked(name: string, code: number, tally: Tally | null): Tally {
  if (!tally || tally.passed + tally.failed + tally.skipped === 0) {
    console.error(`${name} ran no test at all.`);
    return { ...none, failed: 1 };
  }
  if (code !== 0 && tally.failed === 0) {
    console.error(`${name} ended with ${code} although no test failed: something broke outside the tests.`);
    return { ...tally, failed: 1 };
  }
  return tally;
}

async function runNode(args: string[], env: NodeJS.ProcessEnv): Promise<number> {
  const [script = '', ...rest] = args;
  const child = spawn(process.execPath, [join(root, script), ...rest], { cwd: root, env: { ...process.env, ...env }, stdio: 'inherit' });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code ?? 1;
}

async function read<T>(file: string): Promise<T | null> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as T;
  } catch {
    return null;
  }
}
