import { mkdir, rm } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { dirname } from 'node:path';

/** Of the agent that the system starts, for everyone on this computer; one that was started by hand has its own, in its folder. */
export const systemWindowSocket = process.platform === 'darwin' ? '/var/run/porchlight.window' : '/run/porchlight/window';

/** Whoever knocks more often is not heard each time: the page would open again and again. In milliseconds. */
const pause = 1000;
/** What the agent answers. */
export const heard = 'heard';

export interface WindowSocket {
  close(): Promise<void>;
}

/**
 * Where people's own programs knock to be shown the window: a socket in the file system, which no page of the web reaches. Nothing is read from it, and
 * nothing but the word goes back: the page opens before whoever sits at the screen, whoever knocked. Everyone who may enter its folder can knock.
 * Null where it cannot be made.
 */
export async function openWindowSocket(path: string, show: () => void): Promise<WindowSocket | null> {
  let last = Number.NEGATIVE_INFINITY;
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy()).end(heard);
    socket.resume();
    if (performance.now() - last < pause) return;
    last = performance.now();
    show();
  });
  // What an agent that was killed has left.
  await mkdir(dirname(path), { recursive: true })
    .then(() => rm(path, { force: true }))
    .catch(() => {});
  const open = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false));
    server.listen({ path, readableAll: true, writableAll: true }, () => resolve(true));
  });
  if (!open) return null;
  return { close: () => new Promise((resolve) => server.close(() => resolve())) };
}

/** Knocks at the first of these where somebody is. False when nobody is, or nobody answers within three seconds. */
export async function askForWindow(paths: string[]): Promise<boolean> {
  for (const path of paths) {
    const answer = await new Promise<string>((resolve) => {
      let said = '';
      const socket = connect(path, () => socket.end());
      socket.setEncoding('utf8').on('data', (text: string) => (said += text));
      socket.setTimeout(3000, () => socket.destroy());
      socket.once('error', () => {}).once('close', () => resolve(said));
    });
    if (answer === heard) return true;
  }
  return false;
}
