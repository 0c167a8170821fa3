import { join } from 'node:path';
import { readWhole } from '../../doors.ts';
import type { Home } from './units.ts';

const MAX_BYTES = 4 << 20;
/** Their members may run any command: sudoers(5) of Debian, Fedora, and Ubuntu before 12.04. */
const adminGroups = new Set(['sudo', 'wheel', 'admin']);
/** Users of people begin there: login.defs(5). 65534 is `nobody`. */
const [FIRST_UID, NOBODY_UID] = [1000, 65_534];
const MAX_HOMES = 100;

export interface Accounts {
  /** Login names, sorted. */
  administrators: string[];
  /** Of people, and of root. */
  homes: Home[];
}

/** From passwd(5) and group(5). Null when one of them cannot be read. */
export async function readAccounts(root: string): Promise<Accounts | null> {
  const [users, groups] = await Promise.all([rowsOf(join(root, 'etc/passwd')), rowsOf(join(root, 'etc/group'))]);
  // Without a user the file is being written.
  if (!users?.length || !groups?.length) return null;
  const adminRows = groups.filter(([name = '']) => adminGroups.has(name));
  const adminGids = new Set(adminRows.map(([, , gid]) => gid));
  const members = adminRows.flatMap(([, , , list = '']) => list.split(','));
  const administrators = users.flatMap(([name = '', , uid, gid]) => (Number(uid) === 0 || adminGids.has(gid) ? [name] : []));
  const existing = new Set(users.map(([name]) => name));
  const ofPeople = users.filter(([, , uid]) => Number(uid) === 0 || (Number(uid) >= FIRST_UID && Number(uid) !== NOBODY_UID));
  return {
    administrators: [...new Set([...administrators, ...members.filter((name) => existing.has(name))])].toSorted(),
    homes: ofPeople
      .flatMap(([user = '', , , , , home = '']) => (home.startsWith('/') ? [{ user, folder: join(root, home) }] : []))
      .slice(0, MAX_HOMES),
  };
}

/** The lines as fields; not the lines of NIS, which begin with `+` or `-`. */
async function rowsOf(path: string): Promise<string[][] | null> {
  const text = (await readWhole(path, MAX_BYTES))?.toString('utf8');
  return text?.split('\n').flatMap((line) => (/^[^+\-#:][^:]*:/.test(line) ? [line.split(':')] : [])) ?? null;
}
