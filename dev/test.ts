// `npm test`: everything that can be tested without a person, and one line at the end.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { findBrowser } from './browser.ts';
import { buildDashboard } from './build-dashboard.ts';
import { aptInstall } from './debian.ts';
import { root } from './root.ts';
import { add, none, runPlaywright, runVitest, type Tally } from './runners.ts';
import { openTestPostgres } from './test-postgres.ts';

const reports = join(root, '.cache', 'tests');
const one = (kind: keyof Tally): Tally => ({ ...none, [kind]: 1 });

async function serverOnPostgresByUrl(): Promise<Tally> {
  const postgres = await openTestPostgres();
  if (typeof postgres === 'string') {
    console.log(`The server's tests on a PostgreSQL by URL were skipped: ${postgres}.`);
    return one('skipped');
  }
  try {
    const args = ['--project', 'server', '--exclude', '**/db/embedded.test.ts'];
    return await runVitest(join(reports, 'by-url.json'), args, { TEST_DATABASE_URL: postgres.url });
  } finally {
    await postgres.stop();
  }
}

async function inTheBrowser(): Promise<Tally> {
  if (!findBrowser() && !(aptInstall('chromium') && findBrowser())) {
    console.error('The browser tests need Chromium. On Debian: apt-get install chromium. Elsewhere set CHROMIUM to the path of one.');
    return one('failed');
  }
  try {
    await buildDashboard((sentence) => console.log(sentence));
  } catch (reason) {
    console.error(reason instanceof Error ? reason.message : reason);
    return one('failed');
  }
  return runPlaywright(join(reports, 'e2e.json'), []);
}

const parts: [string, () => Promise<Tally>][] = [
  ['All packages, on the embedded PostgreSQL', () => runVitest(join(reports, 'unit.json'), [])],
  ['The server again, on a PostgreSQL by URL', serverOnPostgresByUrl],
  ['The whole product in a browser', inTheBrowser],
];

await mkdir(reports, { recursive: true });
let all = none;
for (const [title, run] of parts) {
  console.log(`\n== ${title}`);
  all = add(all, await run());
}
console.log(`\n${all.passed} passed, ${all.failed} failed, ${all.skipped} skipped`);
process.exitCode = all.failed > 0 || all.passed === 0 ? 1 : 0;
