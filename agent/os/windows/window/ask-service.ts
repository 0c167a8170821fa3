import { connect, type Socket } from 'node:net';
import { bridgePath } from './bridge.ts';
import { type FromWindow, readAnswers, type ToWindow, writeLine } from './lines.ts';

/** Connects to the service; null when it is missing or another program answers. */
export type Dial = (path: string) => Promise<Socket | null>;

/** Connects without a check; for tests with a private path. */
export const dialAnyone: Dial = (path) =>
  new Promise((resolve) => {
    const socket = connect(path, () => resolve(socket));
    socket.once('error', () => resolve(null));
  });

/** Sends one message to the service. False when it does not run. */
export async function sendToService(line: FromWindow, dial: Dial, path = bridgePath): Promise<boolean> {
  const socket = await dial(path);
  if (!socket) return false;
  writeLine(socket, line);
  await new Promise((resolve) => socket.end(() => resolve(null)));
  return true;
}

export interface Service {
  open(): void;
  help(): void;
}

/** Stays connected while the user is logged in, also when the service restarts. Passes only addresses of our own window to `show`. */
export function stayConnected(session: number, show: (url: string) => void, dial: Dial, path = bridgePath): Service {
  let openSocket: Socket | null = null;
  const handleLine = (line: ToWindow) => {
    // Checks the address, in case another program answers.
    if (line.kind === 'show' && /^http:\/\/127\.0\.0\.1:\d{1,5}\/ui\/\S*$/.test(line.url)) show(line.url);
  };
  const connectAndListen = async () => {
    openSocket = await dial(path);
    if (openSocket) {
      readAnswers(openSocket, handleLine);
      writeLine(openSocket, { kind: 'window', session });
      await new Promise((resolve) => openSocket?.on('error', () => {}).once('close', resolve));
    }
    openSocket = null;
    setTimeout(() => void connectAndListen(), 1000);
  };
  void connectAndListen();
  const ask = (kind: 'open' | 'help') => void (openSocket && writeLine(openSocket, { kind }));
  return { open: () => ask('open'), help: () => ask('help') };
}
