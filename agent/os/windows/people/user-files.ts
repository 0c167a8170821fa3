import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { win32 } from 'node:path';
import { agentLimits } from '@porchlight/contract/agent-limits.ts';
import { NotDone } from '../../../lib/not-done.ts';
import type { UserFiles } from '../../port.ts';
import type { FileCalls } from '../native/files.ts';
import type { Handle } from '../native/kernel.ts';
import { type HandleFacts, nameByHandle, openByHandle, readFacts, removeByHandle, setTimes } from './open-by-handle.ts';

const chunkSize = 1 << 20;

/** The same stamp as `stampOf` of agent/lib/stamp.ts. */
const stampOf = ({ index, size, written }: HandleFacts) => `${index}:${size}:${(written - 116_444_736_000_000_000n) * 100n}`;

/** A user could replace a folder by a junction, so each file is opened in one call that follows no links, and all work uses that handle. */
export function userFiles(calls: FileCalls): UserFiles {
  const closeAfter = async <T>(file: Handle, work: () => Promise<T> | T): Promise<T> => {
    try {
      return await work();
    } finally {
      calls.close(file);
    }
  };
  async function* contentOf(file: Handle): AsyncGenerator<Buffer> {
    for (;;) {
      const [buffer, byteCount] = [Buffer.alloc(chunkSize), [0]];
      if (!calls.read(file, buffer, chunkSize, byteCount, null)) throw new NotDone('refused');
      if (!byteCount[0]) return;
      yield buffer.subarray(0, byteCount[0]);
    }
  }
  /** Copies a file's content; resolves to its SHA-256. */
  const copyContent = async (file: Handle, sourcePath: string): Promise<string> => {
    const hash = createHash('sha256');
    for await (const chunk of createReadStream(sourcePath)) {
      hash.update(chunk as Buffer);
      for (let remainingBytes = chunk as Buffer; remainingBytes.length; ) {
        const byteCount = [0];
        if (!calls.write(file, remainingBytes, remainingBytes.length, byteCount, null) || !byteCount[0]) throw new NotDone('refused');
        remainingBytes = remainingBytes.subarray(byteCount[0]);
      }
    }
    return hash.digest('hex');
  };
  const sha256Of = async (path: string) => {
    const file = openByHandle(calls, path, 'read');
    return closeAfter(file, async () => {
      readFacts(calls, file);
      const hash = createHash('sha256');
      for await (const chunk of contentOf(file)) hash.update(chunk);
      return hash.digest('hex');
    });
  };

  return {
    async copyOut(path, targetPath) {
      const file = openByHandle(calls, path, 'read');
      return closeAfter(file, async () => {
        const facts = readFacts(calls, file);
        if (facts.size > agentLimits.quarantine_file_max) throw new NotDone('refused');
        const hash = createHash('sha256');
        const copy = await open(targetPath, 'wx', 0o600);
        try {
          for await (const chunk of contentOf(file)) {
            hash.update(chunk);
            await copy.writeFile(chunk);
          }
          await copy.sync();
        } catch (err) {
          await copy.close();
          await rm(targetPath, { force: true });
          throw err;
        }
        await copy.close();
        const { size, mtime_ms, atime_ms } = facts;
        return { size, mtime_ms, atime_ms, mode: 0, uid: 0, gid: 0, by: 0, stamp: stampOf(facts), sha256: hash.digest('hex') };
      });
    },
    sha256At: (path) => sha256Of(path).catch(() => null),
    async remove(path, stamp) {
      const file = openByHandle(calls, path, 'remove');
      await closeAfter(file, () => {
        if (stampOf(readFacts(calls, file)) === stamp) removeByHandle(calls, file);
      });
    },
    async putBack(path, sourcePath, { uuid, sha256, mtime_ms, atime_ms }) {
      const folder = win32.dirname(path);
      const temporary = win32.join(folder, `.porchlight-${uuid}`);
      const openFolder = openByHandle(calls, folder, 'folder');
      await closeAfter(openFolder, async () => {
        const existingHash = await sha256Of(path).catch((err: NotDone) => err.why);
        if (existingHash === sha256) return;
        if (existingHash !== 'gone') throw new NotDone('place_taken');
        removePartialFile(calls, temporary);
        const file = openByHandle(calls, temporary, 'create');
        await closeAfter(file, async () => {
          try {
            if ((await copyContent(file, sourcePath)) !== sha256) throw new NotDone('damaged');
            setTimes(calls, file, { mtime_ms, atime_ms });
            if (!calls.flush(file)) throw new NotDone('refused');
            nameByHandle(calls, file, openFolder, win32.basename(path));
          } catch (err) {
            removeByHandle(calls, file);
            throw err;
          }
        });
      });
    },
  };
}

/** Null for a file that is missing, larger than `largest` bytes, or must not be read. */
export async function userText(calls: FileCalls, path: string, largest: number): Promise<string | null> {
  try {
    const file = openByHandle(calls, path, 'read');
    try {
      const { size } = readFacts(calls, file);
      const [buffer, byteCount] = [Buffer.alloc(Math.min(size, largest)), [0]];
      if (size > largest || !calls.read(file, buffer, buffer.length, byteCount, null)) return null;
      return buffer.toString('utf8', 0, byteCount[0]);
    } finally {
      calls.close(file);
    }
  } catch {
    return null;
  }
}

/** Removes the partial file of an interrupted call. */
function removePartialFile(calls: FileCalls, path: string): void {
  try {
    const file = openByHandle(calls, path, 'remove');
    try {
      removeByHandle(calls, file);
    } finally {
      calls.close(file);
    }
  } catch (err) {
    if (!(err instanceof NotDone && err.why === 'gone')) throw err;
  }
}
