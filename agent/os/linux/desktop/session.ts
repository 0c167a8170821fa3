import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Who sits before the screen. */
export interface Person {
  user: string;
  uid: number;
  gid: number;
  /** As loginctl calls it; null where there is none. */
  session: string | null;
}

/** Runs a program; what it printed, or null when it failed or took too long. */
export type Ask = (file: string, args: string[]) => Promise<string | null>;

const screens = ['x11', 'wayland', 'mir'];

/** The person whose session is active on a screen, one at the computer itself before one from afar. Null when nobody is, undefined when nobody keeps a list. */
export async function atScreen(ask: Ask, loginctl: string, root = '/'): Promise<Person | null | undefined> {
  const listed = await ask(loginctl, ['list-sessions', '--no-legend']);
  if (listed === null) return undefined;
  const ids = listed.split('\n').flatMap((line) => line.trim().split(/\s+/)[0]?.match(/^\w+$/)?.[0] ?? []);
  if (!ids.length) return null;
  const properties = ['Id', 'User', 'Name', 'Active', 'Type', 'Class', 'Remote'].map((name) => `--property=${name}`);
  const shown = (await ask(loginctl, ['show-session', ...properties, ...ids])) ?? '';
  const sessions = shown
    .split(/\n\s*\n/)
    .map((block) => new Map(block.split('\n').map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)])))
    .filter((of) => of.get('Active') === 'yes' && of.get('Class') === 'user' && screens.includes(of.get('Type') ?? ''))
    .toSorted((a, b) => Number(a.get('Remote') === 'yes') - Number(b.get('Remote') === 'yes'));
  return personOf(Number(sessions[0]?.get('User') ?? Number.NaN), sessions[0]?.get('Id') ?? null, root);
}

/** By passwd(5). Null for root and for whoever is not in it: nothing of a desktop is ever run as root. */
export function personOf(uid: number, session: string | null, root = '/'): Person | null {
  if (!(uid > 0)) return null;
  let passwd = '';
  try {
    passwd = readFileSync(join(root, 'etc/passwd'), 'utf8');
  } catch {
    return null;
  }
  const line = passwd.split('\n').find((entry) => entry.split(':')[2] === String(uid));
  const [user = '', , , gid = ''] = line?.split(':') ?? [];
  return /^[a-zA-Z_][\w.@-]*$/.test(user) && /^\d+$/.test(gid) ? { user, uid, gid: Number(gid), session } : null;
}
