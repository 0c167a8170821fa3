import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { lstat, open, rm } from 'node:fs/promises';
import { agentLimits } from '@porchlight/contract/agent-limits.ts';
import { NotDone } from '../not-done.ts';
import { ownCommand, type StartedAs } from '../own-program.ts';
import { asOwner } from './as-owner.ts';
import { whoseFolder } from './whose-folder.ts';
import type { Asked } from './wire.ts';
import { type FileFacts, type FileWanted, putFile, readFile, removeFile } from './work.ts';

/** `by`: with whose rights it was read. */
export type FileTaken = FileFacts & { sha256: string; by: number };

export interface OwnedFilesDeps {
  /** What starts a process that does `answerAsOwner`. */
  command: () => string[];
  /** As if on this system; tests show by it what is done where no folder can be held open. */
  platform?: NodeJS.Platform;
}

/** What starts this program as the process that has a person's rights. */
export const ownerCommand = (process: StartedAs): (() => string[]) => ownCommand(process, 'as-owner');

/**
 * Work on files that lie in people's folders, on Linux and macOS. Root's rights are used only where nobody but root could put something else in the
 * file's place; else a process with the rights of the folder's owner does it, so that whatever is put there meanwhile, nothing can be reached that its
 * owner could not reach anyway. All throw `NotDone`.
 */
export function ownedFiles({ command, platform = process.platform }: OwnedFilesDeps) {
  const ownerOf = (path: string) => async () => (await lstat(path)).uid;
  const ours = process.getuid?.() ?? 0;

  const reading = async (path: string, by: number, take: (facts: FileFacts, content: AsyncIterable<Buffer>) => Promise<void>) => {
    if (by === ours) return orRefused(readFile(path, platform, take));
    return asOwner({ command, uid: by }, { kind: 'read', path, platform }, null, take);
  };
  const doing = async (by: number, asked: Asked, content: AsyncIterable<Buffer> | null, here: () => Promise<void>) =>
    by === ours ? orRefused(here()) : asOwner({ command, uid: by }, asked, content);

  return {
    /** Copies a plain file to `to`, a new file that only we can read, and answers what it is. */
    async copyOut(path: string, to: string): Promise<FileTaken> {
      const by = await whoseFolder(path, ownerOf(path));
      let found: FileTaken | null = null;
      try {
        await reading(path, by, async (facts, content) => {
          const sha256 = await copied(facts.size, content, to);
          found = { ...facts, sha256, by };
        });
      } catch (err) {
        await rm(to, { force: true });
        throw err;
      }
      return found ?? Promise.reject(new NotDone('refused'));
    },
    /** The SHA-256, in hex; null when there is no such file, or none that can be read. */
    async sha256At(path: string): Promise<string | null> {
      try {
        const hash = createHash('sha256');
        await reading(path, await whoseFolder(path, ownerOf(path)), async (_facts, content) => {
          for await (const part of content) hash.update(part);
        });
        return hash.digest('hex');
      } catch {
        return null;
      }
    },
    /** Takes its name away if it is still the file of this stamp; where it is another one, or none, that is well. */
    async remove(path: string, stamp: string): Promise<void> {
      const by = await whoseFolder(path, ownerOf(path));
      await doing(by, { kind: 'remove', path, stamp, platform }, null, () => removeFile(path, stamp, platform));
    },
    /** Puts what is in `from` there as a new file. `by`: with whose rights it was taken; nobody else gets it. */
    async putBack(path: string, from: string, wanted: FileWanted & { by: number }): Promise<void> {
      const { by: before, ...file } = wanted;
      const by = await whoseFolder(path, async () => before || file.uid);
      if (by !== ours && by !== before && by !== file.uid) throw new NotDone('protected');
      const content = createReadStream(from);
      await doing(by, { kind: 'put', path, wanted: file, platform }, content, () => putFile(path, file, platform, content)).finally(() =>
        content.destroy(),
      );
    },
  };
}

/** Answers the SHA-256 of the copied bytes. Throws when their number is not the announced size. */
async function copied(size: number, content: AsyncIterable<Buffer>, to: string): Promise<string> {
  if (size > agentLimits.quarantine_file_max) throw new NotDone('refused');
  const hash = createHash('sha256');
  const file = await open(to, 'wx', 0o600);
  try {
    let length = 0;
    for await (const part of content) {
      length += part.length;
      if (length > size) throw new NotDone('changed');
      hash.update(part);
      await file.writeFile(part);
    }
    if (length !== size) throw new NotDone('changed');
    await file.sync();
  } finally {
    await file.close();
  }
  return hash.digest('hex');
}

const passing = new Set(['EACCES', 'EPERM', 'EROFS', 'EBUSY', 'ENOSPC', 'ETXTBSY', 'ELOOP']);

/** What the system does not allow is said as such; anything else is an error of ours. */
async function orRefused(work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (err) {
    throw passing.has((err as NodeJS.ErrnoException).code ?? '') ? new NotDone('refused') : err;
  }
}
