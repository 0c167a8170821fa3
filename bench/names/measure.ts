import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
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

/** Sends as many queries of `file` as the server answers, for a second. */
export async function measureSpeed(server: NameServer, file: string): Promise<Speed> {
  const [processorBefore, startedAt] = [processorSeconds(server.pid), performance.now()];
  const output = await dnsperf(server, file, ['-c', '4', '-q', '100']);
  const [processor, elapsed] = [processorSeconds(server.pid) - processorBefore, (performance.now() - startedAt) / 1000];
  return {
    perSecond: numberAfter('Queries per second', output),
    perProcessorSecond: numberAfter('Queries completed', output) / processor,
    busy: processor / elapsed,
  };
}

/** Sends 500 queries of `file` in a second, so that each finds the server idle. */
export async function measureLatency(server: NameServer, file: string): Promise<Latency> {
  const output = await dnsperf(server, file, ['-c', '1', '-Q', '500', '-v']);
  const latencies = [...output.matchAll(/^> NOERROR \S+ \S+ ([\d.]+)$/gm)].map(([, seconds]) => Number(seconds) * 1e6);
  const sorted = latencies.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.ceil(sorted.length * share) - 1] ?? Number.NaN;
  return { median: at(0.5), p95: at(0.95) };
}

/** What dnsperf prints of `file` sent to a server. Throws when more than one query of a hundred has no answer. */
async function dnsperf({ port, name }: NameServer, file: string, options: string[]): Promise<string> {
  const target = ['-s', '127.0.0.1', '-p', String(port), '-d', file, '-l', '1'];
  const [program = '', ...args] = [...otherPinCommand, 'dnsperf', ...target, ...options];
  const { stdout } = await run(program, args, { maxBuffer: 2 ** 26 });
  const [answered, lost] = [numberAfter('Queries completed', stdout), numberAfter('Queries lost', stdout)];
  if (!(answered > 0) || lost > answered * 0.01) throw new Error(`${name} answered ${answered} queries and lost ${lost}`);
  return stdout;
}

const numberAfter = (title: string, output: string) => Number(new RegExp(`${title}:\\s+([\\d.]+)`).exec(output)?.[1]);

/** Seconds of processor time of a process and its threads, also in system calls. */
function processorSeconds(pid: number): number {
  const nanoseconds = readdirSync(`/proc/${pid}/task`).map((thread) =>
    Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]),
  );
  return nanoseconds.reduce((total, ofThread) => total + ofThread, 0) / 1e9;
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
