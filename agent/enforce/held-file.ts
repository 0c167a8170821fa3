import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { chmod, chown, copyFile, type FileHandle, link, lstat, open, rename, rm, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { stampAt, stampOf } from '../lib/stamp.ts';
import { syncFolder } from '../state/files.ts';
import { type HeldFile, NotDone } from './held.ts';
import { codeOf, inFolder, isMissing } from './in-folder.ts';

/** A file as it lies there, by its open handle: a link is not followed, and what is no plain file is refused. */
export async function lookAt(
  path: string,
): Promise<Omit<HeldFile, 'uuid' | 'state' | 'taken' | 'identifier' | 'name' | 'category' | 'certainty'>> {
  return inFolder(path, async (at) => {
    const file = await open(at, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch((err: unknown) => {
      throw codeOf(err) === 'ELOOP' ? new NotDone('protected') : isMissing(err) ? new NotDone('gone') : new NotDone('refused');
    });
    try {
      const stat = await file.stat({ bigint: true });
      if (!stat.isFile()) throw new NotDone('protected');
      const [mode, uid, gid, size] = [Number(stat.mode & 0o7777n), Number(stat.uid), Number(stat.gid), Number(stat.size)];
      const times = { mtime_ms: Number(stat.mtimeMs), atime_ms: Number(stat.atimeMs) };
      return { kind: 'file', path, sha256: await hashOf(file), size, mode, uid, gid, ...times, stamp: stampOf(stat) };
    } finally {
      await file.close();
    }
  });
}

async function hashOf(file: FileHandle): Promise<string> {
  const hash = createHash('sha256');
  for await (const part of file.createReadStream({ autoClose: false, start: 0 })) hash.update(part as Buffer);
  return hash.digest('hex');
}

async function hashAt(path: string): Promise<string | null> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW).catch(() => null);
  if (!file) return null;
  try {
    return await hashOf(file);
  } finally {
    await file.close();
  }
}

const contentOf = (folder: string, { uuid }: HeldFile) => join(folder, `${uuid}.held`);
const partOf = (folder: string, { uuid }: HeldFile) => join(folder, `${uuid}.part`);
const private_ = 0o600;

/** Moves it into `folder`. What was written down of it is on the disk already; after a crash at any point `settleTaking` goes on from there. */
export async function takeFile(folder: string, entry: HeldFile): Promise<HeldFile> {
  await inFolder(entry.path, async (at) => {
    const { nlink } = await lstat(at);
    // A file with a second name elsewhere keeps that name and its rights: only a copy of it is put away.
    if (nlink > 1 || !(await moved(at, contentOf(folder, entry)))) await copied(folder, entry, at);
  });
  return (await settleTaking(folder, entry)) ?? Promise.reject(new NotDone('gone'));
}

/** False when it lies in another file system. */
async function moved(at: string, to: string): Promise<boolean> {
  try {
    await rename(at, to);
    return true;
  } catch (err) {
    if (codeOf(err) === 'EXDEV') return false;
    throw err;
  }
}

async function copied(folder: string, entry: HeldFile, at: string): Promise<void> {
  const part = partOf(folder, entry);
  await copyFile(at, part);
  await chmod(part, private_);
  const copy = await open(part, 'r+');
  try {
    await copy.sync();
    if ((await hashOf(copy)) !== entry.sha256) throw new NotDone('changed');
  } finally {
    await copy.close();
  }
  await rename(part, contentOf(folder, entry));
}

/**
 * Finishes a taking, wherever it stopped: the entry as it is held now, null when nothing was taken. What was moved and proves to be another file than the
 * one that was looked at goes back; where it cannot, it is held as what it is.
 */
export async function settleTaking(folder: string, entry: HeldFile): Promise<HeldFile | null> {
  const content = contentOf(folder, entry);
  await rm(partOf(folder, entry), { force: true });
  const found = await hashAt(content);
  if (found === null) return null;
  if (found !== entry.sha256) {
    const back = await inFolder(entry.path, (at) => link(content, at)).then(
      () => true,
      () => false,
    );
    if (!back) return { ...entry, sha256: found };
    await rm(content);
    throw new NotDone('changed');
  }
  await chmod(content, private_);
  await syncFolder(folder);
  await inFolder(entry.path, async (at) => {
    if ((await stampAt(at)) === entry.stamp && !(await sameFile(at, content))) await rm(at);
    await syncFolder(dirname(at));
  }).catch(ifGone);
  return entry;
}

/** Puts it back where it lay, with its mode, owner and times; never over something else. After a crash the same again finishes it. */
export async function putFileBack(folder: string, entry: HeldFile): Promise<void> {
  const content = contentOf(folder, entry);
  const found = await hashAt(content);
  const back = await inFolder(entry.path, async (at) => {
    // Put back before it broke off, or by somebody else: it lies there as it was.
    if ((await hashAt(at)) === entry.sha256) return true;
    if (found !== entry.sha256) throw new NotDone(found === null ? 'gone' : 'damaged');
    return putBeside(content, at, entry);
  }).catch(async (err: unknown) => {
    if (found !== null) await chmod(content, private_);
    throw err;
  });
  if (!back) throw new NotDone('place_taken');
  await inFolder(entry.path, async (at) => {
    await rm(besideOf(at, entry), { force: true });
    await syncFolder(dirname(at));
  });
  await rm(content, { force: true });
  await syncFolder(folder);
}

const besideOf = (at: string, { uuid }: HeldFile) => join(dirname(at), `.porchlight-${uuid}`);

/** First whole and with its rights under a name of our own, then under its own name, if that is free: false when it is not. */
async function putBeside(content: string, at: string, entry: HeldFile): Promise<boolean> {
  const beside = besideOf(at, entry);
  await rm(beside, { force: true });
  if (await lstat(at).catch(() => null)) return false;
  try {
    await linked(content, beside);
    await asItWas(beside, entry);
    await link(beside, at);
    return true;
  } catch (err) {
    await rm(beside, { force: true });
    if (codeOf(err) === 'EEXIST') return false;
    throw err;
  }
}

/** Under a name of our own beside its place: the same file, or a whole copy where that is another file system. */
async function linked(content: string, beside: string): Promise<void> {
  try {
    await link(content, beside);
  } catch (err) {
    if (codeOf(err) !== 'EXDEV' && codeOf(err) !== 'EPERM') throw err;
    await copyFile(content, beside, constants.COPYFILE_EXCL);
    const copy = await open(beside, 'r+');
    await copy.sync().finally(() => copy.close());
  }
}

async function asItWas(path: string, { uid, gid, mode, atime_ms, mtime_ms }: HeldFile): Promise<void> {
  // The owner first: the system takes special rights away from what changes hands.
  if (process.platform !== 'win32') await chown(path, uid, gid);
  await chmod(path, mode);
  await utimes(path, atime_ms / 1000, mtime_ms / 1000);
}

/** For good. */
export async function deleteFile(folder: string, entry: HeldFile): Promise<void> {
  await rm(contentOf(folder, entry), { force: true });
}

async function sameFile(a: string, b: string): Promise<boolean> {
  const [one, other] = await Promise.all([a, b].map((path) => lstat(path).catch(() => null)));
  return one != null && other != null && one.ino === other.ino && one.dev === other.dev;
}

function ifGone(err: unknown): null {
  if (err instanceof NotDone && err.why === 'gone') return null;
  throw err;
}
