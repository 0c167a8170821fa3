import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, link, lstat, open, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { codeOf, inFolder, isMissing } from '../in-folder.ts';
import { NotDone } from '../not-done.ts';
import { stampAt, stampOf } from '../stamp.ts';

/** Facts about an open file. Sizes in bytes, times in milliseconds since 1970; `stamp`: see `stampOf`. */
export interface FileFacts {
  size: number;
  mode: number;
  uid: number;
  gid: number;
  mtime_ms: number;
  atime_ms: number;
  stamp: string;
}

/** A file to restore. `uuid`: for the name of the temporary file. */
export interface FileWanted extends Omit<FileFacts, 'stamp'> {
  uuid: string;
  sha256: string;
}

type Platform = NodeJS.Platform;

/** Opens only regular files: follows no symbolic link, and does not block on a pipe or trigger a device. */
export async function openPlain(filePath: string): Promise<FileHandle> {
  const stat = await lstat(filePath).catch(notThere);
  if (!stat.isFile()) throw new NotDone('protected');
  const file = await open(filePath, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(notThere);
  if ((await file.stat()).isFile()) return file;
  await file.close();
  throw new NotDone('protected');
}

function notThere(err: unknown): never {
  throw codeOf(err) === 'ELOOP' ? new NotDone('protected') : isMissing(err) ? new NotDone('gone') : new NotDone('refused');
}

const partsOf = (file: FileHandle): AsyncIterable<Buffer> => file.createReadStream({ autoClose: false, start: 0 });

async function hashOf(content: AsyncIterable<Buffer>): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of content) hash.update(chunk);
  return hash.digest('hex');
}

/** The hash in hex; null when the file cannot be read. Only for paths that no other user can change. */
export async function hashAt(path: string): Promise<string | null> {
  const file = await openPlain(path).catch(() => null);
  if (!file) return null;
  return hashOf(partsOf(file)).finally(() => file.close());
}

/** Throws `NotDone` when the path is not a regular file or leads through a symbolic link. */
export async function readFile<T>(
  path: string,
  platform: Platform,
  take: (facts: FileFacts, content: AsyncIterable<Buffer>) => Promise<T>,
): Promise<T> {
  return inFolder(
    path,
    async (filePath) => {
      const file = await openPlain(filePath);
      try {
        const stat = await file.stat({ bigint: true });
        const [mode, uid, gid, size] = [Number(stat.mode & 0o7777n), Number(stat.uid), Number(stat.gid), Number(stat.size)];
        const times = { mtime_ms: Number(stat.mtimeMs), atime_ms: Number(stat.atimeMs) };
        return await take({ size, mode, uid, gid, ...times, stamp: stampOf(stat) }, partsOf(file));
      } finally {
        await file.close();
      }
    },
    platform,
  );
}

export async function removeFile(path: string, stamp: string, platform: Platform): Promise<void> {
  await inFolder(
    path,
    async (filePath) => {
      if ((await stampAt(filePath)) === stamp) await rm(filePath);
      await syncFolder(dirname(filePath));
    },
    platform,
  );
}

/**
 * Writes a new file atomically through a temporary file, with its times, owner and permissions; never over another file. An existing file
 * with the same content is a success. Set-user-id, set-group-id and sticky bits are not restored.
 */
export async function putFile(path: string, restored: FileWanted, platform: Platform, content: AsyncIterable<Buffer>): Promise<void> {
  await inFolder(
    path,
    async (filePath) => {
      const temporary = join(dirname(filePath), `.porchlight-${restored.uuid}`);
      await rm(temporary, { force: true });
      if (await lstat(filePath).catch(() => null)) {
        if ((await hashAt(filePath)) === restored.sha256) return;
        throw new NotDone('place_taken');
      }
      try {
        await writeTemporary(temporary, restored, content);
        await link(temporary, filePath);
      } catch (err) {
        throw codeOf(err) === 'EEXIST' ? new NotDone('place_taken') : err;
      } finally {
        await rm(temporary, { force: true });
      }
      await syncFolder(dirname(filePath));
    },
    platform,
  );
}

async function writeTemporary(temporary: string, restored: FileWanted, content: AsyncIterable<Buffer>): Promise<void> {
  const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;
  const file = await open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
  try {
    const hash = createHash('sha256');
    for await (const chunk of content) {
      hash.update(chunk);
      await file.writeFile(chunk);
    }
    if (hash.digest('hex') !== restored.sha256) throw new NotDone('damaged');
    const ownUid = process.getuid?.() ?? 0;
    // Only root can change the owner of a file. Other users can change its group only to one of their own, and a failure is harmless.
    if (ownUid === 0) await file.chown(restored.uid, restored.gid);
    else await file.chown(ownUid, restored.gid).catch(() => {});
    await file.chmod(restored.mode & 0o777);
    await file.utimes(restored.atime_ms / 1000, restored.mtime_ms / 1000);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, constants.O_RDONLY | constants.O_DIRECTORY);
  await folder.sync().finally(() => folder.close());
}
