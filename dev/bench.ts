// `npm run bench`: prints a table, or with --json an object per row.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { measured, type Row } from './bench-row.ts';
import { root } from './root.ts';
import { filesBelow } from './walk.ts';

interface BenchModule {
  bench(log: (line: string) => void): Promise<Row[]>;
}

const allFiles = filesBelow('bench', /\.bench\.ts$/);
const args = process.argv.slice(2);
const help = `npm run bench                     measures everything, one after the other
npm run bench -- <name> …         only what has this in its name
npm run bench -- --json           one object a row, for programs
npm run bench -- --help           this

What there is: ${allFiles.map((file) => file.replace(/^.*\/|\.bench\.ts$/g, '')).join(', ')}`;
if (args.includes('--help') || args.includes('-h')) {
  console.log(help);
  process.exit(0);
}
const unknownOptions = args.filter((arg) => arg.startsWith('-') && arg !== '--json');
if (unknownOptions.length) {
  console.error(`There is no ${unknownOptions.join(' ')}.\n\n${help}`);
  process.exit(2);
}
const asJson = args.includes('--json');
const wantedNames = args.filter((arg) => !arg.startsWith('-'));
const files = allFiles.filter((file) => wantedNames.length === 0 || wantedNames.some((name) => file.includes(name)));
const rows: Row[] = [];
let failedCount = 0;
for (const file of files) {
  const { bench } = (await import(pathToFileURL(join(root, file)).href)) as BenchModule;
  try {
    rows.push(...(await bench((line) => console.error(line))));
  } catch (reason) {
    failedCount += 1;
    console.error(`FAILED ${file}: ${reason instanceof Error ? reason.message : String(reason)}`);
  }
}
const results = rows.map(measured);
if (asJson) for (const result of results) console.log(JSON.stringify(result));
else
  console.table(results, [
    'name',
    'value',
    'unit',
    'peer',
    'peer_value',
    'ratio',
    'aim',
    'holds',
    ...(results.some(({ needs }) => needs) ? ['needs'] : []),
  ]);
const missedAims = results.filter((result) => !result.holds);
for (const { name, value, unit, aim } of missedAims) console.error(`FAILED ${name}: ${value} ${unit}, and the aim is ${aim}`);
if (results.length === 0) console.error('There was nothing to measure.');
process.exitCode = failedCount || missedAims.length || results.length === 0 ? 1 : 0;
