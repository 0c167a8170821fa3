import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { readName } from '@porchlight/definitions/importers/list-line.ts';
import { median, type Row } from '@porchlight/dev/bench-row.ts';
import { aptInstall } from '@porchlight/dev/debian.ts';
import {
  type Memory,
  memoryOf,
  type NameServer,
  neverCachedZone,
  startDnsmasq,
  startSiteFilter,
  startUnbound,
  startUpstream,
} from './names/servers.ts';
import { shipped } from './shipped.ts';

const run = promisify(execFile);
const data = ['../../shared/data', '../../../shared/data'].map((up) => new URL(`${up}/`, import.meta.url)).find((url) => existsSync(url));
const rounds = 7;
const queryKinds = ['blocked', 'mixed', 'forwarded'];
const seconds = 1;

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
    const files = await questions(names, folder);
    const program = await shipped(join(folder, 'program'), log);
    servers.push(await startSiteFilter(program, names, upstream.port));
    for (const start of [startDnsmasq, startUnbound]) servers.push(await start(names, upstream.port, folder));
    await new Promise((resolve) => setTimeout(resolve, 8000));
    // At home a computer sends a few queries a minute.
    const atRest = servers.map(({ pid }) => memoryOf(pid));
    const speeds = await measureInTurns(servers, files);
    for (const [at, { name, pid }] of servers.entries()) {
      const speedText = speeds.map((serverSpeeds, kind) => `${Math.round(serverSpeeds[at] ?? 0)} a second ${queryKinds[kind]}`).join(', ');
      log(`${name}: ${speedText}; at rest ${memoryText(atRest[at])}; after the rounds ${memoryText(memoryOf(pid))}`);
    }
    return rows(names.length, servers, speeds, atRest);
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
 * Test queries, a file for each kind. Blocked: listed names, half of them with `www.`. Mixed: one of five is listed, and the others are soon
 * cached. Forwarded: names that no server may cache, so that each is looked up at the upstream.
 */
async function questions(names: string[], folder: string): Promise<string[]> {
  const step = Math.max(1, Math.floor(names.length / 50_000));
  // Names are shuffled, because neighbours in the list share cache lines.
  const sampledNames = names.filter((_, at) => at % step === 0).map((name, at) => [Math.imul(at, 0x9e3779b1) >>> 0, name] as const);
  const listedQueries = sampledNames.toSorted(([a], [b]) => a - b).map(([, name], at) => (at % 2 ? `www.${name}` : name));
  const mixedQueries = listedQueries.map((name, at) => (at % 5 === 0 ? name : `host${(at * 7) % 1000}.example.org`));
  const forwardedQueries = listedQueries.map((_, at) => `host${at}.${neverCachedZone}`);
  const files = queryKinds.map((kind) => join(folder, kind));
  for (const [at, queries] of [listedQueries, mixedQueries, forwardedQueries].entries())
    await writeFile(files[at] ?? '', queries.map((name) => `${name} A\n`).join(''));
  return files;
}

async function measureSpeed({ port, name }: NameServer, file: string, durationSeconds: number): Promise<number> {
  const args = [
    '-c',
    '1',
    'dnsperf',
    '-s',
    '127.0.0.1',
    '-p',
    String(port),
    '-d',
    file,
    '-l',
    String(durationSeconds),
    '-c',
    '4',
    '-q',
    '100',
  ];
  const { stdout } = await run('taskset', args);
  const speed = Number(/Queries per second:\s+([\d.]+)/.exec(stdout)?.[1]);
  const lost = Number(/Queries lost:\s+(\d+)/.exec(stdout)?.[1]);
  if (!(speed > 0) || lost > speed * durationSeconds * 0.01) throw new Error(`${name} lost ${lost} questions`);
  return speed;
}

async function measureInTurns(servers: NameServer[], files: string[]): Promise<number[][]> {
  const results = files.map(() => servers.map((): number[] => []));
  for (let round = 0; round < rounds; round++)
    for (const [fileIndex, file] of files.entries())
      for (const [at, server] of servers.entries()) results[fileIndex]?.[at]?.push(await measureSpeed(server, file, seconds));
  return results.map((perServer) => perServer.map(median));
}

function memoryText({ resident, own }: Memory = { resident: Number.NaN, own: Number.NaN }): string {
  return `${resident.toFixed(1)} MB resident, ${own.toFixed(1)} MB of it its own`;
}

function rows(count: number, servers: NameServer[], [blocked = [], mixed = [], forwarded = []]: number[][], atRest: Memory[]): Row[] {
  const speed = (queryKind: string, measuredSpeeds: number[], at: number, ratio_at_least: number): Row => ({
    ...{ name: `${queryKind} names, ${count} in the list, median of ${rounds}`, value: measuredSpeeds[0] ?? 0, unit: 'answers/s' },
    ...{ peer: servers[at]?.name ?? null, peer_value: measuredSpeeds[at] ?? null, aim: { ratio_at_least } },
  });
  const memory = (state: string, kind: keyof Memory, at: number, ratio_at_most: number): Row => ({
    ...{ name: `${state} at rest, names loaded`, value: atRest[0]?.[kind] ?? Number.NaN, unit: 'MB' },
    ...{ peer: servers[at]?.name ?? null, peer_value: atRest[at]?.[kind] ?? null, aim: { ratio_at_most } },
  });
  return [
    speed('blocked', blocked, 1, 2),
    speed('mixed', mixed, 1, 1),
    speed('blocked', blocked, 2, 0),
    speed('mixed', mixed, 2, 0),
    speed('forwarded', forwarded, 1, 1),
    speed('forwarded', forwarded, 2, 0.8),
    memory('resident memory', 'resident', 1, 1),
    memory('resident memory', 'resident', 2, 0.25),
    memory('memory of its own', 'own', 1, 1),
    memory('memory of its own', 'own', 2, 0.25),
  ];
}
