import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { admin, withDatabase } from '@porchlight/server/testing/global-setup.ts';
import { findBrowser } from './browser.ts';
import { buildDashboard } from './build-dashboard.ts';
import type { Timed } from './needs.ts';
import { root } from './root.ts';
import { add, none, runPlaywright, runVitest, type Tally } from './runners.ts';
import { openTestPostgres } from './test-postgres.ts';
import { projectsOf, type Selection } from './test-selection.ts';

export const reports = join(root, '.cache', 'tests');
const skipped: Tally = { ...none, skipped: 1 };
const failed = (why: string): Tally => ({ ...none, failed: 1, failures: [why] });

export interface Part {
  title: string;
  /** On two cores, when nothing else runs. */
  minutes: number;
  run(): Promise<Tally>;
}

/** Runs something on a PostgreSQL that is not the embedded one; where there is none it says why. */
async function onPostgresByUrl(what: string, run: (url: string) => Promise<Tally>): Promise<Tally> {
  const postgres = await openTestPostgres();
  if (typeof postgres === 'string') {
    console.log(`Skipped: ${what} on a PostgreSQL by URL, because ${postgres}.`);
    return skipped;
  }
  try {
    return await run(postgres.url);
  } finally {
    await postgres.stop();
  }
}

/** These use locks, notifications and concurrent transactions; the others behave the same on any PostgreSQL. */
const dependOnPostgres = [
  'db/',
  'jobs/',
  'features/accounts/',
  'notifications/',
  'features/detections/',
  'features/devices/',
  'features/allow-list/',
];

const serverByUrl = () =>
  onPostgresByUrl('the server', (url) =>
    runVitest(join(reports, 'by-url.json'), ['--project', 'server', '--exclude', '**/embedded.test.ts', ...dependOnPostgres], {
      TEST_DATABASE_URL: url,
    }),
  );

const storyByUrl = () =>
  onPostgresByUrl('the story', async (url) => {
    // A database of its own, empty: the server makes its tables at the start.
    const name = `story_${randomBytes(6).toString('hex')}`;
    await admin(url, `create database ${name}`);
    try {
      return await inTheBrowser(join(reports, 'story-by-url.json'), ['e2e/story'], { E2E_DATABASE_URL: withDatabase(url, name) });
    } finally {
      await admin(url, `drop database ${name} with (force)`);
    }
  });

async function inTheBrowser(report: string, args: string[], env: NodeJS.ProcessEnv = {}): Promise<Tally> {
  if (!findBrowser()) {
    const why = 'there is no Chromium. On Debian: apt-get install chromium-headless-shell. Elsewhere set CHROMIUM to the path of one.';
    // A release must not be called tested without these.
    if (process.env.CI) return failed(`The browser tests did not run: ${why}`);
    console.log(`Skipped: the tests in a browser, because ${why}`);
    return skipped;
  }
  try {
    await buildDashboard((sentence) => console.log(sentence));
  } catch (reason) {
    return failed(reason instanceof Error ? reason.message : String(reason));
  }
  return runPlaywright(report, args, env);
}

/**
 * The agent's tests run one at a time, because each agent sees every program of the computer; the others start no agent, or give it a computer of its own.
 * So both run side by side, and each core has work.
 */
async function allPackages(): Promise<Tally> {
  const others = runVitest(join(reports, 'unit.json'), ['--project', '!agent']);
  const agent = runVitest(join(reports, 'agent.json'), ['--project', 'agent'], {}, true);
  return add(await others, await agent);
}

export const parts: Part[] = [
  { title: 'All packages, on the embedded PostgreSQL', minutes: 14, run: allPackages },
  { title: 'The server again, on a PostgreSQL by URL', minutes: 3, run: serverByUrl },
  { title: 'The whole product in a browser', minutes: 9, run: () => inTheBrowser(join(reports, 'e2e.json'), []) },
  { title: 'Its story again, on a PostgreSQL by URL', minutes: 1, run: storyByUrl },
];

/** What was asked for by path; null when all tests were. */
export function partsOf({ vitest, playwright, title }: Selection): Part[] | null {
  if (vitest.length + playwright.length === 0) {
    if (title) throw new Error('Name a file or a folder beside -t.');
    return null;
  }
  const projects = projectsOf(vitest).flatMap((project) => ['--project', project]);
  const found: Part[] = [];
  if (vitest.length) {
    const args = [...projects, ...vitest, ...(title ? ['-t', title] : [])];
    found.push({ title: vitest.join(', '), minutes: 1, run: () => runVitest(join(reports, 'selected.json'), args) });
  }
  if (playwright.length) {
    const args = [...playwright, ...(title ? ['-g', title] : [])];
    found.push({ title: playwright.join(', '), minutes: 1, run: () => inTheBrowser(join(reports, 'selected-e2e.json'), args) });
  }
  return found;
}

const timesFile = join(reports, 'times.json');

async function measured(): Promise<Record<string, number>> {
  return JSON.parse(await readFile(timesFile, 'utf8').catch(() => '{}')) as Record<string, number>;
}

/** How long each part took the last time here, or takes elsewhere. */
export async function timesOf(all: Part[]): Promise<Timed[]> {
  const times = await measured();
  return all.map(({ title, minutes }) => ({ title, minutes: times[title] ?? minutes, measured: times[title] !== undefined }));
}

export async function timesWith(title: string, minutes: number): Promise<void> {
  await writeFile(timesFile, JSON.stringify({ ...(await measured()), [title]: minutes }));
}
