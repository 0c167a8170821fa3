import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';

interface Process {
  pid: number;
  parent: number;
  /** Start time, which distinguishes a process from a later process with the same number. */
  started: string;
}

export function descendantsOf(rootPid: number, allProcesses = processes()): Process[] {
  const children = allProcesses.filter(({ parent }) => parent === rootPid);
  return [...children, ...children.flatMap(({ pid }) => descendantsOf(pid, allProcesses))];
}

/**
 * Ends all descendants: SIGTERM first, so that databases close their files, then SIGKILL after `grace` milliseconds. Includes processes
 * that lose their parent meanwhile.
 */
export async function endDescendants(rootPid: number, grace = 5_000): Promise<void> {
  if (process.platform === 'win32') {
    for (const { pid } of descendantsOf(rootPid)) spawnSync('taskkill', ['/PID', String(pid), '/T', '/F']);
    return;
  }
  const knownProcesses = new Map<string, Process>();
  const deadline = Date.now() + grace;
  for (;;) {
    const allProcesses = processes();
    const alive = new Set(allProcesses.map(keyOf));
    for (const [key] of knownProcesses) if (!alive.has(key)) knownProcesses.delete(key);
    const descendants = [rootPid, ...[...knownProcesses.values()].map(({ pid }) => pid)].flatMap((pid) => descendantsOf(pid, allProcesses));
    for (const descendant of descendants) {
      if (knownProcesses.has(keyOf(descendant))) continue;
      knownProcesses.set(keyOf(descendant), descendant);
      signal(descendant.pid, 'SIGTERM');
    }
    if (knownProcesses.size === 0) return;
    if (Date.now() > deadline) break;
    await wait(50);
  }
  for (const { pid } of knownProcesses.values()) signal(pid, 'SIGKILL');
}

const keyOf = ({ pid, started }: Process) => `${pid} ${started}`;

export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // The process has ended, or belongs to another user.
  }
}

function processes(): Process[] {
  return process.platform === 'linux' ? readProc() : readPs();
}

function readProc(): Process[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.flatMap((pid) => {
    try {
      // The name is in parentheses and may contain anything (proc_pid_stat(5)).
      const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
        .replace(/^.*\) /s, '')
        .split(' ');
      return stat[0] === 'Z' ? [] : [{ pid: Number(pid), parent: Number(stat[1]), started: stat[19] ?? '' }];
    } catch {
      return [];
    }
  });
}

function readPs(): Process[] {
  const windows = [
    'powershell',
    ['-NoProfile', '-Command', 'Get-CimInstance Win32_Process | % { "$($_.ProcessId) $($_.ParentProcessId) 0" }'],
  ] as const;
  const posix = ['ps', ['-A', '-o', 'pid=,ppid=,lstart=']] as const;
  const [command, args] = process.platform === 'win32' ? windows : posix;
  const lines = spawnSync(command, args, { encoding: 'utf8' }).stdout.split('\n');
  return lines.flatMap((line) => {
    const [, pid, parent, started = ''] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
    return pid && parent ? [{ pid: Number(pid), parent: Number(parent), started }] : [];
  });
}
