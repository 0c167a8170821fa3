import { readdir, readFile } from 'node:fs/promises';
import { networkInterfaces } from 'node:os';

/** Command lines, which every program can read. */
export async function commandLines(): Promise<string> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  return (await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')))).join('\n');
}

/** Whether there is a network other than loopback. */
export const isOnline = (): boolean => Object.values(networkInterfaces()).some((addresses) => addresses?.some(({ internal }) => !internal));

export const isRoot = process.getuid?.() === 0;
