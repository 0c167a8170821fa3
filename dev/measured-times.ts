import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from './root.ts';
import type { Tally } from './tally.ts';

/** What earlier runs measured on this computer. */
const ownFile = join(root, '.cache', 'tests', 'times.json');
/** What a computer that has not run the tests yet begins with. */
const givenFile = join(root, 'dev', 'test-times.json');

export interface MeasuredTimes {
  /** Minutes of each part, by title. */
  parts: Record<string, number>;
  /** Seconds of each test file; files under a second have no entry. */
  files: Record<string, number>;
  /** How often a file failed and passed when it ran again, alone. */
  flaky: Record<string, number>;
}

export function readTimes(): MeasuredTimes {
  const given = read(givenFile);
  const own = read(ownFile);
  const merged = (name: keyof MeasuredTimes) => ({ ...given[name], ...own[name] });
  return { parts: merged('parts'), files: merged('files'), flaky: merged('flaky') };
}

/** Stores what a run measured, for the order of the next one. A part that failed says nothing about its time. */
export function storeTimes(tallies: Tally[], parts: Record<string, number>, flakyFiles: string[]): void {
  const times = read(ownFile);
  for (const tally of tallies) {
    for (const [file, { seconds = 0, failed }] of tally.files) {
      if (failed || seconds < 1) continue;
      times.files[file] = Math.round(seconds);
    }
  }
  Object.assign(times.parts, parts);
  for (const file of flakyFiles) times.flaky[file] = (times.flaky[file] ?? 0) + 1;
  mkdirSync(dirname(ownFile), { recursive: true });
  writeFileSync(ownFile, `${JSON.stringify(times, null, 1)}\n`);
}

function read(file: string): MeasuredTimes {
  const none: MeasuredTimes = { parts: {}, files: {}, flaky: {} };
  try {
    return { ...none, ...(JSON.parse(readFileSync(file, 'utf8')) as Partial<MeasuredTimes>) };
  } catch {
    return none;
  }
}
