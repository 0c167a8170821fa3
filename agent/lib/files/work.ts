import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, link, lstat, open, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { codeOf, inFolder, isMissing } from '../in-folder.ts';
import { NotDone } from '../not-done.ts';
import { stampAt, stampOf } from '../stamp.ts';

/** A file as it lies there, by its open handle. Sizes in bytes, times in milliseconds since 1970; `stamp`: of `stampOf`. */
export interface FileFacts {
  size: number;
  mode: number;
  uid: number;
  gid: number;
  mtime_ms: number;
  atime_ms: number;
  stamp: string;
}

/** A file that is to lie there again. `uuid`: of what is put back, for a name of our own beside it. */
export interface FileWanted extends Omit<FileFacts, 'stamp'> {
  uuid: string;
  sha256: string;
}

/** Of the operating system; another one than ours for tests. */
type Platform = NodeJS.Platform;

/** A plain file alone is opened: a link is not followed, and a pipe or a device is neither waited for nor woken. */
export async function openPlain(at: string): Promise<FileHandle> {
  const seen = await lstat(at).catch(notThere);
  if (!seen.isFile()) throw new NotDone('protected');
  const file = await open(at, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(notThere);
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
  for await (const part of content) hash.update(part);
  return hash.digest('hex');
}

/** The SHA-256 of a file, in hex; null when there is none that can be read. Of a path that is nobody else's. */
export async function hashAt(path: string): Promise<string | null> {
  const file = await openPlain(path).catch(() => null);
  if (!file) return null;
  return hashOf(partsOf(file)).finally(() => file.close());
}

/** Hands its facts and its content to `take`. Throws `NotDone` when there is no plain file, or a link leads there. */
export async function readFile<T>(
  path: string,
  platform: Platform,
  take: (facts: FileFacts, content: AsyncIterable<Buffer>) => Promise<T>,
): Promise<T> {
  return inFolder(
    path,
    async (at) => {
      const file = await openPlain(at);
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

/** Takes its name away, if it is still the very file of this stamp. */
export async function removeFile(path: string, stamp: string, platform: Platform): Promise<void> {
  await inFolder(
    path,
    async (at) => {
      if ((await stampAt(at)) === stamp) await rm(at);
      await syncFolder(dirname(at));
    },
    platform,
  );
}

/**
 * Puts a new file there, whole or not at all, with its times and the rights that its owner may give away; never over something else. First under a
 * name of our own, by a handle on what was made just now. A file that lies there already with this very content is well. Special rights (set-user-id,
 * set-group-id, sticky) do not come back.
 */
export async function putFile(path: string, wanted: FileWanted, platform: Platform, content: AsyncIterable<Buffer>): Promise<void> {
  await inFolder(
    path,
    async (at) => {
      const beside = join(dirname(at), `.porchlight-${wanted.uuid}`);
      await rm(beside, { force: true });
      if (await lstat(at).catch(() => null)) {
        if ((await hashAt(at)) === wanted.sha256) return;
        throw new NotDone('place_taken');
      }
      try {
        await written(beside, wanted, content);
        await link(beside, at);
      } catch (err) {
        throw codeOf(err) === 'EEXIST' ? new NotDone('place_taken') : err;
      } finally {
        await rm(beside, { force: true });
      }
      await syncFolder(dirname(at));
    },
    platform,
  );
}

async function written(beside: string, wanted: FileWanted, content: AsyncIterable<Buffer>): Promise<void> {
  const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;
  const file = await open(beside, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
  try {
    const hash = createHash('sha256');
    for await (const part of content) {
      hash.update(part);
      await file.writeFile(part);
    }
    if (hash.digest('hex') !== wanted.sha256) throw new NotDone('damaged');
    const me = process.getuid?.() ?? 0;
    // Nobody but root gives a file to somebody else; to a group of one's own one may, and where one may not it is no loss.
    if (me === 0) await file.chown(wanted.uid, wanted.gid);
    else await file.chown(me, wanted.gid).catch(() => {});
    await file.chmod(wanted.mode & 0o777);
    await file.utimes(wanted.atime_ms / 1000, wanted.mtime_ms / 1000);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, constants.O_RDONLY | constants.O_DIRECTORY);
  await folder.sync().finally(() => folder.close());
}
