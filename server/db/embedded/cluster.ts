import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { access, mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Binaries } from './binaries.ts';
import type { Identity } from './identity.ts';
import { NoEmbedded, NoRoom, WrongFolder } from './refusals.ts';

const run = promisify(execFile);

export const superuser = 'porchlight';
/** Everything that PostgreSQL gets from us: no secret of ours, and no PG… variable of the person's shell. */
export const environment = { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C', TZ: 'UTC' };

/**
 * Makes sure that `folder/cluster` is a complete database cluster of our major version, and returns its path. A new one is made under
 * another name and moved into place when it is whole, so that dying half-way leaves nothing to repair.
 */
export async function ensureCluster(folder: string, binaries: Binaries, identity: Identity): Promise<string> {
  const cluster = join(folder, 'cluster');
  for (const name of await readdir(folder)) {
    if (name.startsWith('cluster.new-')) await clear(join(folder, name));
  }
  const made = (await readFile(join(cluster, 'PG_VERSION'), 'utf8').catch(() => '')).trim();
  if (made) {
    const ours = await majorVersion(binaries, identity);
    if (made !== ours) {
      throw new WrongFolder(
        cluster,
        `it was made by PostgreSQL ${made} and this is PostgreSQL ${ours}. Move its data with pg_dump, or go back to the Porchlight that made it.`,
      );
    }
    return cluster;
  }
  if (await isThere(cluster)) throw new WrongFolder(cluster, 'it has no PG_VERSION file, so it is not a database that we can open.');
  const draft = join(folder, `cluster.new-${randomBytes(4).toString('hex')}`);
  try {
    await makeCluster(draft, folder, binaries, identity);
    await rename(draft, cluster);
  } catch (reason) {
    await clear(draft);
    throw noRoomLeft(reason) ? new NoRoom(folder) : reason;
  }
  return cluster;
}

/** Does PostgreSQL, or the system, say that the disk is full? */
export function noRoomLeft(reason: unknown): boolean {
  const { code, message } = reason as NodeJS.ErrnoException;
  return code === 'ENOSPC' || code === 'EDQUOT' || code === '53100' || /No space left on device|Disk quota exceeded/.test(message);
}

async function makeCluster(draft: string, folder: string, binaries: Binaries, identity: Identity): Promise<void> {
  await mkdir(draft, { mode: 0o700 });
  await identity.own(draft);
  await identity.own(folder);
  const args = ['--pgdata', draft, '--username', superuser, '--encoding=UTF8', '--locale=C', '--auth-local=trust', '--auth-host=reject'];
  await runAs(identity, binaries.initdb, [...args, '--no-sync', '--no-instructions']);
  // Once, here, instead of file by file inside initdb.
  await runAs(identity, binaries.initdb, ['--sync-only', '--pgdata', draft]);
}

/** Removes what a killed start left. Its initdb may still be writing for a moment; what then stays is for the next start to remove. */
async function clear(draft: string): Promise<void> {
  for (let tries = 0; tries < 40; tries++) {
    const gone = await rm(draft, { recursive: true, force: true }).then(
      () => true,
      () => false,
    );
    if (gone) return;
    await sleep(50);
  }
}

async function majorVersion(binaries: Binaries, identity: Identity): Promise<string> {
  return /(\d+)\./.exec(await runAs(identity, binaries.postgres, ['--version']))?.[1] ?? '';
}

async function runAs(identity: Identity, program: string, args: string[]): Promise<string> {
  const [command, all] = identity.command(program, args);
  const as = identity.uid === undefined ? {} : { uid: identity.uid, gid: identity.uid };
  const { stdout } = await run(command, all, { env: environment, ...as }).catch((reason: Error & { stderr?: string }) => {
    throw new NoEmbedded((reason.stderr || reason.message).trim());
  });
  return stdout;
}

function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
