import { markSources, packMarks } from '../first-list.ts';
import { importList } from '../importers/import-list.ts';
import { applySiteDelta, diffSiteLists, siteDeltaInfo } from '../sites/site-delta.ts';
import { readSiteList } from '../sites/site-list.ts';
import { type Command, type CommandStreams, usageHint } from './command.ts';
import { Usage } from './command-line.ts';
import { read, readBytes, write } from './files.ts';
import { chunksOf } from './import-sites.ts';

const isDelta = (bytes: Uint8Array) => Buffer.from(bytes.subarray(0, 4)).toString('latin1') === 'PLSD';

export const sitesCommand: Command = {
  name: 'sites',
  usage:
    'diff OLD.list NEW.list --out FILE.delta | apply OLD.list FILE.delta --out NEW.list | info FILE.list|FILE.delta [HOST…] | marks FILE.list SOURCE… --out FILE.marks',
  help: `diff writes what leads from one list of sites to the next, apply makes the next one of it, info tells what a file holds, and
    whether hosts are in it. marks writes, for each name of a list, which of its sources have it: one file a source, in the order of
    sources.json.`,
  async run(args, streams) {
    const { words, option } = read(args, sitesCommand, ['out']);
    const [action, firstFile, secondFile, ...extraWords] = words;
    const usageError = new Usage(`Name an action and its files. ${usageHint(sitesCommand)}`);
    if (!firstFile) throw usageError;
    if (action === 'info') return info(firstFile, [secondFile ?? [], extraWords].flat(), streams);
    const out = option('out');
    if (action === 'marks' && secondFile && out) return marks(firstFile, [secondFile, ...extraWords], out, streams);
    if (!secondFile || !out || (action !== 'diff' && action !== 'apply')) throw usageError;
    const [firstList, secondList] = [readBytes(firstFile), readBytes(secondFile)];
    const bytes = action === 'diff' ? diffSiteLists(firstList, secondList) : applySiteDelta(firstList, secondList);
    write(out, bytes);
    return info(out, [], streams);
  },
};

async function marks(file: string, sourceFiles: string[], outFile: string, { out }: Pick<CommandStreams, 'out'>): Promise<number> {
  const sources = await Promise.all(
    sourceFiles.map(async (sourceFile) => {
      const names = new Set<string>();
      await importList(chunksOf([sourceFile]), { format: 'auto', keep: new Set(), entry: (host) => names.add(host) });
      return names;
    }),
  );
  const marks = markSources(readBytes(file), sources);
  write(outFile, packMarks(marks));
  for (const [bit, sourceFile] of sourceFiles.entries())
    out.write(`${sourceFile}: ${marks.filter((mark) => (mark >> bit) & 1).length} names of the list\n`);
  out.write(
    `several sources: ${marks.filter((mark) => (mark & (mark - 1)) !== 0).length}, unknown: ${marks.filter((mark) => mark === 0).length}\n`,
  );
  return 0;
}

function info(file: string, hosts: string[], { out }: Pick<CommandStreams, 'out'>): number {
  const bytes = readBytes(file);
  if (isDelta(bytes)) {
    const { before, after, came, went } = siteDeltaInfo(bytes);
    out.write(`a change of ${bytes.length} bytes, from ${before} to ${after} names: ${came} came, ${went} went\n`);
    return 0;
  }
  const list = readSiteList(bytes);
  out.write(`a list of ${bytes.length} bytes with ${list.size} names\n`);
  for (const host of hosts) out.write(`${host}: ${list.find(host)[0] ?? 'not listed'}\n`);
  return 0;
}
