import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { root } from './root.ts';

/** What a runner of tests found. `failures`: each test that failed, with its message, for readers who see only the end of a long log. */
export interface Tally {
  passed: number;
  failed: number;
  skipped: number;
  failures: string[];
}

export const none: Tally = { passed: 0, failed: 0, skipped: 0, failures: [] };

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

/** `later`: prints the output when the run is over, because another one prints at the same time. */
export async function runVitest(report: string, args: string[], env: NodeJS.ProcessEnv = {}, later = false): Promise<Tally> {
  await rm(report, { force: true });
  const flags = ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const code = await runNode(['node_modules/vitest/vitest.mjs', ...flags, ...args], env, later);
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
  const failures = report.testResults.flatMap(({ name, status, message, assertionResults }) => {
    const failed = assertionResults.filter((test) => test.status === 'failed');
    // A file can fail without any of its tests: it could not be loaded, or what comes before or after them broke.
    if (status === 'failed' && !failed.length) return [failure(name, 'the file itself', message)];
    return failed.map((test) => failure(name, test.fullName, test.failureMessages?.[0]));
  });
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests,
    skipped: report.numPendingTests + report.numTodoTests,
    failures,
  };
}

/** A test that passed only at the second try has failed once, and that is what we want to know. */
export function tallyOfPlaywright({ stats, suites, errors }: PlaywrightReport): Tally {
  const failures = [...suites.flatMap(failuresIn), ...errors.map(({ message }) => failure('playwright', 'outside the tests', message))];
  return { passed: stats.expected, failed: stats.unexpected + stats.flaky, skipped: stats.skipped, failures };
}

function failuresIn({ file, specs, suites = [] }: PlaywrightSuite): string[] {
  const broken = specs.flatMap(({ title, tests }) => {
    const error = tests.flatMap(({ results }) => results).find((result) => result.error)?.error;
    return error ? [failure(join('e2e', file), title, error.message)] : [];
  });
  return [...broken, ...suites.flatMap(failuresIn)];
}

/** One test that failed, in a few lines: its file, its title, and the first lines of its message. */
function failure(file: string, title: string, message = ''): string {
  const said = stripVTControlCharacters(message).split('\n').slice(0, linesOfAFailure);
  return [`${relative(root, resolve(root, file))} › ${title}`, ...said.map((line) => `    ${line}`)].join('\n');
}
const linesOfAFailure = 12;

/** A runner that broke, or ran no test, has failed, whatever its numbers are. */
export function checked(name: string, code: number, tally: Tally | null): Tally {
  if (!tally || tally.passed + tally.failed + tally.skipped === 0) {
    return { ...none, failed: 1, failures: [`${name} ran no test at all.`] };
  }
  if (code !== 0 && tally.failed === 0) {
    const what = `${name} ended with ${code} although no test failed: something broke outside the tests.`;
    return { ...tally, failed: 1, failures: [...tally.failures, what] };
  }
  return tally;
}

async function runNode(args: string[], env: NodeJS.ProcessEnv, later = false): Promise<number> {
  const [script = '', ...rest] = args;
  const output: string[] = [];
  const child = spawn(process.execPath, [join(root, script), ...rest], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: later ? ['ignore', 'pipe', 'pipe'] : 'inherit',
  });
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', (text: string) => output.push(text));
  const [code] = (await once(child, 'close')) as [number | null];
  process.stdout.write(output.join(''));
  return code ?? 1;
}

async function read<T>(file: string): Promise<T | null> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as T;
  } catch {
    return null;
  }
}
