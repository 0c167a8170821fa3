import { createServer, type Socket } from 'node:net';
import { type FromWindow, readLines, type ToWindow, writeLine } from './lines.ts';

/**
 * Where the service and what runs for each person meet. It is there before anyone logs in, and made only where nobody has it: Node asks for the first end of
 * a pipe (FILE_FLAG_FIRST_PIPE_INSTANCE). Whoever connects looks who is at the other end.
 */
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
  /** The path is there, for nobody but ourselves and administrators: lets people in who may speak to us and not stand in for us. */
  letPeopleIn?(path: string): void;
}

/** In lines: more than any person causes. */
const [linesASecond, blockedAMinute] = [5, 10];

/**
 * Throws when the path is taken. Everyone on this computer may connect; a line that makes no sense ends the connection, and so do too many. What is
 * said to have been blocked too often is not passed on: each time the family is told.
 */
export async function openBridge(asked: BridgeAsked, path = bridgePath): Promise<Bridge> {
  const all = new Set<Socket>();
  const windows = new Map<Socket, number>();
  const mayTell = atMost(blockedAMinute, 60_000);
  const take =
    (socket: Socket, mayGoOn = atMost(linesASecond, 1000)) =>
    (line: FromWindow) => {
      if (!mayGoOn()) socket.destroy();
      else if (line.kind === 'window') windows.set(socket, line.session);
      else if (line.kind === 'open') asked.open();
      else if (mayTell()) asked.blocked(line.path);
    };
  const server = createServer((socket) => {
    all.add(socket);
    const forget = () => {
      all.delete(socket);
      windows.delete(socket);
    };
    socket.on('close', forget).on('error', () => socket.destroy());
    readLines(socket, take(socket));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ path }, resolve);
  });
  try {
    asked.letPeopleIn?.(path);
  } catch (err) {
    server.close();
    throw err;
  }
  return {
    show(url) {
      const there = [...windows];
      const atScreen = there.filter(([, session]) => session === asked.atScreen());
      const line: ToWindow = { kind: 'show', url };
      // The address opens once: whoever sits before the screen, or else the one who came last.
      const [socket] = atScreen.at(-1) ?? there.at(-1) ?? [];
      return socket ? writeLine(socket, line) : false;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        // Also whoever has said nothing yet: it ends only when all have gone.
        for (const socket of all) socket.destroy();
      }),
  };
}

/** True as long as it was asked no more than so often within the last so many milliseconds. */
function atMost(times: number, within: number): () => boolean {
  let asked: number[] = [];
  return () => {
    const now = performance.now();
    asked = asked.filter((before) => now - before < within);
    return asked.length < times && asked.push(now) > 0;
  };
}
