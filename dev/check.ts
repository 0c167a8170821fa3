// `npm run check`: all checks that do not run the product.
import { mkdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { changedFiles, removedFiles } from './changed-files.ts';
import { allGates, fastGates, type Gate } from './gates.ts';
import { root } from './root.ts';
import { writeCounts } from './word-counts.ts';

async function runGate(gate: Gate): Promise<boolean> {
  const { code, output } = await gate.run().catch((reason: unknown) => ({ code: 1, output: String(reason) }));
  const read = gate.read(output);
  const ok = code === 0 && read > 0;
  const lines = output.split('\n').filter((line) => !(line.startsWith('/') && /\.(ts|tsx|d\.[cm]?ts|json)$/.test(line)));
  console.log(`${ok ? 'ok    ' : 'FAILED'} ${gate.name} (read ${read})`);
  if (!ok) console.log(lines.join('\n').trim() || 'The tool printed nothing and read nothing.');
  return ok;
}

async function failuresOf(gates: Gate[], at_once: number): Promise<number> {
  const waitingGates = [...gates];
  let failedCount = 0;
  const worker = async () => {
    for (let gate = waitingGates.shift(); gate; gate = waitingGates.shift()) if (!(await runGate(gate))) failedCount += 1;
  };
  await Promise.all(Array.from({ length: at_once }, worker));
  return failedCount;
}

const startedAt = performance.now();
const args = process.argv.slice(2);
if (args[0] === '--count-words') {
  const risenCounts = writeCounts();
  console.log(risenCounts.length ? risenCounts.join('\n') : 'The numbers in dev/word-counts.json are those of now; none has risen.');
  process.exit();
}
if (args[0] === '--write-docs') {
  // Imported here, since it loads the server.
  const { writeDocs } = await import('./generated-docs.ts');
  const writtenFiles = writeDocs();
  console.log(writtenFiles.length ? `Written: ${writtenFiles.join(', ')}.` : 'The written pages are those of the source.');
  process.exit();
}
const unknownOptions = args.filter((word) => word !== '--fast');
if (unknownOptions.length) {
  console.error(`npm run check does not know ${unknownOptions.join(' ')}; npm run check -- --help names what it knows.`);
  process.exit(2);
}
const changedPaths = args.includes('--fast') ? changedFiles(root) : null;
const removedPaths = changedPaths ? removedFiles(root) : [];
if (args.includes('--fast') && !changedPaths) console.log('There is no git here to tell what has changed, so everything is checked.');
mkdirSync(join(root, '.cache', 'types'), { recursive: true });
const gates = changedPaths ? fastGates(changedPaths, removedPaths) : allGates;
const failedCount = await failuresOf(gates, availableParallelism());
const duration = `${((performance.now() - startedAt) / 1000).toFixed(0)} s`;
if (changedPaths && !gates.length) console.log('Nothing has changed that a gate reads.');
else
  console.log(
    failedCount ? `\n${failedCount} of ${gates.length} gates failed (${duration})` : `\nall ${gates.length} gates hold (${duration})`,
  );
if (changedPaths && gates.length) {
  console.log(
    `Checked is what differs from main (files: ${changedPaths.length + removedPaths.length}), and the types of each workspace that imports it. ` +
      'Left out: unused code, the weight of the pages, and lint of files that have not changed: npm run check',
  );
}
process.exitCode = failedCount ? 1 : 0;
