import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { gunzipSync } from 'node:zlib';
import { importList } from '@porchlight/definitions/importers/import-list.ts';
import { readKeep } from '@porchlight/definitions/importers/keep.ts';
import { readName } from '@porchlight/definitions/importers/list-line.ts';
import { findListed } from '@porchlight/definitions/sites/rules.ts';
import { applySiteDelta, diffSiteLists, siteDeltaInfo } from '@porchlight/definitions/sites/site-delta.ts';
import { buildSiteList, readSiteList, type SiteList } from '@porchlight/definitions/sites/site-list.ts';
import { median, type Row } from '@porchlight/dev/bench-row.ts';

const data = ['../../shared/data', '../../../shared/data'].map((up) => new URL(`${up}/`, import.meta.url)).find((url) => existsSync(url));
const peer = 'a plain Set of names';

/** Public lists as an operator imports them: how large, how fast, and whom it must not stop. */
export async function bench(log: (line: string) => void): Promise<Row[]> {
  if (!data) {
    log('skipped: the public lists do not lie beside the repository');
    return [];
  }
  const text = gunzipSync(await readFile(new URL('scam-domains-public.txt.gz', data))).toString();
  const visited = await firstColumn('benign-domains.txt');
  const mistaken = (await firstColumn('scam-list-false-positives.tsv')).slice(1);
  const harmless = [...visited, ...mistaken];
  const keep = await readKeep([harmless.join('\n')]);
  const { list: bytes, report } = await importList([text], { format: 'plain', keep });
  log(`${report.names} names of ${report.lines} lines; refused ${report.refused_count}`);
  const names = text.trim().split('\n');
  // Lists as they come: with the names in them that they should not have.
  const careless = await importList([text, '\n', harmless.join('\n')], { format: 'plain', keep });
  const stopped = harmless.filter((host) => findListed(host, readSiteList(careless.list)) !== null);
  log(`with ${harmless.length} harmless names put into the list, ${careless.report.refused_count} lines were refused`);
  return [
    ...memory(bytes, text),
    ...loading(bytes, text),
    ...lookUps(readSiteList(bytes), names),
    ...change(names, log),
    ...(await largeFile(names, log)),
    atMost('harmless sites stopped, of the 10,000 most visited and 419 that lists have wrongly', stopped.length, 'sites', 0),
  ];
}

async function firstColumn(file: string): Promise<string[]> {
  const lines = (await readFile(new URL(file, data), 'utf8')).trim().split('\n');
  return lines.map((line) => line.split('\t')[0] ?? '');
}

const atMost = (name: string, value: number, unit: string, at_most: number): Row => ({
  name,
  value,
  unit,
  peer: null,
  peer_value: null,
  aim: { at_most },
});

/** What is held after everything else was let go, in bytes. */
function held(make: () => unknown): number {
  const before = settled();
  const kept = make();
  const after = settled();
  if (kept === null) throw new Error('there is nothing to measure');
  return after - before;
}

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

