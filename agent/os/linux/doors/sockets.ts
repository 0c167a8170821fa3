import { readdir, readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { readWhole } from '../../doors.ts';

/** The kernel lists sockets that listen before all others. */
const MAX_BYTES = 4 << 20;
const LISTENS = '0A';
/** 127.0.0.0/8, the same as an address of IPv6, and ::1: each group of four bytes is reversed. */
const loopbackAddress = /^(.{6}7F|0{16}FFFF0000.{6}7F|0{24}01000000)$/;

export interface Listener {
  port: number;
  /** The user to whom the socket belongs. */
  uid: number;
  inode: string;
  /** Only this computer itself can connect. */
  loopback: boolean;
}

/** TCP sockets that listen on these ports: proc(5). Null when the list cannot be read. */
export async function listeners(root: string, isWanted: (port: number) => boolean): Promise<Listener[] | null> {
  const texts = await Promise.all(['tcp', 'tcp6'].map((name) => readWhole(join(root, 'proc/net', name), MAX_BYTES)));
  if (texts.every((text) => text === null)) return null;
  const rows = texts.flatMap((text) => (text?.toString('latin1') ?? '').split('\n').slice(1));
  return rows.flatMap((row) => {
    const [, local = '', , state, , , , uid, , inode = ''] = row.trim().split(/\s+/);
    const [address = '', port = ''] = local.split(':');
    const number = Number.parseInt(port, 16);
    if (state !== LISTENS || !isWanted(number)) return [];
    return [{ port: number, uid: Number(uid), inode, loopback: loopbackAddress.test(address) }];
  });
}

const MAX_FILES = 1000;

/**
 * The names of the programs that own sockets, by inode. They are cached, because only a scan of all processes finds them: it runs once for
 * each new socket.
 */
export function socketOwners(root: string) {
  let known = new Map<string, string | null>();
  return async (inodes: string[]): Promise<Map<string, string | null>> => {
    const missing = new Set(inodes.filter((inode) => !known.has(inode)));
    const found = missing.size > 0 ? await findOwners(join(root, 'proc'), missing) : new Map<string, string>();
    known = new Map(inodes.map((inode) => [inode, found.get(inode) ?? known.get(inode) ?? null]));
    return known;
  };
}

async function findOwners(proc: string, inodes: Set<string>): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const pid of (await readdir(proc).catch(() => [])).filter((name) => /^\d+$/.test(name))) {
    if (found.size === inodes.size) break;
    const folder = join(proc, pid, 'fd');
    for (const fd of (await readdir(folder).catch(() => [])).slice(0, MAX_FILES)) {
      const inode = /^socket:\[(\d+)\]$/.exec(await readlink(join(folder, fd)).catch(() => ''))?.[1] ?? '';
      if (!inodes.has(inode) || found.has(inode)) continue;
      found.set(inode, (await readFile(join(proc, pid, 'comm'), 'utf8').catch(() => '')).trim());
    }
  }
  return found;
}
