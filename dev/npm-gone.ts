import { readFileSync } from 'node:fs';

const POLL_MS = 500;
/** npm, its shell, and the Node that chose another Node. */
const longestChain = 4;

/**
 * Calls `gone` once when the npm that started this process has ended. A supervisor that ends npm alone means all of it, and npm passes no
 * signal on. Not started by npm: never. On Linux the whole way up to npm is watched; elsewhere the process that started us.
 */
export function whenNpmIsGone(gone: () => void): void {
  if (!process.env.npm_lifecycle_event) return;
  const chain = chainToNpm();
  const timer = setInterval(() => {
    if (chain.every(({ child, parent }) => parentOf(child) === parent)) return;
    clearInterval(timer);
    gone();
  }, POLL_MS).unref();
}

interface Link {
  child: number;
  parent: number;
}

function chainToNpm(): Link[] {
  const chain: Link[] = [{ child: process.pid, parent: process.ppid }];
  for (let link = chain[0]; link && chain.length < longestChain && !isNpm(link.parent); ) {
    const parent = parentOf(link.parent);
    if (parent === null || parent <= 1) return chain.slice(0, 1);
    link = { child: link.parent, parent };
    chain.push(link);
  }
  const last = chain.at(-1);
  // Above us is no npm that we can see (another package manager, another system): who started us is all there is.
  return last && isNpm(last.parent) ? chain : chain.slice(0, 1);
}

/** Null where there is no such process, or nothing to read it from. */
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

/** On Windows the number of a parent stays when the parent has gone. */
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
