import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { PartResult } from '../run-lanes.ts';
import { summaryOf, sumOf } from '../tally.ts';

/** One run of the whole suite. */
export interface SuiteRun {
  underLoad: boolean;
  minutes: number;
  results: PartResult[];
}

/** A sentence for each test that was not green every time, those that failed most often first. */
export function notAlwaysGreen(runs: SuiteRun[]): string[] {
  const failures = new Map<string, { quiet: number; underLoad: number; message: string }>();
  for (const { results, underLoad } of runs) {
    for (const { part, tally } of results) {
      for (const [title = '', message = ''] of tally.failures.map((failure) => failure.split('\n'))) {
        const name = `${title} (${part.title})`;
        const entry = failures.get(name) ?? { quiet: 0, underLoad: 0, message: message.trim() };
        entry[underLoad ? 'underLoad' : 'quiet'] += 1;
        failures.set(name, entry);
      }
    }
  }
  return [...failures]
    .toSorted(([, a], [, b]) => b.quiet + b.underLoad - a.quiet - a.underLoad)
    .map(
      ([name, { quiet, underLoad, message }]) =>
        `${name}: failed in ${quiet} quiet runs and ${underLoad} beside a load${message && `: ${message}`}`,
    );
}

export function describeRun(n: number, { underLoad, minutes, results }: SuiteRun): string {
  const summary = summaryOf(sumOf(results.map(({ tally }) => tally)));
  return `run ${n}${underLoad ? ', beside a load' : ''}: ${summary}, in ${minutes.toFixed(1)} minutes`;
}

/** Keeps one core busy until it is ended. */
export function startLoad(): { end(): Promise<void> } {
  const child: ChildProcess = spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' });
  const ended = once(child, 'close');
  return {
    async end() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
