import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { setPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { WATCH_MS } from '@porchlight/agent/protection/protection.ts';
import type { Row } from '@porchlight/dev/bench-row.ts';
import { type AgentProcess, startAgentProcess, startsSoFar, usedBy } from './agent-process.ts';
import { publicSites } from './public-sites.ts';
import { type Shipped, shipped } from './shipped.ts';

const starts = 200;
const others = 300;
/** The file of a remote-control program, by whose name alone it is known. Nobody's real one is ended: the names in the catalogue are not the real ones either. */
const mark = `bench-${process.pid}-`;
const listed = `${mark}anydesk`;
/** Who watches comes before whom it watches: how long it would have to wait itself is none of the figures. */
const watching = -10;
/** How long it is watched doing nothing, and how many programs we start in each second of it; others start more. */
const idleSeconds = 30;
const ours = 2;

/** How long a listed program lives from its start to its end, among others, and what the agent costs while nothing happens. */
export async function bench(log: (line: string) => void): Promise<Row[]> {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    log('skipped: what is shipped is started for real on Linux (x64) alone');
    return [];
  }
  if (process.getuid?.() === 0) setPriority(watching);
  else log('not as root: the agent has no precedence, as it has as a service, and its figures are those of this computer’s load');
  const folder = await mkdtemp(join(tmpdir(), 'porchlight-bench-'));
  const crowd = Array.from({ length: others }, () => spawn('/bin/sleep', ['3600'], { stdio: 'ignore' }));
  try {
    const file = join(folder, listed);
    await copyFile('/bin/sleep', file);
    const program = await shipped(join(folder, 'program'), log);
    const sites = await publicSites(log);
    const rows: Row[] = [];
    for (const events of ['on', 'off'] as const) rows.push(...(await measure(program, events, file, sites, log)));
    return rows;
  } finally {
    for (const child of crowd) child.kill('SIGKILL');
    if (process.getuid?.() === 0) setPriority(0);
    await rm(folder, { recursive: true, force: true });
  }
}

const needs = 'root or CAP_NET_ADMIN, and no container';

async function measure(program: Shipped, events: 'on' | 'off', file: string, sites: Uint8Array | null, log: (line: string) => void) {
  const env = events === 'off' ? { AGENT_PROCESS_EVENTS: 'off' } : {};
  const agent = await startAgentProcess(program, { env, sites, mark });
  const { lifeOf, close } = starter();
  try {
    // What it needs only once is over by then.
    for (let n = 0; n < 5; n++) await lifeOf(file);
    if (events === 'on' && agent.said().includes('a quarter of a second')) {
      log(`skipped: all rows with programs that the kernel tells of (they need ${needs})`);
      return [];
    }
    const how = events === 'on' ? 'told by the kernel' : 'by looking';
    const aims = events === 'on' ? [5, 25] : [130, 260];
    const idle = await idling(agent);
    const lives: number[] = [];
    for (let n = 0; n < starts; n++) {
      lives.push(await lifeOf(file));
      // Each at another moment of the rhythm in which it is looked.
      await sleep((n * 37) % WATCH_MS);
    }
    lives.sort((a, b) => a - b);
    const at = (part: number) => lives[Math.min(starts - 1, Math.ceil(starts * part) - 1)] ?? Number.NaN;
    const among = `of ${starts} among ${others}, ${how}`;
    const list = sites ? '' : ', without sites';
    const { main, filter, churn } = idle;
    log(`${how}: fastest ${lives[0]?.toFixed(1)} ms, slowest ${lives.at(-1)?.toFixed(1)} ms`);
    for (const [name, { megabytes, files }] of Object.entries({ 'main process': main, 'site filter': filter }))
      log(`${how}, ${name}: ${megabytes.toFixed(1)} MB in memory, ${files.toFixed(1)} MB of it pages of files that all of them share`);
    const rows = [
      atMost(`started until dead, median ${among}`, at(0.5), 'ms', aims[0]),
      atMost(`started until dead, p99 ${among}`, at(0.99), 'ms', aims[1]),
      atMost(`of a core while idle, ${churn} programs and threads start a second, ${how}`, main.part, '%', events === 'on' ? 0.5 : 1.5),
      atMost(`of a core while idle, its site filter, ${how}`, filter.part, '%', 0.5),
      atMost(`in memory while idle, ${how}${list}`, main.megabytes, 'MB', 80),
      atMost(`in memory while idle, its site filter, ${how}${list}`, filter.megabytes, 'MB', 80),
    ];
    return events === 'on' ? rows.map((row) => ({ ...row, needs })) : rows;
  } finally {
    close();
    await agent.close();
  }
}

interface Starter {
  /** From the word to start it to the moment when its end is told to us; milliseconds. One that nobody ends lives for 20 s. */
  lifeOf(file: string): Promise<number>;
  close(): void;
}

/** Starts programs by way of a shell, which is there already: to copy this process for each would take longer than to end it. */
function starter(): Starter {
  const loop = 'while read -r file; do "$file" 20; echo; done';
  const shell = spawn('/bin/sh', ['-c', loop], { stdio: ['pipe', 'pipe', 'ignore'] });
  return {
    async lifeOf(file) {
      const before = performance.now();
      shell.stdin.write(`${file}\n`);
      await once(shell.stdout, 'data');
      return performance.now() - before;
    },
    close: () => void shell.kill('SIGKILL'),
  };
}

interface Idle {
  /** Percent of a core. */
  part: number;
  megabytes: number;
  files: number;
}

/** What the agent and its site filter use while programs that are none of its business come and go. */
async function idling({ pid, filter }: AgentProcess): Promise<{ main: Idle; filter: Idle; churn: string }> {
  // Until memory that it needed at the start is given back.
  await sleep(12_000);
  const before = [await usedBy(pid), await usedBy(filter)];
  const startsBefore = await startsSoFar();
  for (let n = 0; n < idleSeconds * ours; n++) {
    const passing: ChildProcess = spawn('/bin/true', { stdio: 'ignore' });
    await Promise.all([once(passing, 'exit'), sleep(1000 / ours)]);
  }
  const since = async (of: number, at: number): Promise<Idle> => {
    const { seconds, ...memory } = await usedBy(of);
    return { part: ((seconds - (before[at]?.seconds ?? 0)) / idleSeconds) * 100, ...memory };
  };
  const churn = ((await startsSoFar()) - startsBefore) / idleSeconds;
  return { main: await since(pid, 0), filter: await since(filter, 1), churn: churn.toFixed(1) };
}

const atMost = (name: string, value: number, unit: string, aim = Number.NaN): Row => ({
  name,
  value,
  unit,
  peer: null,
  peer_value: null,
  aim: { at_most: aim },
});
