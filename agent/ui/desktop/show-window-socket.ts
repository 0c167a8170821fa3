import { mkdir, rm } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { limitConnections } from '../limit-connections.ts';

/** `help`: *I need help now*, which only strengthens protection, so any user may press it. */
export interface SocketPaths {
  window: string;
  help: string;
}

export const socketsIn = (folder: string): SocketPaths => ({ window: join(folder, 'window'), help: join(folder, 'help') });

/** The sockets of an agent that the system starts; an agent started by hand has its sockets in its folder. */
export const systemSockets: SocketPaths =
  process.platform === 'darwin'
    ? { window: '/var/run/porchlight.window', help: '/var/run/porchlight.help' }
    : { window: '/run/porchlight/window', help: '/run/porchlight/help' };

/** Milliseconds between openings; requests in between are ignored, because each would open a page. */
const MIN_INTERVAL_MS = 1000;
/** Milliseconds for a program that has its answer to hang up, or to ask. */
const TIMEOUT_MS = 3000;
export const ANSWER = 'heard';

export interface WindowSocket {
  close(): Promise<void>;
}

/**
 * A Unix socket by which users' programs open the window; web pages cannot reach it. The agent reads nothing from it, and opens the window
 * for the user at the screen only. Null when it cannot be created.
 */
export async function openWindowSocket(path: string, show: () => void): Promise<WindowSocket | null> {
  let last = Number.NEGATIVE_INFINITY;
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy()).end(ANSWER);
    socket.resume();
    const limit = setTimeout(() => socket.destroy(), TIMEOUT_MS);
    socket.once('close', () => clearTimeout(limit));
    if (performance.now() - last < MIN_INTERVAL_MS) return;
    last = performance.now();
    show();
  });
  limitConnections(server, () => false);
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

/** Opens the window through the first socket that answers. False when none answers, each within three seconds. */
export async function askForWindow(paths: string[]): Promise<boolean> {
  for (const path of paths) {
    const answer = await new Promise<string>((resolve) => {
      let received = '';
      const socket = connect(path, () => socket.end());
      socket.setEncoding('utf8').on('data', (text: string) => (received += text));
      socket.setTimeout(TIMEOUT_MS, () => socket.destroy());
      socket.once('error', () => {}).once('close', () => resolve(received));
    });
    if (answer === ANSWER) return true;
  }
  return false;
}
