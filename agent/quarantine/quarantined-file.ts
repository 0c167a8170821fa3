import { chmod, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { hashAt } from '../lib/files/work.ts';
import { NotDone } from '../lib/not-done.ts';
import type { Os } from '../os/port.ts';
import { syncFolder } from '../state/files.ts';
import type { QuarantinedFile } from './entry.ts';

/** Works on users' files: never with more rights than they have. */
type Files = Pick<Os, 'files'>;

const contentOf = (folder: string, { uuid }: Pick<QuarantinedFile, 'uuid'>) => join(folder, `${uuid}.held`);
const partOf = (folder: string, { uuid }: Pick<QuarantinedFile, 'uuid'>) => join(folder, `${uuid}.part`);
const private_ = 0o600;

/** Copies a file into `folder`, and answers its metadata. Nothing is taken yet. */
export async function copyOf(
  folder: string,
  { files }: Files,
  uuid: string,
  path: string,
): Promise<Omit<QuarantinedFile, 'uuid' | 'state' | 'taken' | 'identifier' | 'name' | 'category' | 'certainty'>> {
  return { kind: 'file', path, ...(await files.copyOut(path, partOf(folder, { uuid }))) };
}

export const forgetCopy = (folder: string, entry: Pick<QuarantinedFile, 'uuid'>): Promise<void> =>
  rm(partOf(folder, entry), { force: true });

/**
 * Keeps the copy and removes the original. The entry is on the disk already; after a crash at any point `finishTaking` continues. The file is never
 * moved: in a user's folder another file may have its name by then.
 */
export async function takeFile(folder: string, os: Files, entry: QuarantinedFile): Promise<QuarantinedFile> {
  await rename(partOf(folder, entry), contentOf(folder, entry));
  const taken = await finishTaking(folder, os, entry);
  return taken ?? Promise.reject(new NotDone('gone'));
}

/** Finishes taking a file from any point: the entry as it is in quarantine now, null when nothing was taken. */
export async function finishTaking(folder: string, { files }: Files, entry: QuarantinedFile): Promise<QuarantinedFile | null> {
  const content = contentOf(folder, entry);
  await forgetCopy(folder, entry);
  const found = await hashAt(content);
  if (found === null) return null;
  await chmod(content, private_);
  await syncFolder(folder);
  // A copy that differs from the scanned file is kept as what it is, and nothing is removed.
  if (found !== entry.sha256) return { ...entry, sha256: found };
  try {
    await files.remove(entry.path, entry.stamp);
  } catch (err) {
    // The original is still there, or cannot be checked: the copy would be a second one.
    if (!(err instanceof NotDone) || err.why === 'gone') return entry;
    await rm(content);
    throw err;
  }
  return entry;
}

/** Restores the file in place, with its rights and times; never over another one. Repeating it after a crash finishes it. */
export async function putFileBack(folder: string, { files }: Files, entry: QuarantinedFile): Promise<void> {
  const content = contentOf(folder, entry);
  const found = await hashAt(content);
  if (found === entry.sha256) {
    const { path, uuid, sha256, size, mode, uid, gid, by = uid, mtime_ms, atime_ms } = entry;
    await files.putBack(path, content, { uuid, sha256, size, mode, uid, gid, by, mtime_ms, atime_ms });
  } else if (found !== null || (await files.sha256At(entry.path)) !== entry.sha256) {
    // It lies there as it was when it was put back before this broke off, or by somebody else.
    throw new NotDone(found === null ? 'gone' : 'damaged');
  }
  await rm(content, { force: true });
  await syncFolder(folder);
}

/** For good. */
export async function deleteFile(folder: string, entry: QuarantinedFile): Promise<void> {
  await rm(contentOf(folder, entry), { force: true });
}
