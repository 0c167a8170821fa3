import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { PartResult } from '../run-again.ts';
import { sumsOf } from '../tally.ts';

/** One run of the whole suite. */
export interface SuiteRun {
  underLoad: boolean;
  minutes: number;
  results: PartResult[];
}

/** A sentence for each test that was not green every time, those that failed most often first. */
export function notAlwaysGreen(runs: SuiteRun[]): string[] {
  const failures = new Map<string, { quiet: number; underLoad: number; message: string }>();
  const add = (name: string, message: string, underLoad: boolean) => {
    const entry = failures.get(name) ?? { quiet: 0, underLoad: 0, message };
    entry[underLoad ? 'underLoad' : 'quiet'] += 1;
    failures.set(name, entry);
  };
  for (const { results, underLoad } of runs) {
    for (const { part, tally } of results) {
      for (const [file, result] of tally.files)
        for (const { title, message } of result.failures)
          add(`${file} › ${title} (${part.title})`, message.split('\n')[0] ?? '', underLoad);
      for (const message of tally.broken) add(part.title, message.split('\n')[0] ?? '', underLoad);
    }
  }
  return [...failures]
    .toSorted(([, a], [, b]) => b.quiet + b.underLoad - a.quiet - a.underLoad)
    .map(([name, { quiet, underLoad, message }]) => `${name}: red ${quiet} times when quiet, ${underLoad} times beside a load: ${message}`);
}

export function describeRun(n: number, { underLoad, minutes, results }: SuiteRun): string {
  const { passed, failed, skipped } = sumsOf(results.map(({ tally }) => tally));
  return `run ${n}${underLoad ? ', beside a load' : ''}: ${passed} passed, ${failed} failed, ${skipped} skipped, in ${minutes.toFixed(1)} minutes`;
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
