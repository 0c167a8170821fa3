import { readFileSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { root } from './root.ts';

/** The result of a test run. What its reporters write (`vitest-reporter.ts`, `playwright-reporter.ts`) is added up over all runs. */
export interface Tally {
  passed: number;
  /** Tests, and parts that did not run. */
  skipped: number;
  /** A text for each test that failed, and for each error outside the tests. */
  failures: string[];
  /** A text for each test that failed, and passed at its second try. */
  flaky: string[];
}

export const emptyTally = (): Tally => ({ passed: 0, skipped: 0, failures: [], flaky: [] });

/** Set for the reporters by `runners.ts`: the file that they write. */
export const tallyVariable = 'TEST_TALLY';

export function writeTally(tally: Tally): void {
  const file = process.env[tallyVariable];
  if (file) writeFileSync(file, JSON.stringify(tally));
}

export function sumOf(tallies: Tally[]): Tally {
  return {
    passed: tallies.reduce((sum, { passed }) => sum + passed, 0),
    skipped: tallies.reduce((sum, { skipped }) => sum + skipped, 0),
    failures: tallies.flatMap(({ failures }) => failures),
    flaky: tallies.flatMap(({ flaky }) => flaky),
  };
}

export const summaryOf = ({ passed, failures, skipped }: Tally): string =>
  `${passed} passed, ${failures.length} failed, ${skipped} skipped`;

/** A failure as a message, for readers who see only the end of a long log. `file`: a path, or the name of a test runner. */
export function describeFailure(file: string, title: string, message: string): string {
  const name = file.startsWith(root) ? relative(root, file) : file;
  const lines = stripVTControlCharacters(message).split('\n');
  const messageLines = lines.filter((line) => !line.includes('/node_modules/vitest/')).slice(0, maxMessageLines);
  return [`${name} › ${title}`, ...messageLines.map((line) => `    ${line}`)].join('\n');
}
const maxMessageLines = 12;

/** Reads what the reporter of `runner` wrote, and adds what it cannot know: no test at all, and an `ending` (exit code or signal) without a reason. */
export function readTally(runner: string, ending: number | string, file: string): Tally {
  let tally = emptyTally();
  try {
    tally = JSON.parse(readFileSync(file, 'utf8')) as Tally;
  } catch {
    // It ended before its tests did.
  }
  const { passed, skipped, failures } = tally;
  if (passed + skipped + failures.length === 0) failures.push(`${runner} ran no test at all.`);
  else if (ending !== 0 && failures.length === 0)
    failures.push(`${runner} ended with ${ending} although no test failed: something broke outside the tests.`);
  return tally;
}
