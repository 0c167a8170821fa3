import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { setPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { WATCH_MS } from '@porchlight/agent/protection/protection.ts';
import type { Row } from '@porchlight/dev/bench-row.ts';
import { type AgentProcess, resourcesOf, startAgentProcess, startsSoFar } from './agent-process.ts';
import { publicSites } from './public-sites.ts';
import { type Shipped, shipped } from './shipped.ts';

const starts = 200;
const otherProcesses = 300;
/** Prefix of the fake tool's name, so that the agent does not end a real tool. */
const mark = `bench-${process.pid}-`;
const listedName = `${mark}anydesk`;
/** A higher priority than the agent's, so that the benchmark's own waiting does not count. */
const niceness = -10;
const idleSeconds = 30;
const ownStarts = 2;

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
    const file = join(folder, listedName);
    await copyFile('/bin/sleep', file);
    const program = await shipped(join(folder, 'program'), log);
    const sites = await publicSites(log);
    const rows: Row[] = [];
    for (const events of ['on', 'off'] as const) rows.push(...(await measure(program, events, file, sites, log)));
    return rows;
  } finally {
    for (const child of otherChildren) child.kill('SIGKILL');
    if (process.getuid?.() === 0) setPriority(0);
    await rm(folder, { recursive: true, force: true });
  }
}

const requirement = 'root or CAP_NET_ADMIN, and no container';

async function measure(program: Shipped, events: 'on' | 'off', file: string, sites: Uint8Array | null, log: (line: string) => void) {
  const env = events === 'off' ? { AGENT_PROCESS_EVENTS: 'off' } : {};
  const agent = await startAgentProcess(program, { env, sites, mark });
  const { measureLifetime, close } = starter();
  try {
    // Warm-up, not measured.
    for (let n = 0; n < 5; n++) await measureLifetime(file);
    if (events === 'on' && agent.output().includes('a quarter of a second')) {
      log(`skipped: all rows with programs that the kernel tells of (they need ${requirement})`);
      return [];
    }
    const method = events === 'on' ? 'told by the kernel' : 'by looking';
    const aims = events === 'on' ? [5, 25] : [130, 260];
    const idleUse = await measureIdle(agent);
    const lifetimes: number[] = [];
    for (let n = 0; n < starts; n++) {
      lifetimes.push(await measureLifetime(file));
      await sleep((n * 37) % WATCH_MS);
    }
    lifetimes.sort((a, b) => a - b);
    const percentile = (share: number) => lifetimes[Math.min(starts - 1, Math.ceil(starts * share) - 1)] ?? Number.NaN;
    const conditions = `of ${starts} among ${otherProcesses}, ${method}`;
    const list = sites ? '' : ', without sites';
    const { main, filter, churn } = idleUse;
    log(`${method}: fastest ${lifetimes[0]?.toFixed(1)} ms, slowest ${lifetimes.at(-1)?.toFixed(1)} ms`);
    for (const [name, { megabytes, files }] of Object.entries({ 'main process': main, 'site filter': filter }))
      log(`${method}, ${name}: ${megabytes.toFixed(1)} MB in memory, ${files.toFixed(1)} MB of it pages of files that all of them share`);
    const rows = [
      atMost(`started until dead, median ${conditions}`, percentile(0.5), 'ms', aims[0]),
      atMost(`started until dead, p99 ${conditions}`, percentile(0.99), 'ms', aims[1]),
      atMost(`of a core while idle, ${churn} programs and threads start a second, ${method}`, main.part, '%', events === 'on' ? 0.5 : 1.5),
      atMost(`of a core while idle, its site filter, ${method}`, filter.part, '%', 0.5),
      atMost(`in memory while idle, ${method}${list}`, main.megabytes, 'MB', 80),
      atMost(`in memory while idle, its site filter, ${method}${list}`, filter.megabytes, 'MB', 80),
    ];
    return events === 'on' ? rows.map((row) => ({ ...row, needs: requirement })) : rows;
  } finally {
    close();
    await agent.close();
  }
}

interface Starter {
  /** Milliseconds from the start command to the exit. A program that nobody ends exits after 20 s. */
  measureLifetime(file: string): Promise<number>;
  close(): void;
}

/** One shell starts all programs: forking this large process would take longer than ending the program. */
function starter(): Starter {
  const loop = 'while read -r file; do "$file" 20; echo; done';
  const shell = spawn('/bin/sh', ['-c', loop], { stdio: ['pipe', 'pipe', 'ignore'] });
  return {
    async measureLifetime(file) {
      const startedAt = performance.now();
      shell.stdin.write(`${file}\n`);
      await once(shell.stdout, 'data');
      return performance.now() - startedAt;
    },
    close: () => void shell.kill('SIGKILL'),
  };
}

interface Idle {
  part: number;
  megabytes: number;
  files: number;
}

async function measureIdle({ pid, filter }: AgentProcess): Promise<{ main: Idle; filter: Idle; churn: string }> {
  await sleep(12_000);
  const usageBefore = [await resourcesOf(pid), await resourcesOf(filter)];
  const startsBefore = await startsSoFar();
  for (let n = 0; n < idleSeconds * ownStarts; n++) {
    const shortProcess: ChildProcess = spawn('/bin/true', { stdio: 'ignore' });
    await Promise.all([once(shortProcess, 'exit'), sleep(1000 / ownStarts)]);
  }
  const usageSince = async (processId: number, index: number): Promise<Idle> => {
    const { seconds, ...memory } = await resourcesOf(processId);
    return { part: ((seconds - (usageBefore[index]?.seconds ?? 0)) / idleSeconds) * 100, ...memory };
  };
  const churn = ((await startsSoFar()) - startsBefore) / idleSeconds;
  return { main: await usageSince(pid, 0), filter: await usageSince(filter, 1), churn: churn.toFixed(1) };
}

const atMost = (name: string, value: number, unit: string, aim = Number.NaN): Row => ({
  name,
  value,
  unit,
  peer: null,
  peer_value: null,
  aim: { at_most: aim },
});
