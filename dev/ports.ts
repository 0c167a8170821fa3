import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

export function isFree(port: number, host = '127.0.0.1'): Promise<boolean> {
  return listenOnce(port, host).then(
    () => true,
    () => false,
  );
}

/**
 * A free port below 32,768, where systems assign ports automatically: another program's connection could take one of those before it is
 * used. No other call gets this port while this process runs, although nothing listens on it yet: test processes draw at the same time.
 */
export async function freePort(): Promise<number> {
  const port = randomInt(24_000, 32_000);
  return (await reserve(port)) && (await isFree(port)) ? port : freePort();
}

/** Listens on a second port in its place, which the system releases however this process ends. */
function reserve(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer((socket) => socket.destroy()).unref();
    server.on('error', () => resolve(false));
    server.listen(port - 12_000, '127.0.0.1', () => resolve(true));
  });
}

export function listenOnce(port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(port, host, () => server.close(() => resolve()));
  });
}
