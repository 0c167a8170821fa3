import { chmod, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { hashAt } from '../lib/files/work.ts';
import { NotDone } from '../lib/not-done.ts';
import type { Os } from '../os/port.ts';
import { syncFolder } from '../state/files.ts';
import type { QuarantinedFile } from './entry.ts';

type Files = Pick<Os, 'files'>;

const contentOf = (folder: string, { uuid }: Pick<QuarantinedFile, 'uuid'>) => join(folder, `${uuid}.held`);
const partOf = (folder: string, { uuid }: Pick<QuarantinedFile, 'uuid'>) => join(folder, `${uuid}.part`);
const PRIVATE_MODE = 0o600;

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
 * Keeps the copy and deletes the original; `finishTaking` continues after a crash. The original is never moved, because in a user's folder
 * another file may have its name by then.
 */
export async function takeFile(folder: string, os: Files, entry: QuarantinedFile): Promise<QuarantinedFile> {
  await rename(partOf(folder, entry), contentOf(folder, entry));
  const takenEntry = await finishTaking(folder, os, entry);
  return takenEntry ?? Promise.reject(new NotDone('gone'));
}

export async function finishTaking(folder: string, { files }: Files, entry: QuarantinedFile): Promise<QuarantinedFile | null> {
  const content = contentOf(folder, entry);
  await forgetCopy(folder, entry);
  const contentHash = await hashAt(content);
  if (contentHash === null) return null;
  await chmod(content, PRIVATE_MODE);
  await syncFolder(folder);
  // A copy that differs from the scanned file stays in quarantine, and nothing is deleted.
  if (contentHash !== entry.sha256) return { ...entry, sha256: contentHash };
  try {
    await files.remove(entry.path, entry.stamp);
  } catch (err) {
    // The original exists unchanged or cannot be checked, so the copy is deleted.
    if (!(err instanceof NotDone) || err.why === 'gone') return entry;
    await rm(content);
    throw err;
  }
  return entry;
}

/** Restores the file with its permissions and times, never over another file. Can be repeated after a crash. */
export async function restoreFile(folder: string, { files }: Files, entry: QuarantinedFile): Promise<void> {
  const content = contentOf(folder, entry);
  const contentHash = await hashAt(content);
  if (contentHash === entry.sha256) {
    const { path, uuid, sha256, size, mode, uid, gid, by = uid, mtime_ms, atime_ms } = entry;
    await files.putBack(path, content, { uuid, sha256, size, mode, uid, gid, by, mtime_ms, atime_ms });
  } else if (contentHash !== null || (await files.sha256At(entry.path)) !== entry.sha256) {
    // No error when the file was restored already, before a crash or by the user.
    throw new NotDone(contentHash === null ? 'gone' : 'damaged');
  }
  await rm(content, { force: true });
  await syncFolder(folder);
}

export async function deleteFile(folder: string, entry: QuarantinedFile): Promise<void> {
  await rm(contentOf(folder, entry), { force: true });
}
