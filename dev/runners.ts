import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { root } from './root.ts';
import { readUnhandledErrors, type UnhandledError, unhandledErrorsFile } from './unhandled-errors.ts';

/** The result of a test run. `failures` contain messages, for readers who see only the end of a long log. */
export interface Tally {
  passed: number;
  failed: number;
  skipped: number;
  failures: string[];
}

export const emptyTally: Tally = { passed: 0, failed: 0, skipped: 0, failures: [] };

export function add(a: Tally, b: Tally): Tally {
  return {
    passed: a.passed + b.passed,
    failed: a.failed + b.failed,
    skipped: a.skipped + b.skipped,
    failures: [...a.failures, ...b.failures],
  };
}

interface VitestReport {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests: number;
  testResults: {
    name: string;
    message?: string;
    status: string;
    assertionResults: { status: string; fullName: string; failureMessages?: string[] | null }[];
  }[];
}

interface PlaywrightSuite {
  file: string;
  suites?: PlaywrightSuite[];
  specs: { title: string; tests: { results: { error?: { message?: string } }[] }[] }[];
}

interface PlaywrightReport {
  stats: { expected: number; unexpected: number; flaky: number; skipped: number };
  errors: { message?: string }[];
  suites: PlaywrightSuite[];
}

/** With `printLater`, prints the output at the end, because another runner prints at the same time. */
export async function runVitest(report: string, args: string[], env: NodeJS.ProcessEnv = {}, printLater = false): Promise<Tally> {
  for (const file of [report, unhandledErrorsFile(report)]) await rm(file, { force: true });
  const reporters = ['default', 'json', join(root, 'dev/unhandled-errors-reporter.ts')].map((reporter) => `--reporter=${reporter}`);
  const flags = ['run', ...reporters, `--outputFile.json=${report}`];
  const code = await runNode(['node_modules/vitest/vitest.mjs', ...flags, ...args], env, printLater);
  const vitestReport = await read<VitestReport>(report);
  return checkedTally('vitest', code, vitestReport && tallyOfVitest(vitestReport), readUnhandledErrors(report));
}

export async function runPlaywright(report: string, args: string[], env: NodeJS.ProcessEnv = {}): Promise<Tally> {
  await rm(report, { force: true });
  const code = await runNode(['node_modules/@playwright/test/cli.js', 'test', ...args], { ...env, PLAYWRIGHT_JSON_OUTPUT_NAME: report });
  const playwrightReport = await read<PlaywrightReport>(report);
  return checkedTally('playwright', code, playwrightReport && tallyOfPlaywright(playwrightReport));
}

export function tallyOfVitest(report: VitestReport): Tally {
  const failures = report.testResults.flatMap(({ name, status, message, assertionResults }) => {
    const failedTests = assertionResults.filter((test) => test.status === 'failed');
    // A file can fail without a failed test: in loading or in its hooks.
    if (status === 'failed' && !failedTests.length) return [failure(name, 'the file itself', message)];
    return failedTests.map((test) => failure(name, test.fullName, test.failureMessages?.[0]));
  });
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests,
    skipped: report.numPendingTests + report.numTodoTests,
    failures,
  };
}

/** A test that passed only on retry counts as failed. */
export function tallyOfPlaywright({ stats, suites, errors }: PlaywrightReport): Tally {
  const failures = [...suites.flatMap(failuresIn), ...errors.map(({ message }) => failure('playwright', 'outside the tests', message))];
  return { passed: stats.expected, failed: stats.unexpected + stats.flaky, skipped: stats.skipped, failures };
}

function failuresIn({ file, specs, suites = [] }: PlaywrightSuite): string[] {
  const brokenTests = specs.flatMap(({ title, tests }) => {
    const error = tests.flatMap(({ results }) => results).find((result) => result.error)?.error;
    return error ? [failure(join('e2e', file), title, error.message)] : [];
  });
  return [...brokenTests, ...suites.flatMap(failuresIn)];
}

function failure(file: string, title: string, message = ''): string {
  const messageLines = stripVTControlCharacters(message).split('\n').slice(0, maxMessageLines);
  return [`${relative(root, resolve(root, file))} › ${title}`, ...messageLines.map((line) => `    ${line}`)].join('\n');
}
const maxMessageLines = 12;

/** `ending` is the exit code or the signal. */
export function checkedTally(name: string, ending: number | string, tally: Tally | null, unhandledErrors: UnhandledError[] = []): Tally {
  const unhandledFailures = unhandledErrors.map(({ file = name, test = 'outside the tests', message }) => failure(file, test, message));
  if (!tally || tally.passed + tally.failed + tally.skipped === 0) {
    return { ...emptyTally, failed: 1, failures: [`${name} ran no test at all.`, ...unhandledFailures] };
  }
  if (ending !== 0 && tally.failed === 0) {
    const message = `${name} ended with ${ending} although no test failed: something broke outside the tests.`;
    return { ...tally, failed: 1, failures: [...tally.failures, message, ...unhandledFailures] };
  }
  return { ...tally, failures: [...tally.failures, ...unhandledFailures] };
}

async function runNode(args: string[], env: NodeJS.ProcessEnv, printLater = false): Promise<number | string> {
  const [script = '', ...scriptArgs] = args;
  const output: string[] = [];
  const child = spawn(process.execPath, [join(root, script), ...scriptArgs], {
    cwd: root,
    env: { ...process.env, ...env },
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
