import { readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { applySiteDelta, diffSiteLists, siteDeltaInfo } from '../sites/site-delta.ts';
import { readSiteList } from '../sites/site-list.ts';
import { guarded, type SitesIo, sitesIo } from './sites-io.ts';
import type { Command } from './usage.ts';

const usage =
  'sites diff OLD.list NEW.list --out FILE.delta | apply OLD.list FILE.delta --out NEW.list | info FILE.list|FILE.delta [HOST…]';

const isDelta = (bytes: Uint8Array) => Buffer.from(bytes.subarray(0, 4)).toString('latin1') === 'PLSD';

export const sitesCommand: Command = {
  usage,
  help: `diff writes what leads from one list of sites to the next, apply makes the next one of it, info tells what a file holds, and
    whether hosts are in it.`,
  run: (args, outside) => siteLists(args, sitesIo(outside)),
};

/** `diff`, `apply` and `info` of site lists, with the same answers as `importSites`. */
export async function siteLists(args: string[], io: SitesIo): Promise<number> {
  return guarded(io, usage, async () => {
    const { values, positionals } = parseArgs({ args, allowPositionals: true, options: { out: { type: 'string' } } });
    const [command, first, second, ...rest] = positionals;
    if (!first) return 'wrong use';
    if (command === 'info') return info(first, [second ?? [], rest].flat(), io);
    if (!second || !values.out || (command !== 'diff' && command !== 'apply')) return 'wrong use';
    const [one, other] = [await readFile(first), await readFile(second)];
    const bytes = command === 'diff' ? diffSiteLists(one, other) : applySiteDelta(one, other);
    await writeFile(values.out, bytes);
    return info(values.out, [], io);
  });
}

async function info(file: string, hosts: string[], io: SitesIo): Promise<number> {
  const bytes = await readFile(file);
  if (isDelta(bytes)) {
    const { before, after, came, went } = siteDeltaInfo(bytes);
    io.out(`a change of ${bytes.length} bytes, from ${before} to ${after} names: ${came} came, ${went} went`);
    return 0;
  }
  const list = readSiteList(bytes);
  io.out(`a list of ${bytes.length} bytes with ${list.size} names`);
  for (const host of hosts) io.out(`${host}: ${list.find(host)[0] ?? 'not listed'}`);
  return 0;
}
