import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A zombie has ended but still occupies its process id. */
export interface ProcessInfo {
  /** Start time, in the operating system's own format: identifies a process together with its id. */
  startTime: string;
  command: string;
  zombie: boolean;
}

export async function readProcess(pid: number): Promise<ProcessInfo | null> {
  if (!Number.isInteger(pid) || pid <= 0) return null;
  return process.platform === 'linux' ? fromProc(pid) : fromPs(pid);
}

async function fromProc(pid: number): Promise<ProcessInfo | null> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    // The program's name is in parentheses and may contain any character. State is the 3rd field, start the 22nd.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const command = (await readFile(`/proc/${pid}/cmdline`, 'utf8')).replaceAll('\0', ' ').trim();
    return { startTime: fields[19] ?? '', command, zombie: fields[0] === 'Z' };
  } catch {
    return null;
  }
}

async function fromPs(pid: number): Promise<ProcessInfo | null> {
  try {
    const { stdout } = await run('ps', ['-o', 'stat=,lstart=,command=', '-p', String(pid)], {
      env: { LC_ALL: 'C', PATH: '/usr/bin:/bin' },
    });
    const [, state = '', startText = '', command = ''] = /^(\S+)\s+(\S+\s+\S+\s+\S+\s+\S+\s+\S+)\s+(.*)$/s.exec(stdout.trim()) ?? [];
    return state ? { startTime: startText, command, zombie: state.startsWith('Z') } : null;
  } catch {
    return null;
  }
}
