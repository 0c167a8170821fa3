import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { gunzipSync } from 'node:zlib';
import { importList } from '@porchlight/definitions/importers/import-list.ts';
import { readKeep } from '@porchlight/definitions/importers/keep.ts';
import { readName } from '@porchlight/definitions/importers/list-line.ts';
import { shippedNeverBlock } from '@porchlight/definitions/shipped.ts';
import { findListed } from '@porchlight/definitions/sites/rules.ts';
import { applySiteDelta, diffSiteLists, siteDeltaInfo } from '@porchlight/definitions/sites/site-delta.ts';
import { buildSiteList, readSiteList, type SiteList } from '@porchlight/definitions/sites/site-list.ts';
import { median, type Row } from '@porchlight/dev/bench-row.ts';

const data = ['../../shared/data', '../../../shared/data'].map((up) => new URL(`${up}/`, import.meta.url)).find((url) => existsSync(url));
const peer = 'a plain Set of names';

export async function bench(log: (line: string) => void): Promise<Row[]> {
  if (!data) {
    log('skipped: the public lists do not lie beside the repository');
    return [];
  }
  const text = gunzipSync(await readFile(new URL('scam-domains-public.txt.gz', data))).toString();
  const popularHosts = await firstColumn('benign-domains.txt');
  const falsePositives = (await firstColumn('scam-list-false-positives.tsv')).slice(1);
  const harmlessHosts = [...popularHosts, ...falsePositives];
  const neverBlockedHosts = await readKeep([harmlessHosts.join('\n')]);
  const { list: bytes, report } = await importList([text], { format: 'plain', keep: neverBlockedHosts });
  log(`${report.names} names of ${report.lines} lines; refused ${report.refused_count}`);
  const names = text.trim().split('\n');
  const carelessImport = await importList([text, '\n', harmlessHosts.join('\n')], { format: 'plain', keep: neverBlockedHosts });
  const blockedHosts = harmlessHosts.filter((host) => findListed(host, readSiteList(carelessImport.list), shippedNeverBlock) !== null);
  log(`with ${harmlessHosts.length} harmless names put into the list, ${carelessImport.report.refused_count} lines were refused`);
  return [
    ...memory(bytes, text),
    ...loading(bytes, text),
    ...measureLookups(readSiteList(bytes), names),
    ...change(names, log),
    ...(await largeFile(names, log)),
    atMost('harmless sites stopped, of the 10,000 most visited and 419 that lists have wrongly', blockedHosts.length, 'sites', 0),
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

/** Bytes that the result of `make` occupies after garbage collection. */
function retainedBytes(make: () => unknown): number {
  const bytesBefore = settledMemory();
  const retained = make();
  const bytesAfter = settledMemory();
  if (retained === null) throw new Error('there is nothing to measure');
  return bytesAfter - bytesBefore;
}

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

function settledMemory(): number {
  for (let round = 0; round < 4; round++) collect();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

function memory(bytes: Uint8Array, text: string): Row[] {
  const size = readSiteList(bytes).size;
  const value = retainedBytes(() => readSiteList(bytes)) / size;
  const peer_value =
    retainedBytes(
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
  const value = median(Array.from({ length: 9 }, () => measure(() => readSiteList(bytes))));
  const peer_value = median(Array.from({ length: 5 }, () => measure(() => new Set(text.trim().split('\n')))));
  const common = { name: 'loading from bytes, with its checksum, median of 9', value, unit: 'ms' };
  return [
    { ...common, peer: null, peer_value: null, aim: { at_most: 1000 } },
    { ...common, peer, peer_value, aim: { ratio_at_most: 1 } },
  ];
}

function measure(work: () => unknown): number {
  const startedAt = performance.now();
  work();
  return performance.now() - startedAt;
}

const batch = 100;

/** Microseconds per lookup: the median of batches of a hundred hosts, with all their parent domains. */
function microsecondsPerLookup(hosts: string[], isListed: (host: string) => boolean): number {
  const rounds = Array.from({ length: Math.floor(hosts.length / batch) }, (_, at) => hosts.slice(at * batch, (at + 1) * batch));
  for (const host of hosts.slice(0, 20_000)) isListed(`${host}.x`);
  return median(
    rounds.map(
      (round) =>
        (measure(() => {
          for (const host of round) isListed(host);
        }) *
          1000) /
        batch,
    ),
  );
}

function measureLookups(list: SiteList, names: string[]): Row[] {
  const set = new Set(names);
  const inSet = (host: string) => {
    for (let start = 0; start >= 0; start = host.indexOf('.', start) + 1 || -1) if (set.has(host.slice(start))) return true;
    return false;
  };
  // Hosts in file order, unrelated to list order, so the CPU cache does not help. Strings are copies: a host in a real query is never the
  // same object as in the set.
  const sampledHosts = names.filter((_, at) => at % 5 === 0).map((name) => Buffer.from(name).toString());
  const kinds: [string, string[]][] = [
    ['a listed name', sampledHosts],
    ['a name that is not listed', sampledHosts.map((name) => `not-${name.slice(0, -1)}x`)],
    ['a host three labels below a listed name', sampledHosts.map((name) => `a.www.shop.${name}`)],
    ['a host three labels below a name that is not listed', sampledHosts.map((name) => `a.www.shop.not-${name.slice(0, -1)}x`)],
  ];
  return kinds.flatMap(([hostKind, hosts]) => {
    const common = { name: `looking up ${hostKind}, median`, value: microsecondsPerLookup(hosts, (host) => list.has(host)), unit: 'µs' };
    const peer_value = microsecondsPerLookup(hosts, inSet);
    return [
      { ...common, peer: null, peer_value: null, aim: { at_most: 1 } },
      { ...common, peer, peer_value, aim: { ratio_at_most: 1.5 } },
    ];
  });
}

function change(names: string[], log: (line: string) => void): Row[] {
  const changedCount = Math.floor(names.length / 100);
  const [oldList, newList] = [
    buildSiteList(names.slice(changedCount).filter(isListable)),
    buildSiteList(names.slice(0, -changedCount).filter(isListable)),
  ];
  const delta = diffSiteLists(oldList, newList);
  const { came, went } = siteDeltaInfo(delta);
  const duration = measure(() => applySiteDelta(oldList, delta));
  log(`a change with ${came} names that came and ${went} that went: ${delta.length} bytes, applied in ${duration.toFixed(0)} ms`);
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
      peer_value: newList.length,
      aim: { ratio_at_most: 0.02 },
    },
    { name: 'applying a change of 1 %', value: duration, unit: 'ms', peer: null, peer_value: null, aim: { at_most: 1000 } },
  ];
}

const isListable = (name: string) => 'host' in readName(name);

async function largeFile(names: string[], log: (line: string) => void): Promise<Row[]> {
  const megabytes = 50;
  const memoryBefore = settledMemory();
  let [sentBytes, mostMemory] = [0, 0];
  function* pieces() {
    for (let round = 0; sentBytes < megabytes * 2 ** 20; round++) {
      for (let index = 0; index < names.length && sentBytes < megabytes * 2 ** 20; index += 2000) {
        const piece = Buffer.from(
          names
            .slice(index, index + 2000)
            .map((name) => `||${round}-${name}^\n`)
            .join(''),
        );
        sentBytes += piece.length;
        const { heapUsed, arrayBuffers } = process.memoryUsage();
        mostMemory = Math.max(mostMemory, heapUsed + arrayBuffers - memoryBefore);
        yield piece;
      }
    }
  }
  const started = performance.now();
  const { report } = await importList(pieces(), { format: 'adblock', keep: new Set() });
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  mostMemory = Math.max(mostMemory, heapUsed + arrayBuffers - memoryBefore);
  log(`${report.names} names of ${megabytes} MB in ${((performance.now() - started) / 1000).toFixed(1)} s`);
  return [atMost(`memory for importing ${megabytes} MB, at most, uncollected included`, mostMemory / 2 ** 20, 'MB', 100)];
}
