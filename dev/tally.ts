import { join, relative, resolve } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { root } from './root.ts';
import type { UnhandledError } from './unhandled-errors.ts';

export interface Failure {
  /** The title of the test, or `the file itself` for an error while loading it or in its hooks. */
  title: string;
  message: string;
}

export interface FileResult {
  passed: number;
  failed: number;
  skipped: number;
  failures: Failure[];
  /** How long the file took; the tests of a browser, their sum. */
  seconds?: number;
}

/** The result of a test run. `broken`: messages about failures of no file; each counts as a failed test. `skipped`: parts that did not run. */
export interface Tally {
  /** By path, from the root of the repository. */
  files: Map<string, FileResult>;
  broken: string[];
  skipped: number;
}

export const emptyTally = (): Tally => ({ files: new Map(), broken: [], skipped: 0 });

export interface Sums {
  passed: number;
  failed: number;
  skipped: number;
}

export function sumsOf(tallies: Tally[]): Sums {
  const sums: Sums = { passed: 0, failed: 0, skipped: 0 };
  for (const { files, broken, skipped } of tallies) {
    for (const result of files.values()) for (const name of ['passed', 'failed', 'skipped'] as const) sums[name] += result[name];
    sums.failed += broken.length;
    sums.skipped += skipped;
  }
  return sums;
}

export function summaryOf(tallies: Tally[]): string {
  const { passed, failed, skipped } = sumsOf(tallies);
  return `${passed} passed, ${failed} failed, ${skipped} skipped`;
}

/** The failures as messages, for readers who see only the end of a long log. */
export const failuresOf = ({ files, broken }: Tally): string[] => [
  ...[...files].flatMap(([file, { failures }]) => failures.map((failure) => describeFailure(file, failure))),
  ...broken,
];

export function describeFailure(file: string, { title, message }: Failure): string {
  const messageLines = stripVTControlCharacters(message).split('\n').slice(0, maxMessageLines);
  return [`${file} › ${title}`, ...messageLines.map((line) => `    ${line}`)].join('\n');
}
const maxMessageLines = 12;

export interface VitestReport {
  testResults: {
    name: string;
    message?: string;
    status: string;
    startTime?: number;
    endTime?: number;
    assertionResults: { status: string; fullName: string; failureMessages?: string[] | null }[];
  }[];
}

export interface PlaywrightSuite {
  file: string;
  suites?: PlaywrightSuite[];
  specs: { title: string; tests: { status: string; results: { duration?: number; error?: { message?: string } }[] }[] }[];
}

export interface PlaywrightReport {
  errors: { message?: string }[];
  suites: PlaywrightSuite[];
}

export function tallyOfVitest(report: VitestReport): Tally {
  const tally = emptyTally();
  for (const { name, status, message = '', startTime = 0, endTime = 0, assertionResults } of report.testResults) {
    const file = fileIn(tally, name);
    file.seconds = (file.seconds ?? 0) + (endTime - startTime) / 1000;
    for (const test of assertionResults) {
      if (test.status === 'passed') file.passed += 1;
      else if (test.status !== 'failed') file.skipped += 1;
      else fail(file, { title: test.fullName, message: test.failureMessages?.[0] ?? '' });
    }
    if (status === 'failed' && !file.failed) fail(file, { title: fileTitle, message });
  }
  return tally;
}

/** A test that passed only when Playwright ran it again counts as failed. */
export function tallyOfPlaywright({ suites, errors }: PlaywrightReport): Tally {
  const tally = emptyTally();
  const addSuite = ({ file: name, specs, suites: innerSuites = [] }: PlaywrightSuite) => {
    for (const { title, tests } of specs) {
      const file = fileIn(tally, join('e2e', name));
      for (const { status, results } of tests) {
        for (const { duration = 0 } of results) file.seconds = (file.seconds ?? 0) + duration / 1000;
        if (status === 'expected') file.passed += 1;
        else if (status === 'skipped') file.skipped += 1;
        else fail(file, { title, message: results.find(({ error }) => error)?.error?.message ?? '' });
      }
    }
    for (const suite of innerSuites) addSuite(suite);
  };
  for (const suite of suites) addSuite(suite);
  for (const { message = '' } of errors) tally.broken.push(describeFailure('playwright', { title: 'outside the tests', message }));
  return tally;
}

/** Adds what the reports do not contain: no test at all, errors outside the tests, and an `ending` (exit code or signal) without a reason. */
export function checkedTally(name: string, ending: number | string, tally: Tally | null, unhandledErrors: UnhandledError[] = []): Tally {
  const { files, broken, skipped } = tally ?? emptyTally();
  const result: Tally = { files: new Map(files), broken: [...broken], skipped };
  for (const { file, test = 'outside the tests', message } of unhandledErrors) {
    const failure = { title: test, message };
    if (file) fail(fileIn(result, file), failure);
    else result.broken.push(describeFailure(name, failure));
  }
  const { passed, failed, skipped: skippedTests } = sumsOf([result]);
  if (!tally || passed + failed + skippedTests === 0) result.broken.push(`${name} ran no test at all.`);
  else if (ending !== 0 && failed === 0)
    result.broken.push(`${name} ended with ${ending} although no test failed: something broke outside the tests.`);
  return result;
}

function fileIn({ files }: Tally, path: string): FileResult {
  const name = relative(root, resolve(root, path));
  const file = files.get(name) ?? { passed: 0, failed: 0, skipped: 0, failures: [] };
  files.set(name, file);
  return file;
}

const fileTitle = 'the file itself';

/** A failure of the file without a message gives way to the error that caused it. */
function fail(file: FileResult, failure: Failure): void {
  const unexplained = file.failures.findIndex(({ title, message }) => title === fileTitle && message === '');
  if (unexplained >= 0) file.failures.splice(unexplained, 1);
  else file.failed += 1;
  file.failures.push(failure);
}
