// `npm test`: everything that can be tested without a person, and one line at the end.
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fetched } from '@porchlight/packaging/fetch.ts';
import { nativeParts, runtimes } from '@porchlight/packaging/targets.ts';
import { admin, withDatabase } from '@porchlight/server/testing/global-setup.ts';
import { findBrowser, headlessShell } from './browser.ts';
import { buildDashboard } from './build-dashboard.ts';
import { aptInstall } from './debian.ts';
import { root } from './root.ts';
import { add, none, runPlaywright, runVitest, type Tally } from './runners.ts';
import { openTestPostgres } from './test-postgres.ts';
import { wineMissing } from './wine.ts';

const reports = join(root, '.cache', 'tests');
const skipped: Tally = { ...none, skipped: 1 };
const failed = (why: string): Tally => ({ ...none, failed: 1, failures: [why] });

/** Runs something on a PostgreSQL that is not the embedded one; where there is none it says why. */
async function onPostgresByUrl(what: string, run: (url: string) => Promise<Tally>): Promise<Tally> {
  const postgres = await openTestPostgres();
  if (typeof postgres === 'string') {
    console.log(`${what} on a PostgreSQL by URL was skipped: ${postgres}.`);
    return skipped;
  }
  try {
    return await run(postgres.url);
  } finally {
    await postgres.stop();
  }
}

/** What leans on locks, on notices and on transactions that meet; the rest says the same on any PostgreSQL. */
const leaning = [
  'db/',
  'jobs/',
  'features/accounts/',
  'features/alerts/',
  'features/detections/',
  'features/devices/',
  'features/exceptions/',
];

const serverByUrl = () =>
  onPostgresByUrl('The server', (url) =>
    runVitest(join(reports, 'by-url.json'), ['--project', 'server', '--exclude', '**/embedded.test.ts', ...leaning], {
      TEST_DATABASE_URL: url,
    }),
  );

const storyByUrl = () =>
  onPostgresByUrl('The story', async (url) => {
    // A database of its own, empty: the server makes its tables at the start.
    const name = `story_${randomBytes(6).toString('hex')}`;
    await admin(url, `create database ${name}`);
    try {
      return await runPlaywright(join(reports, 'story-by-url.json'), ['e2e/story'], { E2E_DATABASE_URL: withDatabase(url, name) });
    } finally {
      await admin(url, `drop database ${name} with (force)`);
    }
  });

async function inTheBrowser(): Promise<Tally> {
  if (!process.env.CHROMIUM && !existsSync(headlessShell)) aptInstall('chromium-headless-shell');
  if (!findBrowser() && !(aptInstall('chromium') && findBrowser())) {
    return failed('The browser tests need Chromium. On Debian: apt-get install chromium. Elsewhere set CHROMIUM to the path of one.');
  }
  try {
    await buildDashboard((sentence) => console.log(sentence));
  } catch (reason) {
    return failed(reason instanceof Error ? reason.message : String(reason));
  }
  return runPlaywright(join(reports, 'e2e.json'), []);
}

const parts: [string, () => Promise<Tally>][] = [
  ['All packages, on the embedded PostgreSQL', () => runVitest(join(reports, 'unit.json'), [])],
  ['The server again, on a PostgreSQL by URL', serverByUrl],
  ['The whole product in a browser', inTheBrowser],
  ['Its story again, on a PostgreSQL by URL', storyByUrl],
];

/** What the agent's executables are made of, for the tests that build some and look into them. Where it cannot be had those say so. */
async function fetchParts(): Promise<void> {
  const parts = [...Object.values(runtimes), ...Object.values(nativeParts)].map((part) =>
    fetched(part, join(root, '.cache', 'installers')),
  );
  for (const result of await Promise.allSettled(parts)) if (result.status === 'rejected') console.log(String(result.reason));
}

/** What our installers are tried and checked with, each with its package. */
const checkers: [path: string, name: string][] = [
  ['/usr/bin/7z', 'p7zip-full'],
  ['/usr/bin/bsdtar', 'libarchive-tools'],
  ['/usr/bin/cpio', 'cpio'],
];

/** Where they cannot be had the tests that need them say so. */
function getCheckers(): void {
  if (process.platform !== 'linux') return;
  wineMissing();
  for (const [path, name] of checkers) if (!existsSync(path)) aptInstall(name);
}

await mkdir(reports, { recursive: true });
getCheckers();
await fetchParts();
let all = none;
for (const [title, run] of parts) {
  console.log(`\n== ${title}`);
  all = add(all, await run());
}
if (all.failures.length) console.log(`\n== What failed\n\n${all.failures.join('\n\n')}`);
console.log(`\n${all.passed} passed, ${all.failed} failed, ${all.skipped} skipped`);
process.exitCode = all.failed > 0 || all.passed === 0 ? 1 : 0;
