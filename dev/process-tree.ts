import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';

interface Process {
  pid: number;
  parent: number;
  /** Distinguishes a process from a later one with the same number. */
  started: string;
}

/** Every process below `top`, children before grandchildren. */
export function descendantsOf(top: number, all = processes()): Process[] {
  const below = all.filter(({ parent }) => parent === top);
  return [...below, ...below.flatMap(({ pid }) => descendantsOf(pid, all))];
}

/**
 * Ends every process below `top`: with SIGTERM first, so that databases close their files, and with SIGKILL after `grace` milliseconds. Processes that
 * lose their parent on the way are ended too.
 */
export async function endDescendants(top: number, grace = 5_000): Promise<void> {
  if (process.platform === 'win32') {
    for (const { pid } of descendantsOf(top)) spawnSync('taskkill', ['/PID', String(pid), '/T', '/F']);
    return;
  }
  const known = new Map<string, Process>();
  const deadline = Date.now() + grace;
  for (;;) {
    const all = processes();
    const alive = new Set(all.map(keyOf));
    for (const [key] of known) if (!alive.has(key)) known.delete(key);
    const fresh = [top, ...[...known.values()].map(({ pid }) => pid)].flatMap((pid) => descendantsOf(pid, all));
    for (const found of fresh) {
      if (known.has(keyOf(found))) continue;
      known.set(keyOf(found), found);
      signal(found.pid, 'SIGTERM');
    }
    if (known.size === 0) return;
    if (Date.now() > deadline) break;
    await wait(50);
  }
  for (const { pid } of known.values()) signal(pid, 'SIGKILL');
}

const keyOf = ({ pid, started }: Process) => `${pid} ${started}`;

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // The process has ended, or belongs to another user.
  }
}

function processes(): Process[] {
  return process.platform === 'linux' ? fromProc() : fromPs();
}

function fromProc(): Process[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.flatMap((pid) => {
    try {
      // The name of the program is in parentheses and may contain anything (proc_pid_stat(5)).
      const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
        .replace(/^.*\) /s, '')
        .split(' ');
      // A zombie has ended already.
      return stat[0] === 'Z' ? [] : [{ pid: Number(pid), parent: Number(stat[1]), started: stat[19] ?? '' }];
    } catch {
      return [];
    }
  });
}

function fromPs(): Process[] {
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
