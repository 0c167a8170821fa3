import { createServer, type Socket } from 'node:net';
import { type FromWindow, readLines, type ToWindow, writeLine } from './lines.ts';

/** Where the service and what runs for each person meet. The service alone can make it: it is there before anyone logs in. */
export const bridgePath = '\\\\.\\pipe\\porchlight';

export interface Bridge {
  /** False when nobody is there to see it. */
  show(url: string): boolean;
  close(): Promise<void>;
}

/** What people's programs may ask of the service. Nothing of it weakens protection. */
export interface BridgeAsked {
  /** The person wants to see the window. */
  open(): void;
  /** Windows has kept this file from being started. */
  blocked(path: string): void;
  /** The session that sits before the screen. */
  atScreen(): number;
}

/** Throws when the path is taken. Everyone on this computer may connect; a line that makes no sense ends the connection. */
export async function openBridge(asked: BridgeAsked, path = bridgePath): Promise<Bridge> {
  const windows = new Map<Socket, number>();
  const take = (socket: Socket) => (line: FromWindow) => {
    if (line.kind === 'window') windows.set(socket, line.session);
    else if (line.kind === 'open') asked.open();
    else asked.blocked(line.path);
  };
  const server = createServer((socket) => {
    socket.on('close', () => windows.delete(socket)).on('error', () => socket.destroy());
    readLines(socket, take(socket));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ path, readableAll: true, writableAll: true }, resolve);
  });
  return {
    show(url) {
      const all = [...windows];
      const atScreen = all.filter(([, session]) => session === asked.atScreen());
      const line: ToWindow = { kind: 'show', url };
      // The address opens once: whoever sits before the screen, or else the one who came last.
      const [socket] = atScreen.at(-1) ?? all.at(-1) ?? [];
      return socket ? writeLine(socket, line) : false;
    },
    close: () =>
      new Promise((resolve) => {
        for (const socket of windows.keys()) socket.destroy();
        server.close(() => resolve());
      }),
  };
}
