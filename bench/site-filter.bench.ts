import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { readName } from '@porchlight/definitions/importers/list-line.ts';
import { median, type Row } from '@porchlight/dev/bench-row.ts';
import { aptInstall } from '@porchlight/dev/debian.ts';
import { type Latency, type Memory, measureLatency, measureSpeed, memoryOf, type Speed } from './names/measure.ts';
import { type NameServer, startDnsmasq, startSiteFilter, startUnbound, startUpstream } from './names/servers.ts';
import { shipped } from './shipped.ts';

const data = ['../../shared/data', '../../../shared/data'].map((up) => new URL(`${up}/`, import.meta.url)).find((url) => existsSync(url));
const rounds = 7;
const queryKinds = ['blocked', 'cached', 'forwarded'] as const;
type QueryKind = (typeof queryKinds)[number];

/** For each kind of query and each server, in the order of the servers. */
type Measured<T> = Record<QueryKind, T[]>;

/** Compares the site filter with dnsmasq and unbound, in turns so that other load affects all three. */
export async function bench(log: (line: string) => void): Promise<Row[]> {
  const missingPrograms = findMissingPrograms();
  if (missingPrograms || !data) {
    log(`skipped: ${missingPrograms ?? 'the public lists do not lie beside the repository'}`);
    return [];
  }
  const text = gunzipSync(await readFile(new URL('scam-domains-public.txt.gz', data))).toString();
  const names = text
    .trim()
    .split('\n')
    .filter((name) => 'host' in readName(name));
  const folder = await mkdtemp(join(tmpdir(), 'porchlight-names-'));
  const upstream = await startUpstream(folder);
  const servers: NameServer[] = [];
  try {
    await writeQueries(names, folder);
    const program = await shipped(join(folder, 'program'), log);
    servers.push(await startSiteFilter(program, names, upstream.port));
    for (const start of [startDnsmasq, startUnbound]) servers.push(await start(names, upstream.port, folder));
    await new Promise((resolve) => setTimeout(resolve, 8000));
    // At home a computer sends a few queries a minute.
    const atRest = servers.map(({ pid }) => memoryOf(pid));
    const speeds = await inTurns(servers, median, (server, kind) => measureSpeed(server, join(folder, kind)));
    const latencies = await inTurns(servers, lowest, (server, kind) => measureLatency(server, join(folder, kind)));
    for (const [at, { name, pid }] of servers.entries()) {
      for (const kind of queryKinds) log(`${name}, ${kind}: ${speedText(speeds[kind][at])}; ${latencyText(latencies[kind][at])}`);
      log(`${name}: at rest ${memoryText(atRest[at])}; after the rounds ${memoryText(memoryOf(pid))}`);
    }
    return [...speedRows(names.length, servers, speeds), ...latencyRows(servers, latencies), ...memoryRows(servers, atRest)];
  } finally {
    await upstream.stop();
    for (const server of servers) await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

function findMissingPrograms(): string | null {
  for (const [file, name] of [
    ['/usr/bin/dnsperf', 'dnsperf'],
    ['/usr/sbin/dnsmasq', 'dnsmasq-base'],
    ['/usr/sbin/unbound', 'unbound'],
  ] as const)
    if (!existsSync(file) && !aptInstall(name)) return `${name} is not there and could not be installed`;
  return null;
}

/**
 * Writes the queries, a file for each kind. Blocked: listed names, half of them with `www.`. Cached: names that are on no list and soon in
 * each server's cache. Forwarded: names that no server may cache, so that each is looked up at the upstream.
 */
async function writeQueries(names: string[], folder: string): Promise<void> {
  const step = Math.max(1, Math.floor(names.length / 50_000));
  // Names are shuffled, because neighbours in the list share cache lines.
  const sampledNames = names.filter((_, at) => at % step === 0).map((name, at) => [Math.imul(at, 0x9e3779b1) >>> 0, name] as const);
  const blocked = sampledNames.toSorted(([a], [b]) => a - b).map(([, name], at) => (at % 2 ? `www.${name}` : name));
  const queries: Record<QueryKind, string[]> = {
    blocked,
    cached: blocked.map((_, at) => `host${(at * 7) % 1000}.example.org`),
    forwarded: blocked.map((_, at) => `host${at}.never-cached.example`),
  };
  for (const kind of queryKinds) await writeFile(join(folder, kind), queries[kind].map((name) => `${name} A\n`).join(''));
}

/** Of the latency the quietest round counts: the load of other programs adds to it, and never takes from it. */
const lowest = (values: number[]) => Math.min(...values);

/** Measures each kind at each server in each round, and sums up each number of all rounds by `summary`. The first server of a round changes, as each follows what the former left behind. */
async function inTurns<T extends Speed | Latency>(
  servers: NameServer[],
  summary: (rounds: number[]) => number,
  measure: (server: NameServer, kind: QueryKind) => Promise<T>,
): Promise<Measured<T>> {
  const results = Object.fromEntries(queryKinds.map((kind) => [kind, servers.map((): T[] => [])])) as Measured<T[]>;
  for (let round = 0; round < rounds; round++)
    for (const kind of queryKinds)
      for (const step of servers.keys()) {
        const at = (round + step) % servers.length;
        const server = servers[at];
        if (server) results[kind][at]?.push(await measure(server, kind));
      }
  const summaryOf = (perRound: T[]): T => {
    const fields = Object.keys(perRound[0] ?? {}) as (keyof T)[];
    return Object.fromEntries(fields.map((field) => [field, summary(perRound.map((result) => Number(result[field])))])) as unknown as T;
  };
  return Object.fromEntries(queryKinds.map((kind) => [kind, results[kind].map(summaryOf)])) as Measured<T>;
}

function speedText({ perSecond, perProcessorSecond, busy }: Speed = { perSecond: 0, perProcessorSecond: 0, busy: 0 }): string {
  const [speed, processorSpeed] = [perSecond, perProcessorSecond].map(Math.round);
  return `${speed} a second, ${processorSpeed} a second of processor time, of which it had ${Math.round(busy * 100)} %`;
}

function latencyText({ median: middle, p95 }: Latency = { median: Number.NaN, p95: Number.NaN }): string {
  return `at 500 a second ${Math.round(middle)} µs, p95 ${Math.round(p95)} µs`;
}

function memoryText({ resident, own }: Memory = { resident: Number.NaN, own: Number.NaN }): string {
  return `${resident.toFixed(1)} MB resident, ${own.toFixed(1)} MB of it its own`;
}

/**
 * Each kind twice: as answered in a second, and by the processor time that it took. Only the second is fair on a busy computer, which does
 * not give each server the same share of the processor.
 */
function speedRows(count: number, servers: NameServer[], speeds: Measured<Speed>): Row[] {
  const units = { perSecond: 'answers/s', perProcessorSecond: 'answers/s of processor time' } as const;
  const row = (kind: QueryKind, field: keyof typeof units, at: number, ratio_at_least: number): Row => ({
    ...{ name: `${kind} names, ${count} in the list, median of ${rounds}`, value: speeds[kind][0]?.[field] ?? 0, unit: units[field] },
    ...{ peer: servers[at]?.name ?? null, peer_value: speeds[kind][at]?.[field] ?? null, aim: { ratio_at_least } },
  });
  const fields = ['perSecond', 'perProcessorSecond'] as const;
  // Node reads and sends each datagram by itself; a computer at home asks less in a year than the benchmark in a minute.
  return queryKinds.flatMap((kind) => [
    ...fields.map((field) => row(kind, field, 1, kind === 'forwarded' ? 1 : 0.35)),
    ...fields.map((field) => row(kind, field, 2, kind === 'forwarded' ? 0.8 : 0.35)),
  ]);
}

/** Beside the slower of the two others, which people run at home without noticing it. */
function latencyRows(servers: NameServer[], latencies: Measured<Latency>): Row[] {
  return queryKinds.map((kind) => {
    const [own, ...others] = latencies[kind].map(({ median: middle }) => middle);
    const slowest = Math.max(...others);
    return {
      ...{
        name: `latency of ${kind} names at 500 a second, median of the quietest of ${rounds} rounds`,
        value: own ?? Number.NaN,
        unit: 'µs',
        peer_value: slowest,
      },
      ...{ peer: servers[others.indexOf(slowest) + 1]?.name ?? null, aim: { ratio_at_most: 1 } },
    };
  });
}

function memoryRows(servers: NameServer[], atRest: Memory[]): Row[] {
  const row = (state: string, kind: keyof Memory, at: number, ratio_at_most: number): Row => ({
    ...{ name: `${state} at rest, names loaded`, value: atRest[0]?.[kind] ?? Number.NaN, unit: 'MB' },
    ...{ peer: servers[at]?.name ?? null, peer_value: atRest[at]?.[kind] ?? null, aim: { ratio_at_most } },
  });
  return [
    // Some 40 MB of it are pages of the executable, which the agent shares and the system can take back at any time.
    row('resident memory', 'resident', 1, 2.5),
    row('resident memory', 'resident', 2, 0.6),
    row('memory of its own', 'own', 1, 1),
    row('memory of its own', 'own', 2, 0.25),
  ];
}
