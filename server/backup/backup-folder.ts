import { createWriteStream } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Writable } from 'node:stream';
import { BackupFailure } from './file-format.ts';

const fileName = /^porchlight-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.backup$/;
const partialName = /^\.porchlight-.*\.backup\.partial-\d+$/;
/** A partial file that grows is a backup that is being written. Milliseconds. */
const partialAbandonedMs = 60 * 60_000;

/** `porchlight-2026-11-26T09-50-28Z.backup`, in UTC, so that names sort by time. */
export const backupName = (time: Date) => `porchlight-${time.toISOString().slice(0, 19).replaceAll(':', '-')}Z.backup`;

/** Complete backups, the newest first. */
export async function backupsIn(folder: string): Promise<string[]> {
  const names = await readdir(folder);
  return names
    .filter((name) => fileName.test(name))
    .sort()
    .reverse()
    .map((name) => join(folder, name));
}

/**
 * Writes a backup beside the earlier ones. The file gets its name once it is on disk and `check` has read it, so that a crash or a full disk leaves the
 * earlier backups and never half of one. Afterwards only the newest `keep` backups stay; null: all of them. Returns the path.
 */
export async function addBackup(
  folder: string,
  { time, keep }: { time: Date; keep: number | null },
  write: (file: Writable) => Promise<unknown>,
  check: (path: string) => Promise<unknown>,
): Promise<string> {
  const path = join(folder, backupName(time));
  const partial = join(folder, `.${basename(path)}.partial-${process.pid}`);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await removeAbandoned(folder, time);
    if (await exists(path)) throw new BackupFailure(`${path} is there already. Wait a second, and make the backup again.`);
    await write(createWriteStream(partial, { flags: 'wx', mode: 0o600, flush: true }));
    await check(partial);
    await rename(partial, path);
    await syncFolder(folder);
  } catch (reason) {
    await rm(partial, { force: true }).catch(() => {});
    throw explained(folder, reason);
  }
  if (keep !== null) for (const old of (await backupsIn(folder)).slice(keep)) await rm(old, { force: true });
  return path;
}

function explained(folder: string, reason: unknown): unknown {
  const { code = '' } = reason as NodeJS.ErrnoException;
  if (code === 'ENOSPC') {
    return new BackupFailure(
      `The disk with ${folder} is full, so there is no new backup; the earlier ones are as they were. Make room, and make it again.`,
    );
  }
  if (['EACCES', 'EPERM', 'EROFS'].includes(code)) {
    return new BackupFailure(`This user may not write to ${folder} (${code}). Give it the folder, or name another one with --to.`);
  }
  if (['EEXIST', 'ENOTDIR'].includes(code)) return new BackupFailure(`${folder} is a file, not a folder. Name another one with --to.`);
  return reason;
}

/** Files of backups that were killed while they were written. */
async function removeAbandoned(folder: string, now: Date): Promise<void> {
  for (const name of (await readdir(folder)).filter((one) => partialName.test(one))) {
    const path = join(folder, name);
    const changed = (await stat(path).catch(() => null))?.mtimeMs;
    if (changed !== undefined && changed < now.getTime() - partialAbandonedMs) await rm(path, { force: true });
  }
}

const exists = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  );

/** A new name is on disk once its folder is. */
async function syncFolder(folder: string): Promise<void> {
  // Windows cannot open folders, and needs no sync of them.
  const handle: FileHandle | null = await open(folder, 'r').catch(() => null);
  await handle?.sync().catch(() => {});
  await handle?.close();
}

/** The content of a file, on disk beside it, readable only by its owner. */
export interface DraftFile {
  /** Gives it its name in one step; the earlier file gets the name `former`. */
  place(former: string): Promise<void>;
  /** Removes it unless it was placed. */
  discard(): Promise<void>;
}

export async function draftFile(path: string, content: string): Promise<DraftFile> {
  const draft = `${path}.restored-${process.pid}`;
  const discard = () => rm(draft, { force: true });
  const file = await open(draft, 'w', 0o600);
  try {
    await file.writeFile(content);
    await file.sync();
  } catch (reason) {
    await discard();
    throw reason;
  } finally {
    await file.close();
  }
  return {
    discard,
    async place(former) {
      if (await exists(path)) await rename(path, former);
      await rename(draft, path);
      await syncFolder(dirname(path));
    },
  };
}
