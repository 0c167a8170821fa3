// `npm run bench`: how fast it is, and beside what. A table for people, or with --json one object a row.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { measured, type Row } from './bench-row.ts';
import { root } from './root.ts';
import { filesBelow } from './walk.ts';

interface BenchModule {
  bench(log: (line: string) => void): Promise<Row[]>;
}

const asJson = process.argv.includes('--json');
const wanted = process.argv.slice(2).filter((arg) => !arg.startsWith('--'));
const files = filesBelow('bench', /\.bench\.ts$/).filter((file) => wanted.length === 0 || wanted.some((name) => file.includes(name)));
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
