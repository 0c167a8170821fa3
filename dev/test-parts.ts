import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { admin, withDatabase } from '@porchlight/server/testing/global-setup.ts';
import { findBrowser } from './browser.ts';
import { buildDashboard } from './build-dashboard.ts';
import { inOwnNamespaces } from './namespaces.ts';
import type { Timed } from './needs.ts';
import { root } from './root.ts';
import { type RunOptions, runPlaywright, runVitest } from './runners.ts';
import { emptyTally, type Tally } from './tally.ts';
import { openTestPostgres } from './test-postgres.ts';
import { projectsOf, type Selection } from './test-selection.ts';

const cache = join(root, '.cache', 'tests');
/** Each `npm test` has a folder of its own, because several may run at a time. */
export const reports = join(cache, String(process.pid));

const skippedPart = (): Tally => ({ ...emptyTally(), skipped: 1 });
const brokenPart = (reason: string): Tally => ({ ...emptyTally(), broken: [reason] });

export interface Part {
  title: string;
  /** Estimated on two idle cores. */
  minutes: number;
  /** Parts of one lane run one after the other, lanes next to each other. */
  lane: 'packages' | 'browser';
  /** `files`: runs only these, from the root of the repository. */
  run(files: string[] | null, printLater: boolean): Promise<Tally>;
}

async function withPostgresByUrl(testsName: string, run: (url: string) => Promise<Tally>): Promise<Tally> {
  const postgres = await openTestPostgres();
  if (typeof postgres === 'string') {
    console.log(`Skipped: ${testsName} on a PostgreSQL by URL, because ${postgres}.`);
    return skippedPart();
  }
  try {
    return await run(postgres.url);
  } finally {
    await postgres.stop();
  }
}

/** Tests of locks, notifications and concurrent transactions. Other tests behave the same on any PostgreSQL. */
const dependOnPostgres = [
  'db/',
  'jobs/',
  'features/accounts/',
  'notifications/',
  'features/detections/',
  'features/devices/',
  'features/allow-list/',
];

const packages: Part['run'] = (files, printLater) =>
  runVitest(join(reports, 'packages.json'), files ? [...projectFlags(files), ...files] : [], { printLater });

const serverByUrl: Part['run'] = (files, printLater) =>
  withPostgresByUrl('the server', (url) =>
    runVitest(join(reports, 'by-url.json'), ['--project', 'server', '--exclude', '**/embedded.test.ts', ...(files ?? dependOnPostgres)], {
      env: { TEST_DATABASE_URL: url },
      printLater,
    }),
  );

const storyByUrl: Part['run'] = (_, printLater) =>
  withPostgresByUrl('the story', async (url) => {
    const name = `story_${randomBytes(6).toString('hex')}`;
    await admin(url, `create database ${name}`);
    try {
      const env = { E2E_DATABASE_URL: withDatabase(url, name) };
      // Outside of namespaces, where this PostgreSQL listens.
      return await runBrowserTests('story-by-url', ['e2e/story'], { env, printLater, prefix: [] });
    } finally {
      await admin(url, `drop database ${name} with (force)`);
    }
  });

/** `project`: of `playwright.config.ts`. */
const inBrowser =
  (project: 'screens' | 'agent'): Part['run'] =>
  (files, printLater) =>
    runBrowserTests(project, [`--project=${project}`, ...(files ?? [])], { printLater });

async function runBrowserTests(name: string, args: string[], options: RunOptions): Promise<Tally> {
  if (!findBrowser()) {
    const reason = 'there is no Chromium. On Debian: apt-get install chromium-headless-shell. Elsewhere set CHROMIUM to the path of one.';
    // In CI, a release must not count as tested without its browser tests.
    if (process.env.CI) return brokenPart(`The browser tests did not run: ${reason}`);
    console.log(`Skipped: the tests in a browser, because ${reason}`);
    return skippedPart();
  }
  try {
    await buildDashboard((sentence) => console.log(sentence));
  } catch (reason) {
    return brokenPart(reason instanceof Error ? reason.message : String(reason));
  }
  return runPlaywright(join(reports, `${name}.json`), args, { prefix: inOwnNamespaces() ?? [], ...options });
}

export const parts: Part[] = [
  { title: 'All packages, on the embedded PostgreSQL', minutes: 9, lane: 'packages', run: packages },
  { title: 'The server again, on a PostgreSQL by URL', minutes: 1, lane: 'packages', run: serverByUrl },
  { title: 'The screens in a browser', minutes: 9, lane: 'browser', run: inBrowser('screens') },
  { title: 'The whole product with its agent in a browser', minutes: 4, lane: 'browser', run: inBrowser('agent') },
  { title: 'Its story again, on a PostgreSQL by URL', minutes: 1, lane: 'browser', run: storyByUrl },
];

/** One lane keeps two cores busy; more would only slow its tests down until they reach their timeouts. */
const coresOfLane = 2;

/** Lanes for running the parts: without namespaces an agent would see the programs and the port of another part, so there is only one. */
export function lanesOf(testParts: Part[]): Part[][] {
  if (!inOwnNamespaces() || availableParallelism() < 2 * coresOfLane) return [testParts];
  return [...Map.groupBy(testParts, ({ lane }) => lane).values()];
}

export function partsOf({ vitest, playwright, title }: Selection): Part[] | null {
  if (vitest.length + playwright.length === 0) {
    if (title) throw new Error('Name a file or a folder beside -t.');
    return null;
  }
  const part = (files: string[], run: Part['run']): Part => ({ title: files.join(', '), minutes: 1, lane: 'packages', run });
  const selectedParts: Part[] = [];
  if (vitest.length) {
    const args = title ? ['-t', title] : [];
    const report = join(reports, 'selected.json');
    selectedParts.push(part(vitest, (files) => runVitest(report, [...projectFlags(files ?? vitest), ...(files ?? vitest), ...args])));
  }
  if (playwright.length) {
    const args = title ? ['-g', title] : [];
    selectedParts.push(part(playwright, (files) => runBrowserTests('selected-e2e', [...(files ?? playwright), ...args], {})));
  }
  return selectedParts;
}

/** A folder may have a second project (`vitest.config.ts`). */
const projectFlags = (files: string[]) => projectsOf(files).flatMap((project) => ['--project', project, '--project', `${project}-on-host`]);

const timesFile = join(cache, 'times.json');

async function measured(): Promise<Record<string, number>> {
  return JSON.parse(await readFile(timesFile, 'utf8').catch(() => '{}')) as Record<string, number>;
}

export async function timesOf(testParts: Part[]): Promise<Timed[]> {
  const measuredTimes = await measured();
  const lanes = lanesOf(testParts);
  return testParts
    .map((part) => ({ part, lane: String(lanes.findIndex((lane) => lane.includes(part))) }))
    .map(({ part: { title, minutes }, lane }) => ({
      title,
      lane,
      minutes: measuredTimes[title] ?? minutes,
      measured: measuredTimes[title] !== undefined,
    }));
}

export async function timesWith(title: string, minutes: number): Promise<void> {
  await mkdir(cache, { recursive: true });
  await writeFile(timesFile, JSON.stringify({ ...(await measured()), [title]: minutes }));
}
