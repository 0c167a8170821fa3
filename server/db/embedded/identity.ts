import { execFile } from 'node:child_process';
import { lchown, lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { NoEmbedded } from './refusals.ts';

const run = promisify(execFile);
const nobodyUid = 65534;

/** PostgreSQL refuses to run as root, as our server often does (in a container, on a fresh machine). */
export interface Identity {
  command(program: string, args: string[]): [string, string[]];
  uid?: number;
  chown(folder: string): Promise<void>;
}

const sameUser: Identity = { command: (program, args) => [program, args], chown: async () => {} };

/** A user namespace that maps our root to uid 65534. Files remain root's, and no account is needed. */
const userNamespace: Identity = {
  command: (program, args) => ['unshare', ['--user', `--map-user=${nobodyUid}`, `--map-group=${nobodyUid}`, '--', program, ...args]],
  chown: (folder) => chownAll(folder, 0),
};

const asNobody: Identity = {
  command: (program, args) => [program, args],
  uid: nobodyUid,
  chown: (folder) => chownAll(folder, nobodyUid),
};

/** `env`: what the program needs to start; by default the environment of this process. */
export async function chooseIdentity(program: string, env?: Record<string, string>): Promise<Identity> {
  if (process.getuid?.() !== 0) return sameUser;
  const failures: string[] = [];
  for (const identity of process.platform === 'linux' ? [userNamespace, asNobody] : []) {
    const [command, args] = identity.command(program, ['--version']);
    const as = identity.uid === undefined ? {} : { uid: identity.uid, gid: identity.uid };
    const failure = await run(command, args, { ...(env ? { env } : {}), ...as }).then(
      () => null,
      (reason: Error) => reason.message.split('\n')[0] ?? '',
    );
    if (failure === null) return identity;
    failures.push(failure);
  }
  throw new NoEmbedded(['PostgreSQL refuses to run as root and no other user can be used', ...failures].join('; '));
}

/** Changes contents first: a folder with the right owner needs no work inside. */
async function chownAll(path: string, uid: number): Promise<void> {
  const stats = await lstat(path);
  if (stats.uid === uid) return;
  if (stats.isDirectory()) for (const name of await readdir(path)) await chownAll(join(path, name), uid);
  await lchown(path, uid, uid);
}
