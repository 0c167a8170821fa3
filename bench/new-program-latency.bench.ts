import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, chown, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { getPriority, setPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { type LinuxOrigin, linuxOrigin } from '@porchlight/agent/os/linux/origin/program-origin.ts';
import { readExecutable, readStat } from '@porchlight/agent/os/linux/proc.ts';
import { processEvents } from '@porchlight/agent/os/linux/process-events.ts';
import { describeProcess } from '@porchlight/agent/os/linux/watch.ts';
import { median, type Row } from '@porchlight/dev/bench-row.ts';

const blocks = 8;
const startsInBlock = 25;
const starts = blocks * startsInBlock;
const peerStartsInBlock = 10;
/** Not a divisor of a second, so that starts fall on all phases of the peer's polling. */
const PEER_INTERVAL_MS = 97;
const peerName = 'a script that reads /proc each second';
/** As of the agent's service. */
const niceness = -5;
const userId = 4242;
const TIMEOUT_MS = 5000;
const requirement = 'root, no container, and a C compiler';

/** Prints the pid and the time in nanoseconds of each program right before its exec: the fork of this process alone takes longer. */
const launcherSource = `#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>
int main(void) {
  char line[4096], text[64];
  signal(SIGCHLD, SIG_IGN);
  while (fgets(line, sizeof line, stdin)) {
    if (fork()) continue;
    char *file = strtok(line, "\\t\\n"), *out = strtok(NULL, "\\t\\n");
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    int n = snprintf(text, sizeof text, "%d %lld\\n", getpid(), t.tv_sec * 1000000000LL + t.tv_nsec);
    write(1, text, n);
    execl(file, file, out, (char *)NULL);
    _exit(1);
  }
}
`;
const programSource = `#include <fcntl.h>
#include <unistd.h>
int main(int count, char **args) {
  int file = open(args[1], O_WRONLY | O_CREAT, 0644);
  write(file, "x\\n", 2);
  close(file);
  sleep(20);
}
`;
const compiler = '/usr/bin/cc';
const python = '/usr/bin/python3';
/** The shell script waits for a pipe: the event of a script that becomes another program within a millisecond is read too late. */
const scripts = {
  'a shell script': '#!/bin/sh\necho x >"$1"\nread line <"$1.pipe"\n',
  ...(existsSync(python)
    ? { 'a Python script': `#!${python}\nimport sys, time\nopen(sys.argv[1], "w").write("x")\ntime.sleep(20)\n` }
    : {}),
};

/** Measures how early a program from the internet is suspended, and whether it could write a line before. */
export async function bench(log: (line: string) => void): Promise<Row[]> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0 || !existsSync(compiler)) {
    log(`skipped: needs ${requirement}`);
    return [];
  }
  const root = await mkdtemp(join(tmpdir(), 'porchlight-bench-'));
  const priority = getPriority();
  setPriority(niceness);
  try {
    return await measureIn(root, log);
  } finally {
    setPriority(priority);
    await rm(root, { recursive: true, force: true });
  }
}

async function measureIn(root: string, log: (line: string) => void): Promise<Row[]> {
  const since = Date.now() - 1000;
  const [downloads, binary] = [join(root, 'home/mum/Downloads'), join(root, 'bin')];
  await Promise.all([mkdir(join(root, 'etc')), mkdir(binary), mkdir(downloads, { recursive: true })]);
  await writeFile(join(root, 'etc/passwd'), `mum:x:${userId}:${userId}::/home/mum:/bin/sh\n`);
  await Promise.all([root, join(root, 'home/mum'), downloads].map((path) => chown(path, userId, userId)));
  const origin = await linuxOrigin({
    ...{ root, onlyUid: null, stateFile: join(root, 'origins.json'), since: () => since, now: () => new Date() },
    failed: (why) => log(String(why)),
  });
  const launcher = join(binary, 'launcher');
  const programs: Record<string, string> = { 'a static C program': join(downloads, 'compiled') };
  compile(launcherSource, launcher);
  compile(programSource, join(downloads, 'compiled'));
  for (const [name, text] of Object.entries(scripts)) {
    const path = (programs[name] = join(downloads, name.replaceAll(' ', '-')));
    await writeFile(path, text);
    await chmod(path, 0o755);
  }
  await Promise.all(Object.values(programs).map((path) => chown(path, userId, userId)));
  await origin.refresh();
  execFileSync('mkfifo', [join(root, 'out.pipe')]);
  const own = await startOurs(origin, root);
  if (!own) {
    log(`skipped: needs ${requirement}`);
    origin.close();
    return [];
  }
  const starter = startLauncher(launcher);
  try {
    return await measureInTurns(own, starter, { programs, out: join(root, 'out') }, origin);
  } finally {
    starter.close();
    own.close();
    origin.close();
  }
}

