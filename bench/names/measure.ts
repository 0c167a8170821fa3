import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { type NameServer, otherPinCommand } from './servers.ts';

const run = promisify(execFile);

/** Of one round. `busy`: the part of a processor that the server had. */
export interface Speed {
  perSecond: number;
  perProcessorSecond: number;
  busy: number;
}

/** Microseconds. */
export interface Latency {
  median: number;
  p95: number;
}

const askedPerSecond = 500;

/** Sends as many queries of `file` as the server answers, for a second. */
export async function measureSpeed({ port, pid, name }: NameServer, file: string): Promise<Speed> {
  const [processorBefore, startedAt] = [processorSeconds(pid), performance.now()];
  const output = await dnsperf(port, file, ['-l', '1', '-c', '4', '-q', '100']);
  const [processor, elapsed] = [processorSeconds(pid) - processorBefore, (performance.now() - startedAt) / 1000];
  const [answered, perSecond] = [numberAfter('Queries completed', output), numberAfter('Queries per second', output)];
  if (!(perSecond > 0) || numberAfter('Queries lost', output) > answered * 0.01) throw new Error(`${name} lost queries: ${output}`);
  return { perSecond, perProcessorSecond: answered / processor, busy: processor / elapsed };
}

/** Sends 500 queries in a second, so that each finds the server idle. */
export async function measureLatency({ port, name }: NameServer, file: string, priority: Priority): Promise<Latency> {
  const output = await dnsperf(port, file, ['-l', '1', '-c', '1', '-Q', String(askedPerSecond), '-v'], priority);
  const latencies = [...output.matchAll(/^> NOERROR \S+ \S+ ([\d.]+)$/gm)].map(([, seconds]) => Number(seconds) * 1e6);
  if (latencies.length < askedPerSecond * 0.9) throw new Error(`${name} answered ${latencies.length} of ${askedPerSecond} queries`);
  const sorted = latencies.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.ceil(sorted.length * share) - 1] ?? Number.NaN;
  return { median: at(0.5), p95: at(0.95) };
}

/** A prefix of a command, by which it goes before all programs of others; empty where the system does not allow that. */
type Priority = string[];

/**
 * Runs `work` while these servers go before all other programs, where the system allows it, so that the load of others is not measured.
 * Only for a small load: a large one would starve all others.
 */
export async function beforeOthers<T>(servers: NameServer[], work: (priority: Priority) => Promise<T>): Promise<T> {
  if (spawnSync('chrt', ['-f', '2', 'true']).status !== 0) return work([]);
  const schedule = (...policy: string[]) => {
    for (const { pid } of servers) execFileSync('chrt', ['-a', '-p', ...policy, String(pid)]);
  };
  schedule('-f', '2');
  try {
    return await work(['chrt', '-f', '1']);
  } finally {
    schedule('-o', '0');
  }
}

async function dnsperf(port: number, file: string, options: string[], priority: Priority = []): Promise<string> {
  const [program = '', ...args] = [
    ...priority,
    ...otherPinCommand,
    'dnsperf',
    '-s',
    '127.0.0.1',
    '-p',
    String(port),
    '-d',
    file,
    ...options,
  ];
  return (await run(program, args, { maxBuffer: 2 ** 26 })).stdout;
}

const numberAfter = (title: string, output: string) => Number(new RegExp(`${title}:\\s+([\\d.]+)`).exec(output)?.[1]);

/** Seconds of processor time of a process and its threads, also in system calls. */
function processorSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** Megabytes of a process: `own` is freed when it ends, the rest are file pages that processes share. */
export interface Memory {
  resident: number;
  own: number;
}

export function memoryOf(pid: number): Memory {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  const fieldOf = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? Number.NaN) / 1024;
  return { resident: fieldOf('Rss'), own: fieldOf('Private_Clean') + fieldOf('Private_Dirty') };
}
