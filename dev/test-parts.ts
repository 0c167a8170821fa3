import { randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { admin, withDatabase } from '@porchlight/server/testing/global-setup.ts';
import { agentFiles } from './agent-files.ts';
import { findBrowser } from './browser.ts';
import { buildDashboard } from './build-dashboard.ts';
import { impactVariable } from './impact.ts';
import { readTimes } from './measured-times.ts';
import { inOwnNamespaces } from './namespaces.ts';
import type { Timed } from './needs.ts';
import { root } from './root.ts';
import { type RunOptions, runPlaywright, runVitest } from './runners.ts';
import { emptyTally, type Tally } from './tally.ts';
import { openTestPostgres } from './test-postgres.ts';
import { projectsOf, type SelectedFiles } from './test-selection.ts';
import { type Tier, tierVariable } from './tiers.ts';
import { type Lane, sharedVariable } from './workers.ts';

/** Each `npm test` has a folder of its own, because several may run at a time. */
export const reports = join(root, '.cache', 'tests', String(process.pid));

const skippedPart = (): Tally => ({ ...emptyTally(), skipped: 1 });
const brokenPart = (reason: string): Tally => ({ ...emptyTally(), broken: [reason] });

export interface Part {
  title: string;
  /** Estimated on two idle cores. */
  minutes: number;
  /** Parts of one lane run one after the other, lanes next to each other. */
  lane: Lane;
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

/** `flags`: which projects of `vitest.config.ts`. */
const inProjects =
  (name: string, ...flags: string[]): Part['run'] =>
  (files, printLater) =>
    runVitest(join(reports, `${name}.json`), files ? [...projectFlags(files), ...files] : flags, { printLater });
const server = inProjects('server', '--project', 'contract', '--project', 'server');
const packages = inProjects('packages', '--project', '!contract', '--project', '!server');

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

/** The parts of a tier; the whole tier contains the fast one. */
export const partsOfTier: Record<Tier, Part[]> = {
  fast: [
    { title: 'The server in process', minutes: 5, lane: 'server', run: server },
    { title: 'The agent and the other packages in process', minutes: 4, lane: 'packages', run: packages },
    { title: 'A journey for each section of the specification, in a browser', minutes: 2, lane: 'browser', run: inBrowser('screens') },
  ],
  whole: [
    { title: 'The server, on the embedded PostgreSQL', minutes: 18, lane: 'server', run: server },
    { title: 'The server again, on a PostgreSQL by URL', minutes: 4, lane: 'server', run: serverByUrl },
    { title: 'The agent and the other packages', minutes: 22, lane: 'packages', run: packages },
    { title: 'The screens in a browser', minutes: 24, lane: 'browser', run: inBrowser('screens') },
    // In the lanes that are done first.
    { title: 'The whole product with its agent in a browser', minutes: 8, lane: 'packages', run: inBrowser('agent') },
    { title: 'Its story again, on a PostgreSQL by URL', minutes: 1, lane: 'server', run: storyByUrl },
  ],
};

/**
 * Lanes for running the parts. Without namespaces an agent would see the programs and the port of another part, and one core is busy with one
 * lane: then there is only one.
 */
export function lanesOf(testParts: Part[]): Part[][] {
  const lanes = [...Map.groupBy(testParts, ({ lane }) => lane).values()];
  if (lanes.length < 2 || !inOwnNamespaces() || availableParallelism() < 2) return [testParts];
  return lanes;
}

/** What the test runners of these parts need to know. `tier`: null for named files, which run in any. `map`: see `Selection`. */
export function variablesFor(tier: Tier | null, lanes: Part[][], map = false): Record<string, string> {
  return {
    ...(tier ? { [tierVariable]: tier } : {}),
    ...(map ? { [impactVariable]: 'on' } : {}),
    ...(lanes.length > 1 ? { [sharedVariable]: 'on' } : {}),
  };
}

/** The parts for named files. `title`: of their tests only those with this in their title. */
export function partsOf({ vitest, playwright }: SelectedFiles, title: string | null): Part[] {
  const selectedParts: Part[] = [];
  if (vitest.length) {
    const args = title ? ['-t', title] : [];
    const run: Part['run'] = (files, printLater) => {
      const named = files ?? vitest;
      return runVitest(join(reports, 'selected.json'), [...projectFlags(named), ...named, ...args], { printLater });
    };
    selectedParts.push({ title: titleOf(vitest), minutes: 1, lane: 'packages', run });
  }
  const [withAgent, screens] = [playwright.filter((file) => agentFiles.test(file)), playwright.filter((file) => !agentFiles.test(file))];
  for (const [name, browserFiles] of [
    ['screens', screens],
    ['agent', withAgent],
  ] as const) {
    if (!browserFiles.length) continue;
    const args = title ? ['-g', title] : [];
    const run: Part['run'] = (files, printLater) =>
      runBrowserTests(`selected-${name}`, [`--project=${name}`, ...(files ?? browserFiles), ...args], { printLater });
    selectedParts.push({ title: titleOf(browserFiles), minutes: 1, lane: 'browser', run });
  }
  return selectedParts;
}

const titleOf = (files: string[]) => (files.length > 4 ? `${files.length} files` : files.join(', '));

/** A folder may have a second project (`vitest.config.ts`). */
const projectFlags = (files: string[]) => projectsOf(files).flatMap((project) => ['--project', project, '--project', `${project}-on-host`]);

export function timesOf(testParts: Part[]): Timed[] {
  const measuredTimes = readTimes().parts;
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
