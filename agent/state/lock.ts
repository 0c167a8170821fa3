import { rm } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Lock {
  /** Resolves when another agent can have it. */
  release(): Promise<void>;
}

/**
 * One agent on one folder. Held by the kernel as long as this process lives: a locked file of Linux and of Windows; elsewhere a
 * socket in the folder, which is only a file that is left over when nobody answers. What lies in the folder nobody has who may not write there;
 * an abstract socket of Linux and a named pipe of Windows anyone could. Null when another one has it.
 */
export async function lockFolder(folder: string, platform: NodeJS.Platform = process.platform): Promise<Lock | null> {
  // Of this process: a bundle for another system has none of it.
  if (process.platform === 'linux' && platform === 'linux') {
    const lock = await (await import('../lib/file-lock.ts')).lockFile(join(folder, 'locked'));
    if (lock !== undefined) return lock && { release: async () => lock.release() };
  }
  if (process.platform === 'win32') {
    const lock = (await import('../lib/file-lock-windows.ts')).lockFile(join(folder, 'locked'));
    return lock && { release: async () => lock.release() };
  }
  const socket = join(folder, 'lock');
  const lock = await listen(socket);
  if (lock || (await answers(socket))) return lock;
  await rm(socket, { force: true });
  return listen(socket);
}

/** As `lockFolder`, but waits for another agent to go, at most so many milliseconds. */
export async function lockWithin(folder: string, timeout: number): Promise<Lock | null> {
  for (const end = Date.now() + timeout; ; await sleep(20)) {
    const lock = await lockFolder(folder);
    if (lock || Date.now() >= end) return lock;
  }
}

function listen(path: string): Promise<Lock | null> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy());
    server.unref();
    server.once('error', (err: NodeJS.ErrnoException) => (err.code === 'EADDRINUSE' ? resolve(null) : reject(err)));
    server.listen(path, () => resolve({ release: () => new Promise((done) => server.close(() => done())) }));
  });
}

function answers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path, () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
