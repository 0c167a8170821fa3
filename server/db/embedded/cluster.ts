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
/**
 * Ensures that `folder/cluster` is a database cluster of our major version. A new one is renamed when complete, so that a crash leaves
 * nothing to repair.
 */
export async function ensureCluster(folder: string, binaries: Binaries, identity: Identity): Promise<string> {
  const cluster = join(folder, 'cluster');
  for (const name of await readdir(folder)) {
    if (name.startsWith('cluster.new-')) await removeDraft(join(folder, name));
  }
  const existingVersion = (await readFile(join(cluster, 'PG_VERSION'), 'utf8').catch(() => '')).trim();
  if (existingVersion) {
    const ownVersion = await majorVersion(binaries, identity);
    if (existingVersion !== ownVersion) {
      throw new WrongFolder(
        cluster,
        `it was made by PostgreSQL ${existingVersion} and this is PostgreSQL ${ownVersion}. Move its data with pg_dump, or go back to the Porchlight that made it.`,
      );
    }
    return cluster;
  }
  if (await exists(cluster)) throw new WrongFolder(cluster, 'it has no PG_VERSION file, so it is not a database that we can open.');
  const draftFolder = join(folder, `cluster.new-${randomBytes(4).toString('hex')}`);
  try {
    await makeCluster(draftFolder, folder, binaries, identity);
    await rename(draftFolder, cluster);
  } catch (reason) {
    await removeDraft(draftFolder);
    throw meansDiskFull(reason) ? new NoRoom(folder) : reason;
  }
  return cluster;
}

export function meansDiskFull(reason: unknown): boolean {
  const { code, message } = reason as NodeJS.ErrnoException;
  return code === 'ENOSPC' || code === 'EDQUOT' || code === '53100' || /No space left on device|Disk quota exceeded/.test(message);
}

async function makeCluster(draftFolder: string, folder: string, binaries: Binaries, identity: Identity): Promise<void> {
  await mkdir(draftFolder, { mode: 0o700 });
  await identity.chown(draftFolder);
  await identity.chown(folder);
  const args = [
    '--pgdata',
    draftFolder,
    '--username',
    superuser,
    '--encoding=UTF8',
    '--locale=C',
    '--auth-local=trust',
    '--auth-host=reject',
  ];
  await runAs(identity, binaries, 'initdb', [...args, '--no-sync', '--no-instructions']);
  await runAs(identity, binaries, 'initdb', ['--sync-only', '--pgdata', draftFolder]);
}

/** The initdb of a killed start may still be writing; the next start removes the remaining files. */
async function removeDraft(draftFolder: string): Promise<void> {
  for (let attempt = 0; attempt < 40; attempt++) {
    const wasRemoved = await rm(draftFolder, { recursive: true, force: true }).then(
      () => true,
      () => false,
    );
    if (wasRemoved) return;
    await sleep(50);
  }
}

async function majorVersion(binaries: Binaries, identity: Identity): Promise<string> {
  return /(?<!\d)(\d+)\./.exec(await runAs(identity, binaries, 'postgres', ['--version']))?.[1] ?? '';
}

async function runAs(identity: Identity, binaries: Binaries, program: 'initdb' | 'postgres', args: string[]): Promise<string> {
  const [command, allArgs] = identity.command(binaries[program], args);
  const as = identity.uid === undefined ? {} : { uid: identity.uid, gid: identity.uid };
  const { stdout } = await run(command, allArgs, { env: binaries.environment, ...as }).catch((reason: Error & { stderr?: string }) => {
    throw new NoEmbedded((reason.stderr || reason.message).trim());
  });
  return stdout;
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
