// `npm run drills`: causes failures on purpose, one after another.

import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { about, listOf, nightMinutes, readDrills, selectDrills, sumOf } from './drills-selection.ts';
import { root } from './root.ts';

interface DrillModule {
  drill(log: (line: string) => void): Promise<string[]>;
}

const drills = readDrills();
const help = `npm run drills                    The list of drills, and about how long each takes. Runs nothing.
npm run drills -- NAME …          Those with this in their name, one after the other.
npm run drills -- --nightly       Those that fit into ${nightMinutes} minutes together, the shortest first.
npm run drills -- --all           Every drill. Takes ${about(sumOf(drills))}.
npm run drills -- --help          This page.

What there is: ${drills.map(({ name }) => name).join(', ')}`;
const args = process.argv.slice(2);
if (args.includes('--help') || args.includes('-h')) {
  console.log(help);
  process.exit(0);
}
if (!args.length) {
  console.log(listOf(drills));
  process.exit(0);
}
const { run, leftOut, problem } = selectDrills(args, drills);
if (problem) {
  console.error(`${problem}\n\n${help}`);
  process.exit(2);
}
if (run.length > 1) console.log(`${run.length} drills, ${about(sumOf(run))}: ${run.map(({ name }) => name).join(', ')}`);
for (const sentence of leftOut) console.log(sentence);
let failedCount = 0;
for (const { name, file, minutes } of run) {
  const startedAt = performance.now();
  const { drill } = (await import(pathToFileURL(join(root, file)).href)) as DrillModule;
  const problems = await drill((line) => console.log(`  ${line}`)).catch((reason: unknown) => [String(reason)]);
  // Both, so that a time that is no longer right is seen.
  const took = `in ${((performance.now() - startedAt) / 60_000).toFixed(1)} minutes, ${about(minutes)} expected`;
  console.log(`${problems.length ? 'FAILED' : 'ok    '} ${name} (${took})`);
  for (const sentence of problems) console.log(`       ${sentence}`);
  if (problems.length) failedCount += 1;
}
console.log(`${run.length - failedCount} of ${run.length} drills passed`);
process.exitCode = failedCount ? 1 : 0;
