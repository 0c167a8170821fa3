import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** What a process looks like from outside; null when there is none. A zombie has ended but still holds its number. */
export interface Seen {
  /** When it began, in whatever form the system tells it: together with the number it names one process for good. */
  began: string;
  command: string;
  zombie: boolean;
}

/** Looks at a process by number: /proc on Linux, ps elsewhere. */
export async function seeProcess(pid: number): Promise<Seen | null> {
  if (!Number.isInteger(pid) || pid <= 0) return null;
  return process.platform === 'linux' ? fromProc(pid) : fromPs(pid);
}

async function fromProc(pid: number): Promise<Seen | null> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    // The name stands in brackets and may hold anything, so count from the last bracket: state is the 3rd field, start the 22nd.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const command = (await readFile(`/proc/${pid}/cmdline`, 'utf8')).replaceAll('\0', ' ').trim();
    return { began: fields[19] ?? '', command, zombie: fields[0] === 'Z' };
  } catch {
    return null;
  }
}

async function fromPs(pid: number): Promise<Seen | null> {
  try {
    const { stdout } = await run('ps', ['-o', 'stat=,lstart=,command=', '-p', String(pid)], {
      env: { LC_ALL: 'C', PATH: '/usr/bin:/bin' },
    });
    const [, state = '', began = '', command = ''] = /^(\S+)\s+(\S+\s+\S+\s+\S+\s+\S+\s+\S+)\s+(.*)$/s.exec(stdout.trim()) ?? [];
    return state ? { began, command, zombie: state.startsWith('Z') } : null;
  } catch {
    return null;
  }
}
