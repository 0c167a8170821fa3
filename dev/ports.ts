import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Can a server listen here? */
export function isFree(port: number, host = '127.0.0.1'): Promise<boolean> {
  return listenOnce(port, host).then(
    () => true,
    () => false,
  );
}

/**
 * A port that nobody listens on at this moment. Not one of those that systems hand out by themselves, which begin at 32,768: a
 * connection of another program could have it before it is used.
 */
export async function freePort(): Promise<number> {
  const port = randomInt(24_000, 32_000);
  return (await isFree(port)) ? port : freePort();
}

/** Listens there once, and stops; rejects with why it could not. */
export function listenOnce(port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(port, host, () => server.close(() => resolve()));
  });
}
