import { applySiteDelta, diffSiteLists, siteDeltaInfo } from '../sites/site-delta.ts';
import { readSiteList } from '../sites/site-list.ts';
import { type Command, type CommandStreams, usageHint } from './command.ts';
import { Usage } from './command-line.ts';
import { read, readBytes, write } from './files.ts';

const isDelta = (bytes: Uint8Array) => Buffer.from(bytes.subarray(0, 4)).toString('latin1') === 'PLSD';

export const sitesCommand: Command = {
  name: 'sites',
  usage: 'diff OLD.list NEW.list --out FILE.delta | apply OLD.list FILE.delta --out NEW.list | info FILE.list|FILE.delta [HOST…]',
  help: `diff writes what leads from one list of sites to the next, apply makes the next one of it, info tells what a file holds, and
    whether hosts are in it.`,
  async run(args, streams) {
    const { words, option } = read(args, sitesCommand, ['out']);
    const [action, firstFile, secondFile, ...extraWords] = words;
    const usageError = new Usage(`Name an action and its files. ${usageHint(sitesCommand)}`);
    if (!firstFile) throw usageError;
    if (action === 'info') return info(firstFile, [secondFile ?? [], extraWords].flat(), streams);
    const out = option('out');
    if (!secondFile || !out || (action !== 'diff' && action !== 'apply')) throw usageError;
    const [firstList, secondList] = [readBytes(firstFile), readBytes(secondFile)];
    const bytes = action === 'diff' ? diffSiteLists(firstList, secondList) : applySiteDelta(firstList, secondList);
    write(out, bytes);
    return info(out, [], streams);
  },
};

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