function compile(source: string, target: string): void {
  execFileSync(compiler, ['-static', '-O2', '-w', '-x', 'c', '-', '-o', target], { input: source, stdio: ['pipe', 'ignore', 'ignore'] });
}

interface Ours {
  /** The time in milliseconds at which the process was in state T. */
  suspendedAt(pid: number): Promise<number>;
  /** Does the agent's part suspend programs now? */
  isOn: boolean;
  close(): void;
}

/** What the agent does for a new program: the kernel's event, the origin of the file, and SIGSTOP. */
async function startOurs(origin: LinuxOrigin, root: string): Promise<Ours | null> {
  const signaled = new Set<number>();
  const ours: Ours = {
    isOn: true,
    async suspendedAt(pid) {
      // The process takes the signal only when it has a processor.
      for (const deadline = performance.now() + TIMEOUT_MS; performance.now() < deadline; await setImmediate())
        if (signaled.has(pid) && readStat(pid)?.state === 'T') return performance.now();
      throw new Error('A program was not suspended.');
    },
    close: () => events?.close(),
  };
  const events = await processEvents(
    (pids) => {
      for (const pid of ours.isOn ? pids : []) {
        const launched = origin.of({ pid, path: readExecutable(pid) ?? '' });
        // Nothing but the programs of this benchmark is suspended.
        if (launched?.origin.from !== 'internet' || !launched.file.startsWith(root)) continue;
        process.kill(pid, 'SIGSTOP');
        signaled.add(pid);
      }
    },
    () => {},
  );
  return events && ours;
}

interface Launcher {
  /** Resolves with the pid and the time before exec, in milliseconds as of `performance.now`. */
  start(file: string, out: string): Promise<{ pid: number; at: number }>;
  end(pid: number): void;
  /** Ends all programs that still run, because a suspended one would never end. */
  close(): void;
}

function startLauncher(file: string): Launcher {
  const child = spawn('nice', ['-n', String(-niceness), file], { stdio: ['pipe', 'pipe', 'inherit'] });
  const toNow = performance.now() - Number(process.hrtime.bigint()) / 1e6;
  const lines: string[] = [];
  const running = new Set<number>();
  const end = (pid: number) => {
    if (running.delete(pid)) process.kill(pid, 'SIGKILL');
  };
  child.stdout.setEncoding('utf8').on('data', (text: string) => void lines.push(...text.split('\n').filter(Boolean)));
  return {
    async start(program, out) {
      child.stdin.write(`${program}\t${out}\n`);
      while (!lines.length) await setImmediate();
      const [pid = 0, nanoseconds] = (lines.shift() ?? '').split(' ').map(Number);
      running.add(pid);
      return { pid, at: (nanoseconds ?? Number.NaN) / 1e6 + toNow };
    },
    end,
    close() {
      for (const pid of running) end(pid);
      child.kill('SIGKILL');
    },
  };
}

