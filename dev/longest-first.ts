import { createHash } from 'node:crypto';
import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { readTimes } from './measured-times.ts';
import { root } from './root.ts';

/** In seconds. Shorter files follow in an order that mixes all packages: files of the agent mostly wait, and files of the server compute. */
const longEnough = 15;

/**
 * Starts the longest files first, because the last file to begin runs alone at the end. The order of the others depends only on their names.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const times = readTimes().files;
    const orderOf = ({ moduleId, project }: TestSpecification) => {
      const file = relative(root, moduleId);
      const seconds = times[file] ?? 0;
      return {
        group: project.config.sequence.groupOrder,
        seconds: seconds < longEnough ? 0 : seconds,
        mixed: createHash('sha256').update(file).digest('hex'),
      };
    };
    const sorted = files
      .map((spec) => ({ spec, ...orderOf(spec) }))
      .toSorted((a, b) => a.group - b.group || b.seconds - a.seconds || a.mixed.localeCompare(b.mixed))
      .map(({ spec }) => spec);
    // A short one before them all, so that whoever waits sees a first result at once.
    const short = sorted.findIndex(({ moduleId }) => relative(root, moduleId).startsWith('contract/'));
    return short < 0 ? sorted : [...sorted.splice(short, 1), ...sorted];
  }
}
