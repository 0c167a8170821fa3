import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { copyFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { setPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { importList } from '@porchlight/definitions/importers/import-list.ts';
import { readKeep } from '@porchlight/definitions/importers/keep.ts';
import type { Row } from '@porchlight/dev/bench-row.ts';
import { type AgentProcess, type Resources, resourcesOf, startAgentProcess, startsSoFar } from './agent-process.ts';
import { peerName, startPeer } from './kill-latency-peer.ts';
import { lifetimesOf } from './kill-latency-starts.ts';
import { type Shipped, shipped } from './shipped.ts';

const data = ['../../shared/data', '../../../shared/data'].map((up) => new URL(`${up}/`, import.meta.url)).find((url) => existsSync(url));

const blocks = 8;
const startsInBlock = 50;
const starts = blocks * startsInBlock;
const otherProcesses = 300;
/** Prefix of the fake tool's name, so that the agent does not end a real tool. */
const mark = `bench-${process.pid}-`;
const listedName = `${mark}anydesk`;
const peersName = `peer-${process.pid}`;
/** A higher priority than the agent's, so that the benchmark's own waiting does not count. */
const niceness = -10;
const idleSeconds = 60;
/** A second; the peer starts another one, so the agent observes about two. */
const ownStarts = 1;

/** Measures how long a listed program runs until the agent ends it, and what an idle agent costs. */
export async function bench(log: (line: string) => void): Promise<Row[]> {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    log('skipped: what is shipped is started for real on Linux (x64) alone');
    return [];
  }
  if (process.getuid?.() === 0) setPriority(niceness);
  else log('not as root: the agent has no precedence, as it has as a service, and its figures are those of this computer’s load');
  const folder = await mkdtemp(join(tmpdir(), 'porchlight-bench-'));
  const otherChildren = Array.from({ length: otherProcesses }, () => spawn('/bin/sleep', ['3600'], { stdio: 'ignore' }));
  try {
    const files = { ours: join(folder, listedName), peers: join(folder, peersName) };
    for (const file of Object.values(files)) await copyFile('/bin/sleep', file);
    const program = await shipped(join(folder, 'program'), log);
    const sites = await publicSites(log);
    const rows: Row[] = [];
    for (const events of ['on', 'off'] as const) rows.push(...(await measure(program, events, files, sites, log)));
    return rows;
  } finally {
    for (const child of otherChildren) child.kill('SIGKILL');
    if (process.getuid?.() === 0) setPriority(0);
    await rm(folder, { recursive: true, force: true });
  }
}

const requirement = 'root or CAP_NET_ADMIN, and no container';

interface Files {
  ours: string;
  peers: string;
}

async function measure(program: Shipped, events: 'on' | 'off', files: Files, sites: Uint8Array | null, log: (line: string) => void) {
  const env = events === 'off' ? { AGENT_PROCESS_EVENTS: 'off' } : {};
  const agent = await startAgentProcess(program, { env, sites, mark });
  try {
    // Warm-up, not measured.
    await lifetimesOf(files.ours, 5);
    if (events === 'on' && agent.output().includes('a quarter of a second')) {
      log(`skipped: all rows with programs that the kernel tells of (they need ${requirement})`);
      return [];
    }
    const method = events === 'on' ? 'told by the kernel' : 'by looking';
    const aims = events === 'on' ? [5, 25] : [130, 260];
    const { main, filter, peer, churn } = await measureIdle(agent);
    const lifetimes = await measureInTurns(files);
    for (const [who, { fastest, slowest }] of Object.entries(lifetimes))
      log(`${method}, ${who}: fastest ${fastest.toFixed(1)} ms, slowest ${slowest.toFixed(1)} ms`);
    for (const [name, { megabytes, files: ofFiles }] of Object.entries({ 'main process': main, 'site filter': filter }))
      log(`${method}, ${name}: ${megabytes.toFixed(1)} MB in memory, ${ofFiles.toFixed(1)} MB of it pages of files that all of them share`);
    const { ours, peers } = lifetimes;
    const conditions = `of ${starts} among ${otherProcesses}, ${method}`;
    const list = sites ? '' : ', without sites';
    const idle = `of a core while idle, ${churn} programs and threads start a second, ${method}`;
    const rows = [
      atMost(`started until dead, median ${conditions}`, ours.median, 'ms', aims[0], peers.median),
      atMost(`started until dead, p99 ${conditions}`, ours.p99, 'ms', aims[1], peers.p99),
      atMost(idle, main.part, '%', events === 'on' ? 0.7 : 1.5, peer.part),
      atMost(`of a core while idle, its site filter, ${method}`, filter.part, '%', 0.5),
      atMost(`in memory while idle, ${method}${list}`, main.megabytes, 'MB', 100, peer.megabytes),
      atMost(`in memory while idle, its site filter, ${method}${list}`, filter.megabytes, 'MB', 80),
      atMost(`in memory while idle, both, shared pages once, ${method}${list}`, main.share + filter.share, 'MB', 125, peer.share),
    ];
    return events === 'on' ? rows.map((row) => ({ ...row, needs: requirement })) : rows;
  } finally {
    await agent.close();
  }
}

/** The agent and the peer in turns, under the same load; each ends only programs of its own name. */
async function measureInTurns(files: Files) {
  const [ours, peers]: [number[], number[]] = [[], []];
  for (let block = 0; block < blocks; block++) {
    ours.push(...(await lifetimesOf(files.ours, startsInBlock)));
    const peer = await startPeer(peersName);
    try {
      peers.push(...(await lifetimesOf(files.peers, startsInBlock)));
    } finally {
      await peer.close();
    }
  }
  return { ours: summary(ours), peers: summary(peers) };
}

function summary(lifetimes: number[]) {
  const sorted = lifetimes.toSorted((a, b) => a - b);
  const percentile = (share: number) => sorted[Math.ceil(sorted.length * share) - 1] ?? Number.NaN;
  return { fastest: sorted[0] ?? Number.NaN, median: percentile(0.5), p99: percentile(0.99), slowest: percentile(1) };
}

interface Idle extends Resources {
  /** Percent of a core. */
  part: number;
}

async function measureIdle(agent: AgentProcess): Promise<{ main: Idle; filter: Idle; peer: Idle; churn: string }> {
  const peer = await startPeer(peersName);
  try {
    await sleep(12_000);
    const processIds = [agent.pid, agent.filter, peer.pid] as const;
    const before = await Promise.all(processIds.map(resourcesOf));
    const startsBefore = await startsSoFar();
    for (let n = 0; n < idleSeconds * ownStarts; n++) {
      const shortProcess: ChildProcess = spawn('/bin/true', { stdio: 'ignore' });
      await Promise.all([once(shortProcess, 'exit'), sleep(1000 / ownStarts)]);
    }
    const churn = ((await startsSoFar()) - startsBefore) / idleSeconds;
    const idleOf = async (index: 0 | 1 | 2): Promise<Idle> => {
      const resources = await resourcesOf(processIds[index]);
      return { ...resources, part: ((resources.seconds - (before[index]?.seconds ?? 0)) / idleSeconds) * 100 };
    };
    return { main: await idleOf(0), filter: await idleOf(1), peer: await idleOf(2), churn: churn.toFixed(1) };
  } finally {
    await peer.close();
  }
}

const atMost = (name: string, value: number, unit: string, aim = Number.NaN, peer_value: number | null = null): Row => ({
  ...{ name, value, unit, peer_value },
  peer: peer_value === null ? null : peerName,
  aim: { at_most: aim },
});

/** Logs and returns null when the lists are not next to the repository. */
async function publicSites(log: (line: string) => void): Promise<Uint8Array | null> {
  if (!data) {
    log('without a list of sites: the public lists do not lie beside the repository');
    return null;
  }
  const text = gunzipSync(await readFile(new URL('scam-domains-public.txt.gz', data))).toString();
  const { list, report } = await importList([text], { format: 'plain', keep: await readKeep([]) });
  log(`a list of ${report.names} sites`);
  return list;
}
