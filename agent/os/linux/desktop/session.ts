import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface DesktopUser {
  user: string;
  uid: number;
  gid: number;
  session: string | null;
}

/** Resolves to the output; null after an error or a timeout. */
export type RunProgram = (file: string, args: string[]) => Promise<string | null>;

const graphicalTypes = ['x11', 'wayland', 'mir'];

/** The user with an active graphical session, local before remote. Null when nobody has a session, undefined when loginctl fails. */
export async function userAtScreen(run: RunProgram, loginctl: string, root = '/'): Promise<DesktopUser | null | undefined> {
  const sessionList = await run(loginctl, ['list-sessions', '--no-legend']);
  if (sessionList === null) return undefined;
  const ids = sessionList.split('\n').flatMap((line) => line.trim().split(/\s+/)[0]?.match(/^\w+$/)?.[0] ?? []);
  if (!ids.length) return null;
  const properties = ['Id', 'User', 'Name', 'Active', 'Type', 'Class', 'Remote'].map((name) => `--property=${name}`);
  const sessionProperties = (await run(loginctl, ['show-session', ...properties, ...ids])) ?? '';
  const sessions = sessionProperties
    .split(/\n\s*\n/)
    .map((block) => new Map(block.split('\n').map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)])))
    .filter(
      (session) => session.get('Active') === 'yes' && session.get('Class') === 'user' && graphicalTypes.includes(session.get('Type') ?? ''),
    )
    .toSorted((a, b) => Number(a.get('Remote') === 'yes') - Number(b.get('Remote') === 'yes'));
  return userByUid(Number(sessions[0]?.get('User') ?? Number.NaN), sessions[0]?.get('Id') ?? null, root);
}

/** Null for root and unknown users: nothing on a desktop ever runs as root. */
export function userByUid(uid: number, session: string | null, root = '/'): DesktopUser | null {
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
