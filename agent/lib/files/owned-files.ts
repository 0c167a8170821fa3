import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { lstat, open, rm } from 'node:fs/promises';
import { agentLimits } from '@porchlight/contract/agent-limits.ts';
import { NotDone } from '../not-done.ts';
import { ownCommand, type StartedAs } from '../own-program.ts';
import { asOwner } from './as-owner.ts';
import type { FileRequest } from './protocol.ts';
import { whoseFolder } from './whose-folder.ts';
import { type FileFacts, type FileWanted, putFile, readFile, removeFile } from './work.ts';

export type FileTaken = FileFacts & { sha256: string; by: number };

export interface OwnedFilesDeps {
  command: () => string[];
  platform?: NodeJS.Platform;
}

export const ownerCommand = (process: StartedAs): (() => string[]) => ownCommand(process, 'as-owner');

/**
 * Works on files in users' folders, on Linux and macOS. Root's rights are used only where nobody else can replace the file; otherwise a
 * process with the folder owner's rights does the work, so that a replaced path gains nothing. Each method but `sha256At` throws `NotDone`.
 */
export function ownedFiles({ command, platform = process.platform }: OwnedFilesDeps) {
  const ownerOf = (path: string) => async () => (await lstat(path)).uid;
  const ownUid = process.getuid?.() ?? 0;

  const readAs = async (path: string, uid: number, take: (facts: FileFacts, content: AsyncIterable<Buffer>) => Promise<void>) => {
    if (uid === ownUid) return mapPermissionErrors(readFile(path, platform, take));
    return asOwner({ command, uid }, { kind: 'read', path, platform }, null, take);
  };
  const performAs = async (by: number, request: FileRequest, content: AsyncIterable<Buffer> | null, performHere: () => Promise<void>) =>
    by === ownUid ? mapPermissionErrors(performHere()) : asOwner({ command, uid: by }, request, content);

  return {
    async copyOut(path: string, to: string): Promise<FileTaken> {
      const by = await whoseFolder(path, ownerOf(path));
      let copiedFile: FileTaken | null = null;
      try {
        await readAs(path, by, async (facts, content) => {
          const sha256 = await copyContent(facts.size, content, to);
          copiedFile = { ...facts, sha256, by };
        });
      } catch (err) {
        await rm(to, { force: true });
        throw err;
      }
      return copiedFile ?? Promise.reject(new NotDone('refused'));
    },
    async sha256At(path: string): Promise<string | null> {
      try {
        const hash = createHash('sha256');
        await readAs(path, await whoseFolder(path, ownerOf(path)), async (_facts, content) => {
          for await (const chunk of content) hash.update(chunk);
        });
        return hash.digest('hex');
      } catch {
        return null;
      }
    },
    /** Deletes the file if it still has this stamp; no error when it was replaced or deleted. */
    async remove(path: string, stamp: string): Promise<void> {
      const uid = await whoseFolder(path, ownerOf(path));
      await performAs(uid, { kind: 'remove', path, stamp, platform }, null, () => removeFile(path, stamp, platform));
    },
    /** Restores the copy `from` as a new file. `by`: the uid whose rights read the original; no other user may receive it. */
    async putBack(path: string, from: string, restored: FileWanted & { by: number }): Promise<void> {
      const { by: copiedBy, ...file } = restored;
      const readerUid = await whoseFolder(path, async () => copiedBy || file.uid);
      if (readerUid !== ownUid && readerUid !== copiedBy && readerUid !== file.uid) throw new NotDone('protected');
      const content = createReadStream(from);
      await performAs(readerUid, { kind: 'put', path, wanted: file, platform }, content, () =>
        putFile(path, file, platform, content),
      ).finally(() => content.destroy());
    },
  };
}

/** Returns the SHA-256. Throws when the length differs from `size`. */
async function copyContent(size: number, content: AsyncIterable<Buffer>, to: string): Promise<string> {
  if (size > agentLimits.quarantine_file_max) throw new NotDone('refused');
  const hash = createHash('sha256');
  const file = await open(to, 'wx', 0o600);
  try {
    let length = 0;
    for await (const chunk of content) {
      length += chunk.length;
      if (length > size) throw new NotDone('changed');
      hash.update(chunk);
      await file.writeFile(chunk);
    }
    if (length !== size) throw new NotDone('changed');
    await file.sync();
  } finally {
    await file.close();
  }
  return hash.digest('hex');
}

const permissionErrors = new Set(['EACCES', 'EPERM', 'EROFS', 'EBUSY', 'ENOSPC', 'ETXTBSY', 'ELOOP']);

async function mapPermissionErrors(work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (err) {
    throw permissionErrors.has((err as NodeJS.ErrnoException).code ?? '') ? new NotDone('refused') : err;
  }
}
