import { readdir, readFile } from 'node:fs/promises';
import { networkInterfaces } from 'node:os';

/** What every program may read of all that run. */
export async function commandLines(): Promise<string> {
  const all = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  return (await Promise.all(all.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')))).join('\n');
}

/** Is there a network besides that of this computer with itself? */
export const isOnline = (): boolean => Object.values(networkInterfaces()).some((all) => all?.some(({ internal }) => !internal));

export const isRoot = process.getuid?.() === 0;
