import { execFile } from 'node:child_process';
import { lchown, lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { NoEmbedded } from './refusals.ts';

const run = promisify(execFile);
const nobody = 65534;

/** As whom PostgreSQL runs: it refuses to be root, and so often we are (a container, a fresh machine). */
export interface Identity {
  /** The command line that runs `program` as that user. */
  command(program: string, args: string[]): [string, string[]];
  /** For spawn; undefined means as ourselves. */
  uid?: number;
  /** Makes a folder and all in it belong to that user. */
  own(folder: string): Promise<void>;
}

const ourselves: Identity = { command: (program, args) => [program, args], own: async () => {} };

/**
 * Root in here, nobody in there: a user namespace in which our own number is called 65534. Files stay ours, no account is needed,
 * and the checkout may lie where only root can read it.
 */
const mapped: Identity = {
  command: (program, args) => ['unshare', ['--user', `--map-user=${nobody}`, `--map-group=${nobody}`, '--', program, ...args]],
  own: (folder) => ownAll(folder, 0),
};

const asNobody: Identity = {
  command: (program, args) => [program, args],
  uid: nobody,
  own: (folder) => ownAll(folder, nobody),
};

/** The first identity under which the given program answers `--version`. */
export async function chooseIdentity(program: string): Promise<Identity> {
  if (process.getuid?.() !== 0) return ourselves;
  const failures: string[] = [];
  for (const identity of process.platform === 'linux' ? [mapped, asNobody] : []) {
    const [command, args] = identity.command(program, ['--version']);
    const failure = await run(command, args, identity.uid === undefined ? {} : { uid: identity.uid, gid: identity.uid }).then(
      () => null,
      (reason: Error) => reason.message.split('\n')[0] ?? '',
    );
    if (failure === null) return identity;
    failures.push(failure);
  }
  throw new NoEmbedded(['PostgreSQL refuses to run as root and no other user can be used', ...failures].join('; '));
}

/** From the leaves up: a folder that has its owner already has nothing left to do inside. */
async function ownAll(path: string, uid: number): Promise<void> {
  const found = await lstat(path);
  if (found.uid === uid) return;
  if (found.isDirectory()) for (const name of await readdir(path)) await ownAll(join(path, name), uid);
  await lchown(path, uid, uid);
}
