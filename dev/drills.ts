// `npm run drills`: what goes wrong in real life, done on purpose, one after another.

import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './root.ts';
import { filesBelow } from './walk.ts';

/** A drill gives back what was wrong, one sentence each. */
interface DrillModule {
  drill(log: (line: string) => void): Promise<string[]>;
}

const all = filesBelow('dev/drills', /\.drill\.ts$/);
const nameOf = (file: string) => file.replace(/^.*\/|\.drill\.ts$/g, '');
const help = `npm run drills                    Every drill, one after the other. Takes hours.
npm run drills -- NAME …          Only those with this in their name.
npm run drills -- --help          This page.

What there is: ${all.map(nameOf).join(', ')}`;
const typed = process.argv.slice(2);
if (typed.includes('--help') || typed.includes('-h')) {
  console.log(help);
  process.exit(0);
}
const unknown = typed.filter((name) => !all.some((file) => nameOf(file).includes(name)));
if (unknown.length) {
  console.error(`There is no drill called ${unknown.join(' or ')}.\n\n${help}`);
  process.exit(2);
}
const files = all.filter((file) => typed.length === 0 || typed.some((name) => nameOf(file).includes(name)));
let failed = 0;
for (const file of files) {
  const { drill } = (await import(pathToFileURL(join(root, file)).href)) as DrillModule;
  const wrong = await drill((line) => console.log(`  ${line}`)).catch((reason: unknown) => [String(reason)]);
  console.log(`${wrong.length ? 'FAILED' : 'ok    '} ${nameOf(file)}`);
  for (const sentence of wrong) console.log(`       ${sentence}`);
  if (wrong.length) failed += 1;
}
console.log(`${files.length - failed} of ${files.length} drills passed`);
process.exitCode = failed ? 1 : 0;