function settled(): number {
  for (let round = 0; round < 4; round++) collect();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

function memory(bytes: Uint8Array, text: string): Row[] {
  const size = readSiteList(bytes).size;
  const value = held(() => readSiteList(bytes)) / size;
  const peer_value =
    held(
      () =>
        new Set(
          text
            .trim()
            .split('\n')
            .map((name) => Buffer.from(name).toString()),
        ),
    ) / size;
  const common = { name: `bytes a name in memory, ${size} names`, value, unit: 'bytes' };
  return [
    { ...common, peer: null, peer_value: null, aim: { at_most: 13 } },
    { ...common, peer, peer_value, aim: { ratio_at_most: 0.25 } },
  ];
}

function loading(bytes: Uint8Array, text: string): Row[] {
  const value = median(Array.from({ length: 9 }, () => timed(() => readSiteList(bytes))));
  const peer_value = median(Array.from({ length: 5 }, () => timed(() => new Set(text.trim().split('\n')))));
  const common = { name: 'loading from bytes, with its checksum, median of 9', value, unit: 'ms' };
  return [
    { ...common, peer: null, peer_value: null, aim: { at_most: 1000 } },
    { ...common, peer, peer_value, aim: { ratio_at_most: 1 } },
  ];
}

function timed(work: () => unknown): number {
  const before = performance.now();
  work();
  return performance.now() - before;
}

const batch = 100;

/** Microseconds a look-up: the median of batches of a hundred different hosts, every name above each host looked for. */
function each(hosts: string[], has: (host: string) => boolean): number {
  const rounds = Array.from({ length: Math.floor(hosts.length / batch) }, (_, at) => hosts.slice(at * batch, (at + 1) * batch));
  for (const host of hosts.slice(0, 20_000)) has(`${host}.x`);
  return median(
    rounds.map(
      (round) =>
        (timed(() => {
          for (const host of round) has(host);
        }) *
          1000) /
        batch,
    ),
  );
}

function lookUps(list: SiteList, names: string[]): Row[] {
  const set = new Set(names);
  const inSet = (host: string) => {
    for (let from = 0; from >= 0; from = host.indexOf('.', from) + 1 || -1) if (set.has(host.slice(from))) return true;
    return false;
  };
  // Neighbours in the file are strangers in the list, so that no look-up finds its place warm.
  // Copies, because a host that is asked for comes as a text of its own and not as the one that is in the set.
  const some = names.filter((_, at) => at % 5 === 0).map((name) => Buffer.from(name).toString());
  const kinds: [string, string[]][] = [
    ['a listed name', some],
    ['a name that is not listed', some.map((name) => `not-${name.slice(0, -1)}x`)],
    ['a host three labels below a listed name', some.map((name) => `a.www.shop.${name}`)],
    ['a host three labels below a name that is not listed', some.map((name) => `a.www.shop.not-${name.slice(0, -1)}x`)],
  ];
  return kinds.flatMap(([what, hosts]) => {
    const common = { name: `looking up ${what}, median`, value: each(hosts, (host) => list.has(host)), unit: 'µs' };
    const peer_value = each(hosts, inSet);
    return [
      { ...common, peer: null, peer_value: null, aim: { at_most: 1 } },
      { ...common, peer, peer_value, aim: { ratio_at_most: 1.5 } },
    ];
  });
}

/** A day of a public list: one name of a hundred goes, as many come. */
function change(names: string[], log: (line: string) => void): Row[] {
  const few = Math.floor(names.length / 100);
  const [old, next] = [buildSiteList(names.slice(few).filter(listable)), buildSiteList(names.slice(0, -few).filter(listable))];
  const delta = diffSiteLists(old, next);
  const { came, went } = siteDeltaInfo(delta);
  const took = timed(() => applySiteDelta(old, delta));
  log(`a change with ${came} names that came and ${went} that went: ${delta.length} bytes, applied in ${took.toFixed(0)} ms`);
  return [
    {
      name: 'a change of 1 %, bytes a changed name',
      value: delta.length / (came + went),
      unit: 'bytes',
      peer: null,
      peer_value: null,
      aim: { at_most: 8 },
    },
    {
      name: 'a change of 1 % beside the whole list',
      value: delta.length,
      unit: 'bytes',
      peer: 'the whole list',
      peer_value: next.length,
      aim: { ratio_at_most: 0.02 },
    },
    { name: 'applying a change of 1 %', value: took, unit: 'ms', peer: null, peer_value: null, aim: { at_most: 1000 } },
  ];
}

const listable = (name: string) => 'host' in readName(name);

/** A list of 50 MB in pieces as they come from a disk: what it takes beside the program itself. */
async function largeFile(names: string[], log: (line: string) => void): Promise<Row[]> {
  const megabytes = 50;
  const before = settled();
  let [sent, most] = [0, 0];
  function* pieces() {
    for (let round = 0; sent < megabytes * 2 ** 20; round++) {
      for (let at = 0; at < names.length && sent < megabytes * 2 ** 20; at += 2000) {
        const piece = Buffer.from(
          names
            .slice(at, at + 2000)
            .map((name) => `||${round}-${name}^\n`)
            .join(''),
        );
        sent += piece.length;
        const { heapUsed, arrayBuffers } = process.memoryUsage();
        most = Math.max(most, heapUsed + arrayBuffers - before);
        yield piece;
      }
    }
  }
  const started = performance.now();
  const { report } = await importList(pieces(), { format: 'adblock', keep: new Set() });
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  most = Math.max(most, heapUsed + arrayBuffers - before);
  log(`${report.names} names of ${megabytes} MB in ${((performance.now() - started) / 1000).toFixed(1)} s`);
  return [atMost(`memory for importing ${megabytes} MB, at most, uncollected included`, most / 2 ** 20, 'MB', 100)];
}
