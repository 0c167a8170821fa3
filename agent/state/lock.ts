import { rm } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Lock {
  release(): Promise<void>;
}

/**
 * Allows one agent per folder. The kernel releases the lock with the process: a locked file on Linux and Windows, a socket in the folder on
 * other systems. Unlike an abstract socket or a named pipe, only users who can write to the folder can hold the lock. Null when the folder
 * is locked.
 */
export async function lockFolder(folder: string, platform: NodeJS.Platform = process.platform): Promise<Lock | null> {
  // Compares with `process.platform`, so that a bundle omits the other systems' code.
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

export async function lockWithin(folder: string, timeout: number): Promise<Lock | null> {
  for (const end = performance.now() + timeout; ; await sleep(20)) {
    const lock = await lockFolder(folder);
    if (lock || performance.now() >= end) return lock;
  }
}

function listen(path: string): Promise<Lock | null> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy());
    server.unref();
    server.once('error', (err: NodeJS.ErrnoException) => (err.code === 'EADDRINUSE' ? resolve(null) : reject(err)));
    server.listen(path, () => resolve({ release: () => new Promise((closed) => server.close(() => closed())) }));
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
