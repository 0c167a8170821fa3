// `npm run drills`: causes failures on purpose, one after another.

import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './root.ts';
import { filesBelow } from './walk.ts';

interface DrillModule {
  drill(log: (line: string) => void): Promise<string[]>;
}

const allFiles = filesBelow('dev/drills', /\.drill\.ts$/);
const nameOf = (file: string) => file.replace(/^.*\/|\.drill\.ts$/g, '');
const help = `npm run drills                    Every drill, one after the other. Takes hours.
npm run drills -- NAME …          Only those with this in their name.
npm run drills -- --help          This page.

What there is: ${allFiles.map(nameOf).join(', ')}`;
const args = process.argv.slice(2);
if (args.includes('--help') || args.includes('-h')) {
  console.log(help);
  process.exit(0);
}
const unknownNames = args.filter((name) => !allFiles.some((file) => nameOf(file).includes(name)));
if (unknownNames.length) {
  console.error(`There is no drill called ${unknownNames.join(' or ')}.\n\n${help}`);
  process.exit(2);
}
const files = allFiles.filter((file) => args.length === 0 || args.some((name) => nameOf(file).includes(name)));
let failedCount = 0;
for (const file of files) {
  const { drill } = (await import(pathToFileURL(join(root, file)).href)) as DrillModule;
  const problems = await drill((line) => console.log(`  ${line}`)).catch((reason: unknown) => [String(reason)]);
  console.log(`${problems.length ? 'FAILED' : 'ok    '} ${nameOf(file)}`);
  for (const sentence of problems) console.log(`       ${sentence}`);
  if (problems.length) failedCount += 1;
}
console.log(`${files.length - failedCount} of ${files.length} drills passed`);
process.exitCode = failedCount ? 1 : 0;
