import { availableParallelism } from 'node:os';
import { agentFiles } from './agent-files.ts';
import { findBrowser } from './browser.ts';
import { buildDashboard } from './build-dashboard.ts';
import { impactVariable } from './impact.ts';
import { inOwnNamespaces } from './namespaces.ts';
import type { Timed } from './needs.ts';
import { type RunOptions, runPlaywright, runVitest } from './runners.ts';
import { emptyTally, type Tally } from './tally.ts';
import { openTestPostgres } from './test-postgres.ts';
import type { SelectedFiles, Selection } from './test-selection.ts';
import { retriesVariable, type Tier, tierVariable } from './tiers.ts';
import * as projects from './vitest-projects.ts';
import { sharedVariable } from './workers.ts';

const skippedPart = (): Tally => ({ ...emptyTally(), skipped: 1 });
const brokenPart = (reason: string): Tally => ({ ...emptyTally(), failures: [reason] });

export interface Part {
  title: string;
  /** Estimated on two cores, beside the others. */
  minutes: number;
  /** It starts agents that see every program of this computer and listen on its ports, so such parts run one after the other. */
  onHost?: true;
  /** It waits more than it computes, so it leaves the cores to those that begin with it. */
  waits?: true;
  run(printLater: boolean): Promise<Tally>;
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

/**
 * Tests of locks, `listen`, migrations, the queue, and of a backup and a restore beside others. The features send the same SQL to any PostgreSQL, and
 * their tests run on the embedded one.
 */
const dependOnPostgres = ['db/', 'jobs/', 'cli/backup-killed', 'cli/restore-in-use'];

const inProjects =
  (...projectNames: string[]): Part['run'] =>
  (printLater) =>
    runVitest(
      projectNames.flatMap((name) => ['--project', name]),
      { printLater },
    );
const server = inProjects('contract', 'server');
const packages = inProjects('!contract', '!server', `!${projects.onHost('*')}`);
const onHost = inProjects(projects.onHost('*'));

const serverByUrl: Part['run'] = (printLater) =>
  withPostgresByUrl('the server', (url) =>
    runVitest(['--project', 'server', '--exclude', '**/embedded.test.ts', ...dependOnPostgres], {
      env: { TEST_DATABASE_URL: url },
      printLater,
    }),
  );

const storyByUrl: Part['run'] = (printLater) =>
  withPostgresByUrl('the story', (url) =>
    // Outside of namespaces, where this PostgreSQL listens.
    runBrowserTests('story-by-url', ['e2e/story'], { env: { E2E_POSTGRES_URL: url }, printLater, prefix: [] }),
  );

/** `project`: of `playwright.config.ts`. */
const inBrowser =
  (project: 'screens' | 'agent'): Part['run'] =>
  (printLater) =>
    runBrowserTests(project, [`--project=${project}`], { printLater });

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
  return runPlaywright(name, args, { prefix: inOwnNamespaces() ?? [], ...options });
}

/** The parts of a tier; the whole tier contains the fast one. */
export const partsOfTier: Record<Tier, Part[]> = {
  fast: [
    { title: 'The server in process', minutes: 7, run: server },
    { title: 'The agent and the other packages in process', minutes: 6, run: packages },
    { title: 'A journey for each section of the specification, in a browser', minutes: 5, run: inBrowser('screens') },
  ],
  whole: [
    { title: 'The screens in a browser', minutes: 23, run: inBrowser('screens') },
    { title: 'The agent and the other packages', minutes: 15, run: packages },
    { title: 'The server, on the embedded PostgreSQL', minutes: 14, run: server },
    { title: 'The whole product with its agent in a browser', minutes: 9, waits: true, run: inBrowser('agent') },
    { title: 'What depends on PostgreSQL, again on one by URL', minutes: 1, run: serverByUrl },
    // Without namespaces these files are among the packages.
    ...(inOwnNamespaces() ? [{ title: 'The agent for Windows, and kernel events', minutes: 3, onHost: true, run: onHost } as const] : []),
    { title: 'The story again, on a PostgreSQL by URL', minutes: 1, onHost: true, run: storyByUrl },
  ],
};

/** So many keep two cores busy to the end: the server computes, agents wait, and browsers do both. */
export const lanesMax = 3;

/**
 * Chains of parts: those of one run one after the other. Each lane takes the next chain as soon as it is free, those that wait first, and then the
 * longest: the cores would be idle beside a wait at the end. Without namespaces an agent would see the programs and the port of another part, and
 * one core is busy with one lane: then there is one chain.
 */
export function chainsOf(testParts: Part[]): Part[][] {
  if (!inOwnNamespaces() || availableParallelism() < 2) return [testParts];
  const minutesOf = (chain: Part[]) => chain.reduce((sum, { minutes }) => sum + minutes, 0);
  const waitOf = (chain: Part[]) => Number(chain.some(({ waits }) => waits));
  return [...Map.groupBy(testParts, ({ title, onHost: isOnHost }) => (isOnHost ? 'on the host' : title)).values()].toSorted(
    (one, other) => waitOf(other) - waitOf(one) || minutesOf(other) - minutesOf(one),
  );
}

/** What the test runners of these parts need to know. `tier`: null for named files, which run in any. */
export function variablesFor(
  tier: Tier | null,
  chains: Part[][],
  { map, strict }: Pick<Selection, 'map' | 'strict'>,
): Record<string, string> {
  return {
    [retriesVariable]: strict ? '0' : '1',
    ...(tier ? { [tierVariable]: tier } : {}),
    ...(map ? { [impactVariable]: 'on' } : {}),
    ...(chains.length > 1 ? { [sharedVariable]: 'on' } : {}),
  };
}

/** The parts for named files. `title`: of their tests only those with this in their title. */
export function partsOf({ vitest, playwright }: SelectedFiles, title: string | null): Part[] {
  const selectedParts: Part[] = [];
  const add = (files: string[], run: Part['run']) => {
    if (files.length) selectedParts.push({ title: titleOf(files), minutes: 1, run });
  };
  add(vitest, (printLater) => runVitest([...projectFlags(vitest), ...vitest, ...(title ? ['-t', title] : [])], { printLater }));
  for (const [name, withAgent] of [
    ['screens', false],
    ['agent', true],
  ] as const) {
    const files = playwright.filter((file) => agentFiles.test(file) === withAgent);
    const args = [`--project=${name}`, ...files, ...(title ? ['-g', title] : [])];
    add(files, (printLater) => runBrowserTests(`selected-${name}`, args, { printLater }));
  }
  return selectedParts;
}

const titleOf = (files: string[]) => (files.length > 4 ? `${files.length} files` : files.join(', '));

const projectFlags = (files: string[]) => projects.projectsOf(files).flatMap((project) => ['--project', project]);

export function timesOf(testParts: Part[]): Timed[] {
  const busyUntil = Array.from({ length: lanesMax }, () => 0);
  return chainsOf(testParts).flatMap((chain) => {
    const lane = busyUntil.indexOf(Math.min(...busyUntil));
    return chain.map(({ title, minutes }) => {
      busyUntil[lane] = (busyUntil[lane] ?? 0) + minutes;
      return { title, lane: String(lane), minutes };
    });
  });
}
