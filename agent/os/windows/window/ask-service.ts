import { connect, type Socket } from 'node:net';
import { bridgePath } from './bridge.ts';
import { type FromWindow, readAnswers, type ToWindow, writeLine } from './lines.ts';

/** Connects to the service and nobody else; null where it is not there, or another program stands in for it. */
export type Dial = (path: string) => Promise<Socket | null>;

/** Whoever is there: in tests, which have a path that only they know. */
export const dialAnyone: Dial = (path) =>
  new Promise((resolve) => {
    const socket = connect(path, () => resolve(socket));
    socket.once('error', () => resolve(null));
  });

/** Says one thing to the service. False when it does not run. */
export async function tellService(line: FromWindow, dial: Dial, path = bridgePath): Promise<boolean> {
  const socket = await dial(path);
  if (!socket) return false;
  writeLine(socket, line);
  await new Promise((resolve) => socket.end(() => resolve(null)));
  return true;
}

/** Stays connected for as long as the person is logged in, through every restart of the service. `show` is called with addresses of our own window only. */
export function stayConnected(session: number, show: (url: string) => void, dial: Dial, path = bridgePath): { open(): void } {
  let now: Socket | null = null;
  const take = (line: ToWindow) => {
    // What it sends us to could be anywhere, were it not the service after all.
    if (line.kind === 'show' && /^http:\/\/127\.0\.0\.1:\d{1,5}\/ui\/\S*$/.test(line.url)) show(line.url);
  };
  const begin = async () => {
    now = await dial(path);
    if (now) {
      readAnswers(now, take);
      writeLine(now, { kind: 'window', session });
      await new Promise((resolve) => now?.on('error', () => {}).once('close', resolve));
    }
    now = null;
    setTimeout(() => void begin(), 1000);
  };
  void begin();
  return { open: () => void (now && writeLine(now, { kind: 'open' })) };
}
