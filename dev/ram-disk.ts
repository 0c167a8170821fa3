import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm, statfs } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ramDisk = '/dev/shm';
/** Short, as `socketName` and the number in between: the path of a socket has at most 107 bytes. */
const prefix = 'porchlight-run-';
/** The socket in the folder on which its run listens. */
const socketName = 'in-use';
/** In bytes; the tests' databases need less than half of it. */
const neededSpace = 4 * 1024 ** 3;

/**
 * A folder in `parent` for temporary files of tests. `close` removes it. Removes folders of earlier runs that were killed: nobody listens on
 * their sockets any longer. A process id would not do, because runs in namespaces of their own do not see each other's processes.
 */
export async function openTestFolder(parent?: string): Promise<{ folder: string; close(): Promise<void> }> {
  parent ??= await fastestParent();
  for (const name of await readdir(parent)) {
    if (name.startsWith(prefix) && !(await isInUse(join(parent, name)))) await rm(join(parent, name), { recursive: true, force: true });
  }
  const id = randomBytes(3).toString('hex');
  const folder = join(parent, `${prefix}${id}`);
  // Other runs see the folder only once its socket listens. Some tests start programs in it as another user.
  const hiddenFolder = join(parent, `.${prefix}${id}`);
  await mkdir(hiddenFolder, { mode: 0o755 });
  const server = createServer((socket) => socket.destroy()).listen(join(hiddenFolder, socketName));
  server.unref();
  await once(server, 'listening');
  await rename(hiddenFolder, folder);
  return {
    folder,
    async close() {
      server.close();
      await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

/** In memory where there is enough of it: databases wait for no disk there. */
async function fastestParent(): Promise<string> {
  if (process.platform !== 'linux' || !existsSync(ramDisk)) return tmpdir();
  const { bavail, bsize } = await statfs(ramDisk);
  return bavail * bsize > neededSpace ? ramDisk : tmpdir();
}

async function isInUse(folder: string): Promise<boolean> {
  const socket = connect(join(folder, socketName));
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
