import { createHash } from 'node:crypto';
import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { readTimes } from './measured-times.ts';
import { root } from './root.ts';

/**
 * The files of a project follow each other, because a process that has loaded its modules ends when the next file is of another one. Within
 * it the longest are first, since the last file to begin runs alone at the end.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const times = readTimes().files;
    const orderOf = ({ moduleId, project }: TestSpecification) => {
      const file = relative(root, moduleId);
      const { name, sequence } = project.config;
      return { group: sequence.groupOrder, name, seconds: times[file] ?? 0, mixed: createHash('sha256').update(file).digest('hex') };
    };
    const sorted = files
      .map((spec) => ({ spec, ...orderOf(spec) }))
      .toSorted(
        (a, b) => a.group - b.group || placeOf(a.name) - placeOf(b.name) || b.seconds - a.seconds || a.mixed.localeCompare(b.mixed),
      );
    return sorted.map(({ spec }) => spec);
  }
}

/** First those that are done at once, so that a first result is there within seconds; then in the order of their length. */
const projects = ['contract', 'agent-own-process', 'dev-own-process', 'server', 'agent', 'dev'];
const placeOf = (name: string) => (projects.includes(name) ? projects.indexOf(name) : projects.length);
