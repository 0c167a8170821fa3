import { readFileSync } from 'node:fs';

const POLL_MS = 500;
/** Longest chain of processes: npm, its shell, and the Node that started another Node. */
const maxChainLength = 4;

/** Calls back when npm has ended, because npm passes no signals on; without npm, never. On Linux each process between this one and npm is watched. */
export function onNpmExit(onExit: () => void): void {
  if (!process.env.npm_lifecycle_event) return;
  const chain = chainToNpm();
  const timer = setInterval(() => {
    if (chain.every(({ child, parent }) => parentOf(child) === parent)) return;
    clearInterval(timer);
    onExit();
  }, POLL_MS).unref();
}

interface Link {
  child: number;
  parent: number;
}

function chainToNpm(): Link[] {
  const chain: Link[] = [{ child: process.pid, parent: process.ppid }];
  for (let link = chain[0]; link && chain.length < maxChainLength && !isNpm(link.parent); ) {
    const parent = parentOf(link.parent);
    if (parent === null || parent <= 1) return chain.slice(0, 1);
    link = { child: link.parent, parent };
    chain.push(link);
  }
  const lastLink = chain.at(-1);
  // Without a visible npm (another package manager or system), only the parent process is watched.
  return lastLink && isNpm(lastLink.parent) ? chain : chain.slice(0, 1);
}

function parentOf(pid: number): number | null {
  if (pid === process.pid) return isAlive(process.ppid) ? process.ppid : null;
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name is in brackets and may contain anything: state is the first field after it, the parent the second.
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return null;
  }
}

/** Whether a process runs. On Windows, a parent's number remains after its end. */
function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (err) {
    return (err as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function isNpm(pid: number): boolean {
  try {
    return /\bnpm(-cli\.js)?\b/.test(readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(0, 2).join(' '));
  } catch {
    return false;
  }
}
