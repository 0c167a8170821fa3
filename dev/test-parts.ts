import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { admin, withDatabase } from '@porchlight/server/testing/global-setup.ts';
import { findBrowser } from './browser.ts';
import { buildDashboard } from './build-dashboard.ts';
import type { Timed } from './needs.ts';
import { root } from './root.ts';
import { add, emptyTally, runPlaywright, runVitest, type Tally } from './runners.ts';
import { openTestPostgres } from './test-postgres.ts';
import { projectsOf, type Selection } from './test-selection.ts';

export const reports = join(root, '.cache', 'tests');
const skipped: Tally = { ...emptyTally, skipped: 1 };
const failed = (reason: string): Tally => ({ ...emptyTally, failed: 1, failures: [reason] });

export interface Part {
  title: string;
  minutes: number;
  run(): Promise<Tally>;
}

async function withPostgresByUrl(testsName: string, run: (url: string) => Promise<Tally>): Promise<Tally> {
  const postgres = await openTestPostgres();
  if (typeof postgres === 'string') {
    console.log(`Skipped: ${testsName} on a PostgreSQL by URL, because ${postgres}.`);
    return skipped;
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

const runServerByUrl = () =>
  withPostgresByUrl('the server', (url) =>
    runVitest(join(reports, 'by-url.json'), ['--project', 'server', '--exclude', '**/embedded.test.ts', ...dependOnPostgres], {
      TEST_DATABASE_URL: url,
    }),
  );

const runStoryByUrl = () =>
  withPostgresByUrl('the story', async (url) => {
    const name = `story_${randomBytes(6).toString('hex')}`;
    await admin(url, `create database ${name}`);
    try {
      return await runBrowserTests(join(reports, 'story-by-url.json'), ['e2e/story'], { E2E_DATABASE_URL: withDatabase(url, name) });
    } finally {
      await admin(url, `drop database ${name} with (force)`);
    }
  });

async function runBrowserTests(report: string, args: string[], env: NodeJS.ProcessEnv = {}): Promise<Tally> {
  if (!findBrowser()) {
    const reason = 'there is no Chromium. On Debian: apt-get install chromium-headless-shell. Elsewhere set CHROMIUM to the path of one.';
    // In CI, a release must not count as tested without its browser tests.
    if (process.env.CI) return failed(`The browser tests did not run: ${reason}`);
    console.log(`Skipped: the tests in a browser, because ${reason}`);
    return skipped;
  }
  try {
    await buildDashboard((sentence) => console.log(sentence));
  } catch (reason) {
    return failed(reason instanceof Error ? reason.message : String(reason));
  }
  return runPlaywright(report, args, env);
}

/** The agent's tests run one at a time, because each agent sees every program of the computer. Other tests start no agent or isolate it. */
async function runAllPackages(): Promise<Tally> {
  const otherPackages = runVitest(join(reports, 'unit.json'), ['--project', '!agent']);
  const agent = runVitest(join(reports, 'agent.json'), ['--project', 'agent'], {}, true);
  return add(await otherPackages, await agent);
}

export const parts: Part[] = [
  { title: 'All packages, on the embedded PostgreSQL', minutes: 14, run: runAllPackages },
  { title: 'The server again, on a PostgreSQL by URL', minutes: 3, run: runServerByUrl },
  { title: 'The whole product in a browser', minutes: 9, run: () => runBrowserTests(join(reports, 'e2e.json'), []) },
  { title: 'Its story again, on a PostgreSQL by URL', minutes: 1, run: runStoryByUrl },
];

export function partsOf({ vitest, playwright, title }: Selection): Part[] | null {
  if (vitest.length + playwright.length === 0) {
    if (title) throw new Error('Name a file or a folder beside -t.');
    return null;
  }
  const projects = projectsOf(vitest).flatMap((project) => ['--project', project]);
  const foundParts: Part[] = [];
  if (vitest.length) {
    const args = [...projects, ...vitest, ...(title ? ['-t', title] : [])];
    foundParts.push({ title: vitest.join(', '), minutes: 1, run: () => runVitest(join(reports, 'selected.json'), args) });
  }
  if (playwright.length) {
    const args = [...playwright, ...(title ? ['-g', title] : [])];
    foundParts.push({ title: playwright.join(', '), minutes: 1, run: () => runBrowserTests(join(reports, 'selected-e2e.json'), args) });
  }
  return foundParts;
}

const timesFile = join(reports, 'times.json');

async function measured(): Promise<Record<string, number>> {
  return JSON.parse(await readFile(timesFile, 'utf8').catch(() => '{}')) as Record<string, number>;
}

export async function timesOf(testParts: Part[]): Promise<Timed[]> {
  const measuredTimes = await measured();
  return testParts.map(({ title, minutes }) => ({
    title,
    minutes: measuredTimes[title] ?? minutes,
    measured: measuredTimes[title] !== undefined,
  }));
}

export async function timesWith(title: string, minutes: number): Promise<void> {
  await writeFile(timesFile, JSON.stringify({ ...(await measured()), [title]: minutes }));
}
