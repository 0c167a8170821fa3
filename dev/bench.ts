// `npm run bench`: how fast it is, and beside what. A table for people, or with --json one object a row.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { measured, type Row } from './bench-row.ts';
import { root } from './root.ts';
import { filesBelow } from './walk.ts';

interface BenchModule {
  bench(log: (line: string) => void): Promise<Row[]>;
}

const all = filesBelow('bench', /\.bench\.ts$/);
const typed = process.argv.slice(2);
const help = `npm run bench                     measures everything, one after the other
npm run bench -- <name> …         only what has this in its name
npm run bench -- --json           one object a row, for programs
npm run bench -- --help           this

What there is: ${all.map((file) => file.replace(/^.*\/|\.bench\.ts$/g, '')).join(', ')}`;
if (typed.includes('--help') || typed.includes('-h')) {
  console.log(help);
  process.exit(0);
}
const unknown = typed.filter((arg) => arg.startsWith('-') && arg !== '--json');
if (unknown.length) {
  console.error(`There is no ${unknown.join(' ')}.\n\n${help}`);
  process.exit(2);
}
const asJson = typed.includes('--json');
const wanted = typed.filter((arg) => !arg.startsWith('-'));
const files = all.filter((file) => wanted.length === 0 || wanted.some((name) => file.includes(name)));
const rows: Row[] = [];
let broken = 0;
for (const file of files) {
  const { bench } = (await import(pathToFileURL(join(root, file)).href)) as BenchModule;
  try {
    rows.push(...(await bench((line) => console.error(line))));
  } catch (reason) {
    broken += 1;
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
const missed = results.filter((result) => !result.holds);
for (const { name, value, unit, aim } of missed) console.error(`FAILED ${name}: ${value} ${unit}, and the aim is ${aim}`);
if (results.length === 0) console.error('There was nothing to measure.');
process.exitCode = broken || missed.length || results.length === 0 ? 1 : 0;
