import { createHash } from 'node:crypto';
import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { root } from './root.ts';

/** The files that take longest, first, because the last file to begin runs alone at the end. Only their order matters, so no seconds. */
const longest = [
  'server/testing/hostile-fields',
  'server/features/device-health/outages',
  'dev/start',
  'dev/drills/kill-server',
  'server/features/device-health/watch-network',
  'server/db/embedded',
  'agent/journeys/undo',
  'agent/journeys/update',
  'agent/journeys/built-update',
  'server/features/subscriptions/webhook',
  'server/cli/embedded',
  'server/testing/relay',
  'server/features/accounts/profile',
  'server/testing/alert-mails',
  'server/testing/neighbours',
  'server/features/weekly-report/reports',
  'server/testing/guardian-matrix',
].map((name) => `${name}.test.ts`);

/**
 * Starts the longest files first. The others follow in an order that depends only on their names and mixes all packages: files of the agent
 * mostly wait, and files of the server compute.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rankOf = ({ moduleId }: TestSpecification) => {
      const file = relative(root, moduleId);
      const place = longest.indexOf(file);
      return { place: place < 0 ? longest.length : place, mixed: createHash('sha256').update(file).digest('hex') };
    };
    const groupOf = ({ project }: TestSpecification) => project.config.sequence.groupOrder;
    return files
      .map((spec) => ({ spec, group: groupOf(spec), ...rankOf(spec) }))
      .toSorted((a, b) => a.group - b.group || a.place - b.place || a.mixed.localeCompare(b.mixed))
      .map(({ spec }) => spec);
  }
}
