import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { win32 } from 'node:path';
import { agentLimits } from '@porchlight/contract/agent-limits.ts';
import { NotDone } from '../../../lib/not-done.ts';
import type { PeoplesFiles } from '../../port.ts';
import type { FileCalls } from '../native/files.ts';
import type { Handle } from '../native/kernel.ts';
import { factsOf, type HandleFacts, nameByHandle, openByHandle, removeByHandle, setTimes } from './open-by-handle.ts';

const part = 1 << 20;

/** As `stampOf` of agent/lib/stamp.ts says it of what Node reads: the same file has the same one, whoever looks. */
const stampOf = ({ index, size, written }: HandleFacts) => `${index}:${size}:${(written - 116_444_736_000_000_000n) * 100n}`;

/**
 * Work on files in people's folders, on Windows: the service could be led anywhere by a junction that is put in the place of a folder, so each file is opened
 * in one step that follows none, and everything after that is done with what was opened.
 */
export function peoplesFiles(calls: FileCalls): PeoplesFiles {
  const inFile = async <T>(file: Handle, work: () => Promise<T> | T): Promise<T> => {
    try {
      return await work();
    } finally {
      calls.close(file);
    }
  };
  async function* contentOf(file: Handle): AsyncGenerator<Buffer> {
    for (;;) {
      const [buffer, done] = [Buffer.alloc(part), [0]];
      if (!calls.read(file, buffer, part, done, null)) throw new NotDone('refused');
      if (!done[0]) return;
      yield buffer.subarray(0, done[0]);
    }
  }
  /** Its SHA-256. */
  const written = async (file: Handle, from: string): Promise<string> => {
    const hash = createHash('sha256');
    for await (const one of createReadStream(from)) {
      hash.update(one as Buffer);
      for (let rest = one as Buffer; rest.length; ) {
        const done = [0];
        if (!calls.write(file, rest, rest.length, done, null) || !done[0]) throw new NotDone('refused');
        rest = rest.subarray(done[0]);
      }
    }
    return hash.digest('hex');
  };
  const sha256Of = async (path: string) => {
    const file = openByHandle(calls, path, 'read');
    return inFile(file, async () => {
      factsOf(calls, file);
      const hash = createHash('sha256');
      for await (const one of contentOf(file)) hash.update(one);
      return hash.digest('hex');
    });
  };

  return {
    async copyOut(path, to) {
      const file = openByHandle(calls, path, 'read');
      return inFile(file, async () => {
        const facts = factsOf(calls, file);
        if (facts.size > agentLimits.quarantine_file_max) throw new NotDone('refused');
        const hash = createHash('sha256');
        const copy = await open(to, 'wx', 0o600);
        try {
          for await (const one of contentOf(file)) {
            hash.update(one);
            await copy.writeFile(one);
          }
          await copy.sync();
        } catch (err) {
          await copy.close();
          await rm(to, { force: true });
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
      await inFile(file, () => {
        if (stampOf(factsOf(calls, file)) === stamp) removeByHandle(calls, file);
      });
    },
    async putBack(path, from, { uuid, sha256, mtime_ms, atime_ms }) {
      const folder = win32.dirname(path);
      const beside = win32.join(folder, `.porchlight-${uuid}`);
      const there = openByHandle(calls, folder, 'folder');
      await inFile(there, async () => {
        const before = await sha256Of(path).catch((err: NotDone) => err.why);
        if (before === sha256) return;
        if (before !== 'gone') throw new NotDone('place_taken');
        removeLeft(calls, beside);
        const file = openByHandle(calls, beside, 'create');
        await inFile(file, async () => {
          try {
            if ((await written(file, from)) !== sha256) throw new NotDone('damaged');
            setTimes(calls, file, { mtime_ms, atime_ms });
            if (!calls.flush(file)) throw new NotDone('refused');
            nameByHandle(calls, file, there, win32.basename(path));
          } catch (err) {
            removeByHandle(calls, file);
            throw err;
          }
        });
      });
    },
  };
}

/** Of one that broke off. */
function removeLeft(calls: FileCalls, path: string): void {
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
