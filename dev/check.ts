// `npm run check`: everything that can be checked without running the product.
import { mkdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { changedFiles } from './changed-files.ts';
import { allGates, fastGates, type Gate } from './gates.ts';
import { root } from './root.ts';
import { writeCounts } from './word-counts.ts';

/** Runs one gate and prints how it went. Answers whether it holds. */
async function holds(gate: Gate): Promise<boolean> {
  const { code, output } = await gate.run().catch((reason: unknown) => ({ code: 1, output: String(reason) }));
  const read = gate.read(output);
  const ok = code === 0 && read > 0;
  const lines = output.split('\n').filter((line) => !(line.startsWith('/') && /\.(ts|tsx|d\.[cm]?ts|json)$/.test(line)));
  console.log(`${ok ? 'ok    ' : 'FAILED'} ${gate.name} (read ${read})`);
  if (!ok) console.log(lines.join('\n').trim() || 'The tool printed nothing and read nothing.');
  return ok;
}

/** `at_once`: how many run side by side. Answers how many do not hold. */
async function failuresOf(gates: Gate[], at_once: number): Promise<number> {
  const waiting = [...gates];
  let failed = 0;
  const worker = async () => {
    for (let gate = waiting.shift(); gate; gate = waiting.shift()) if (!(await holds(gate))) failed += 1;
  };
  await Promise.all(Array.from({ length: at_once }, worker));
  return failed;
}

const began = performance.now();
const typed = process.argv.slice(2);
if (typed[0] === '--count-words') {
  const risen = writeCounts();
  console.log(risen.length ? risen.join('\n') : 'The numbers in dev/word-counts.json are those of now; none has risen.');
  process.exit();
}
const unknown = typed.filter((word) => word !== '--fast');
if (unknown.length) {
  console.error(`npm run check does not know ${unknown.join(' ')}; npm run check -- --help names what it knows.`);
  process.exit(2);
}
const changed = typed.includes('--fast') ? changedFiles(root) : null;
if (typed.includes('--fast') && !changed) console.log('There is no git here to tell what has changed, so everything is checked.');
mkdirSync(join(root, '.cache', 'types'), { recursive: true });
const gates = changed ? fastGates(changed) : allGates;
const failed = await failuresOf(gates, availableParallelism());
const took = `${((performance.now() - began) / 1000).toFixed(0)} s`;
if (changed && !gates.length) console.log('Nothing has changed.');
else console.log(failed ? `\n${failed} of ${gates.length} gates failed (${took})` : `\nall ${gates.length} gates hold (${took})`);
if (changed && gates.length) {
  console.log(
    `For the ${changed.length} files that differ from main. Unused code, workspaces that import these, and the weight of the pages: npm run check`,
  );
}
process.exitCode = failed ? 1 : 0;
