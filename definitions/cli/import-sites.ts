import { createReadStream } from 'node:fs';
import { type ImportReport, importList, type ListFormat, listFormats, type Remark } from '../importers/import-list.ts';
import { readKeep } from '../importers/keep.ts';
import { type CommandStreams, usageHint } from './command.ts';
import { readCommandLine, Usage } from './command-line.ts';
import { fileFailure, readBytes, write } from './files.ts';

const command = {
  name: 'import sites',
  usage: 'FILE… --out FILE.list [--format hosts|adblock|plain|auto] [--keep FILE]… [--before OLD.list] [--names FILE] [--report FILE]',
};

export async function* chunksOf(files: string[]): AsyncGenerator<Uint8Array | string> {
  for (const file of files) {
    try {
      yield* createReadStream(file) as AsyncIterable<Uint8Array>;
    } catch (reason) {
      throw fileFailure(file, reason);
    }
    yield '\n';
  }
}

function countReasons(remarks: Remark[]): string[] {
  const counts = new Map<string, number>();
  for (const { why } of remarks) counts.set(why, (counts.get(why) ?? 0) + 1);
  return [...counts].toSorted(([, a], [, b]) => b - a).map(([reason, count]) => `    ${count} × ${reason}`);
}

function summary(report: ImportReport): string[] {
  const lines = [`${report.lines} lines, ${report.names} names: ${report.new} new, ${report.gone} gone`];
  for (const kind of ['changed', 'refused'] as const) {
    const [remarks, count] = [report[kind], report[`${kind}_count`]];
    if (count === 0) continue;
    lines.push(`  ${kind}: ${count}${count > remarks.length ? `, of the first ${remarks.length}:` : ''}`);
    lines.push(...countReasons(remarks));
  }
  if (report.exceptions.length > 0) lines.push(`  left alone, because the list says so: ${report.exceptions.length}`);
  return lines;
}

const formatNames = Object.keys(listFormats) as ListFormat[];

/**
 * Imports a published site list. Resolves with 0; throws `Usage` and `Failure`. `--names` writes every name as text for review, `--report`
 * the whole report as JSON.
 */
export async function importSites(args: string[], { out }: Pick<CommandStreams, 'out'>): Promise<number> {
  const { values, positionals } = readCommandLine(
    args,
    {
      format: { type: 'string', default: 'auto' },
      keep: { type: 'string', multiple: true, default: [] },
      before: { type: 'string' },
      out: { type: 'string' },
      names: { type: 'string' },
      report: { type: 'string' },
    },
    { command: command.name, hint: `. ${usageHint(command)}`, positionals: true },
  );
  const format = formatNames.find((name) => name === values.format);
  if (positionals.length === 0 || !values.out || !format)
    throw new Usage(`Name the files, a format that is known, and --out. ${usageHint(command)}`);
  const names: string[] = [];
  const { list, report } = await importList(chunksOf(positionals), {
    format,
    keep: new Set((await Promise.all(values.keep.map((file) => readKeep(chunksOf([file]))))).flatMap((names) => [...names])),
    ...(values.before ? { before: readBytes(values.before) } : {}),
    ...(values.names ? { entry: (host) => names.push(host) } : {}),
  });
  write(values.out, list);
  if (values.names) write(values.names, `${[...new Set(names)].sort().join('\n')}\n`);
  if (values.report) write(values.report, `${JSON.stringify(report, null, 2)}\n`);
  out.write(
    summary(report)
      .map((line) => `${line}\n`)
      .join(''),
  );
  return 0;
}
