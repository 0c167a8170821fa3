import { readFile } from 'node:fs/promises';

/** 127.0.0.1 as /proc/net/tcp writes it, and in /proc/net/tcp6 behind `::ffff:`. */
const here = '0100007F';
const hex = (port: number) => port.toString(16).toUpperCase().padStart(4, '0');

/** Whose program has connected from this port of 127.0.0.1 to that one, by number; null where the kernel knows of no such connection. */
export async function uidOfConnection({ from, to }: { from: number; to: number }, folder = '/proc/net'): Promise<number | null> {
  const lists = await Promise.all(['tcp', 'tcp6'].map((name) => readFile(`${folder}/${name}`, 'utf8').catch(() => '')));
  for (const line of lists.join('\n').split('\n')) {
    const [, local = '', remote = '', , , , , uid = ''] = line.trim().split(/\s+/);
    if (local.endsWith(`${here}:${hex(from)}`) && remote.endsWith(`${here}:${hex(to)}`)) return Number(uid);
  }
  return null;
}

/** So many addresses are remembered. */
const MAX_COUNT = 32;

/** Whom each address of the window was shown, by number: a command opens it, and everyone on the computer can read that. */
export function viewersOf() {
  const shown = new Map<string, number>();
  return {
    add(url: string, uid: number): void {
      shown.set(url, uid);
      const [oldest] = shown.keys();
      if (shown.size > MAX_COUNT && oldest) shown.delete(oldest);
    },
    /** True as well for one that no command opened: whoever has it was told it. */
    async isTheirs(url: string, connection: { from: number; to: number }): Promise<boolean> {
      const uid = shown.get(url);
      return uid === undefined || (await uidOfConnection(connection)) === uid;
    },
  };
}
