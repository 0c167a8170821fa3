import { createHash } from 'node:crypto';
import { realpathSync, unlinkSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The kernel releases the lock when this process ends in any way. */
export interface DataLock {
  release(): Promise<void>;
}

/** Only one server may use a data folder. Null when another server does. */
export async function lockDataFolder(folder: string): Promise<DataLock | null> {
  const name = `porchlight-${createHash('sha256').update(realpathSync(folder)).digest('hex').slice(0, 24)}`;
  const address = { linux: `\0${name}`, win32: `\\\\.\\pipe\\${name}` }[process.platform as string] ?? join(tmpdir(), `${name}.sock`);
  const server = (await listenOn(address)) ?? (await takeOver(address));
  return server && { release: () => new Promise((resolve) => server.close(() => resolve())) };
}

function listenOn(address: string): Promise<Server | null> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy());
    server.unref();
    server.once('error', (err: NodeJS.ErrnoException) => (err.code === 'EADDRINUSE' ? resolve(null) : reject(err)));
    server.listen(address, () => resolve(server));
  });
}

/** On macOS the lock is a socket file, which a dead process leaves behind without a listener. */
async function takeOver(address: string): Promise<Server | null> {
  if (!address.endsWith('.sock')) return null;
  const isAlive = await new Promise<boolean>((resolve) => {
    const socket = connect(address, () => resolve(true));
    socket.once('error', () => resolve(false));
    socket.once('close', () => socket.destroy());
  });
  if (isAlive) return null;
  unlinkSync(address);
  return listenOn(address);
}