async function measureInTurns(
  own: Ours,
  launcher: Launcher,
  files: { programs: Record<string, string>; out: string },
  origin: LinuxOrigin,
) {
  const latencies: Record<string, number[]> = {};
  const written: Record<string, number> = {};
  const costs: { ours: number[]; peers: number[] } = { ours: [], peers: [] };
  const peers: number[] = [];
  for (let block = 0; block < blocks; block++) {
    for (const [name, program] of Object.entries(files.programs)) {
      for (let n = 0; n < startsInBlock; n++) {
        const { pid, at } = await launcher.start(program, files.out);
        (latencies[name] ??= []).push((await own.suspendedAt(pid)) - at);
        written[name] = (written[name] ?? 0) + Number(existsSync(files.out));
        costsOf(pid, origin, costs);
        launcher.end(pid);
        await rm(files.out, { force: true });
      }
    }
    own.isOn = false;
    peers.push(...(await peerLatencies(launcher, files.programs['a static C program'] ?? '', files.out)));
    own.isOn = true;
  }
  return rowsOf(latencies, written, peers, costs);
}

/** Beside the origin of a program, the description that the agent reads of each program anyway. */
function costsOf(pid: number, origin: LinuxOrigin, costs: { ours: number[]; peers: number[] }): void {
  const stat = readStat(pid);
  if (!stat) return;
  const began = performance.now();
  const { path } = describeProcess(stat);
  const between = performance.now();
  origin.of({ pid, path });
  costs.ours.push((performance.now() - between) * 1000);
  costs.peers.push((between - began) * 1000);
}

/** Suspends programs by their name. */
const peerScript = `while :; do
  for folder in /proc/[0-9]*; do
    if read -r name <"$folder/comm" && [ "$name" = compiled ]; then kill -STOP "\${folder#/proc/}"; fi
  done
  sleep 1
done`;

async function peerLatencies(launcher: Launcher, program: string, out: string): Promise<number[]> {
  // A group of its own, so that its `sleep` ends with it.
  const shell = spawn('/bin/sh', ['-c', peerScript], { stdio: 'ignore', detached: true });
  try {
    const suspend = async () => {
      const { pid, at } = await launcher.start(program, out);
      while (readStat(pid)?.state !== 'T') await sleep(1);
      const latency = performance.now() - at;
      launcher.end(pid);
      return latency;
    };
    const pending: Promise<number>[] = [];
    for (let n = 0; n < peerStartsInBlock; n++) {
      pending.push(suspend());
      await sleep(PEER_INTERVAL_MS);
    }
    return await Promise.all(pending);
  } finally {
    process.kill(-(shell.pid ?? 0), 'SIGKILL');
    await once(shell, 'exit');
    await rm(out, { force: true });
  }
}

function rowsOf(
  latencies: Record<string, number[]>,
  written: Record<string, number>,
  peers: number[],
  costs: { ours: number[]; peers: number[] },
): Row[] {
  const rows = Object.entries(latencies).flatMap(([name, values]): Row[] => {
    const sorted = values.toSorted((a, b) => a - b);
    const p99 = sorted[Math.ceil(sorted.length * 0.99) - 1] ?? Number.NaN;
    const share = ((written[name] ?? 0) / values.length) * 100;
    const peer = { peer: peerName, peer_value: median(peers) };
    const noPeer = { peer: null, peer_value: null };
    return [
      { name: `exec until suspended, ${name}, median of ${starts}`, value: median(values), unit: 'ms', ...peer, aim: { at_most: 5 } },
      { name: `exec until suspended, ${name}, p99 of ${starts}`, value: p99, unit: 'ms', ...noPeer, aim: { at_most: 25 } },
      { name: `wrote a line before it was suspended, ${name}`, value: share, unit: '%', ...noPeer, aim: { at_most: 0 } },
    ];
  });
  rows.push({
    ...{ name: 'reading the origin of a program, median', value: median(costs.ours), unit: 'µs' },
    ...{ peer: 'reading its name and path', peer_value: median(costs.peers), aim: { at_most: 300 } },
  });
  return rows.map((row) => ({ ...row, needs: requirement }));
}
