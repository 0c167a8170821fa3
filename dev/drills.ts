// `npm run drills`: what goes wrong in real life, done on purpose, one after another.

import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './root.ts';
import { filesBelow } from './walk.ts';

/** A drill gives back what was wrong, one sentence each. */
interface DrillModule {
  drill(log: (line: string) => void): Promise<string[]>;
}

const wanted = process.argv.slice(2);
const files = filesBelow('dev/drills', /\.drill\.ts$/).filter((file) => wanted.length === 0 || wanted.some((name) => file.includes(name)));
let failed = 0;
for (const file of files) {
  const name = file.replace(/^.*\/|\.drill\.ts$/g, '');
  const { drill } = (await import(pathToFileURL(join(root, file)).href)) as DrillModule;
  const wrong = await drill((line) => console.log(`  ${line}`)).catch((reason: unknown) => [String(reason)]);
  console.log(`${wrong.length ? 'FAILED' : 'ok    '} ${name}`);
  for (const sentence of wrong) console.log(`       ${sentence}`);
  if (wrong.length) failed += 1;
}
console.log(files.length ? `${files.length - failed} of ${files.length} drills passed` : 'There was no drill to run.');
process.exitCode = failed || files.length === 0 ? 1 : 0;
