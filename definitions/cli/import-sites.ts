import { createReadStream } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { type ImportReport, importList, type ListFormat, listFormats, type Remark } from '../importers/import-list.ts';
import { readKeep } from '../importers/keep.ts';
import { guarded, type SitesIo } from './sites-io.ts';

const usage =
  'import sites FILE… --out FILE.list [--format hosts|adblock|plain|auto] [--keep FILE]… [--before OLD.list] [--names FILE] [--report FILE]';

/** All files one after another; each ends its last line. */
async function* chunksOf(files: string[]): AsyncGenerator<Uint8Array | string> {
  for (const file of files) {
    yield* createReadStream(file) as AsyncIterable<Uint8Array>;
    yield '\n';
  }
}

function counted(remarks: Remark[]): string[] {
  const counts = new Map<string, number>();
  for (const { why } of remarks) counts.set(why, (counts.get(why) ?? 0) + 1);
  return [...counts].toSorted(([, a], [, b]) => b - a).map(([why, count]) => `    ${count} × ${why}`);
}

function tell(report: ImportReport, io: SitesIo): void {
  io.out(`${report.lines} lines, ${report.names} names: ${report.new} new, ${report.gone} gone`);
  for (const kind of ['changed', 'refused'] as const) {
    const [remarks, count] = [report[kind], report[`${kind}_count`]];
    if (count === 0) continue;
    io.out(`  ${kind}: ${count}${count > remarks.length ? `, of the first ${remarks.length}:` : ''}`);
    for (const line of counted(remarks)) io.out(line);
  }
  if (report.exceptions.length > 0) io.out(`  left alone, because the list says so: ${report.exceptions.length}`);
}

/**
 * Makes a site list of files as others publish them. Gives 0 when it is written, 1 when something could not be read or written, 2 for
 * wrong arguments. `--names` writes every name as text for review, `--report` the whole report as JSON.
 */
export async function importSites(args: string[], io: SitesIo): Promise<number> {
  return guarded(io, usage, async () => {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        format: { type: 'string', default: 'auto' },
        keep: { type: 'string', multiple: true, default: [] },
        before: { type: 'string' },
        out: { type: 'string' },
        names: { type: 'string' },
        report: { type: 'string' },
      },
    });
    if (positionals.length === 0 || !values.out || !Object.hasOwn(listFormats, values.format)) return 'wrong use';
    const names: string[] = [];
    const { list, report } = await importList(chunksOf(positionals), {
      format: values.format as ListFormat,
      keep: await readKeep(chunksOf(values.keep)),
      ...(values.before ? { before: await readFile(values.before) } : {}),
      ...(values.names ? { entry: (host) => names.push(host) } : {}),
    });
    await writeFile(values.out, list);
    if (values.names) await writeFile(values.names, `${[...new Set(names)].sort().join('\n')}\n`);
    if (values.report) await writeFile(values.report, `${JSON.stringify(report, null, 2)}\n`);
    tell(report, io);
    return 0;
  });
}
