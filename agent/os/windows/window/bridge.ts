import { createServer, type Socket } from 'node:net';
import { type FromWindow, readLines, type ToWindow, writeLine } from './lines.ts';

/**
 * The pipe between the service and users' programs. The service creates it before anyone logs in, and only if it does not exist (Node sets
 * FILE_FLAG_FIRST_PIPE_INSTANCE). Clients check the server's process.
 */
export const bridgePath = '\\\\.\\pipe\\porchlight';

export interface Bridge {
  /** False when no window is connected. */
  show(url: string): boolean;
  close(): Promise<void>;
}

/** Requests of users' programs. None of them weakens protection. */
export interface BridgeRequests {
  open(): void;
  /** *I need help now*. */
  help(): void;
  /** Windows prevented this file from starting. */
  blocked(path: string): void;
  /** The ID of the session at the screen. */
  atScreen(): number;
  /** Grants users access to the pipe, without the right to impersonate the service. */
  allowUsers?(path: string): void;
}

/** Limits in messages, above normal use. */
const [LINES_PER_SECOND, BLOCKED_PER_MINUTE] = [5, 10];

/**
 * Every local user may connect; invalid or too many messages end the connection. Reports of blocked files are limited, since each report
 * notifies the relatives.
 */
export async function openBridge(requests: BridgeRequests, path = bridgePath): Promise<Bridge> {
  const sockets = new Set<Socket>();
  const windows = new Map<Socket, number>();
  const mayReport = rateLimit(BLOCKED_PER_MINUTE, 60_000);
  const handleLine =
    (socket: Socket, mayContinue = rateLimit(LINES_PER_SECOND, 1000)) =>
    (line: FromWindow) => {
      if (!mayContinue()) socket.destroy();
      else if (line.kind === 'window') windows.set(socket, line.session);
      else if (line.kind === 'open') requests.open();
      else if (line.kind === 'help') requests.help();
      else if (line.kind === 'blocked' && mayReport()) requests.blocked(line.path);
    };
  const server = createServer((socket) => {
    sockets.add(socket);
    const forget = () => {
      sockets.delete(socket);
      windows.delete(socket);
    };
    socket.on('close', forget).on('error', () => socket.destroy());
    readLines(socket, handleLine(socket));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ path }, resolve);
  });
  try {
    requests.allowUsers?.(path);
  } catch (err) {
    server.close();
    throw err;
  }
  return {
    show(url) {
      const openWindows = [...windows];
      const screenWindows = openWindows.filter(([, session]) => session === requests.atScreen());
      const line: ToWindow = { kind: 'show', url };
      // The address works once: for the session at the screen, or else the latest window.
      const [socket] = screenWindows.at(-1) ?? openWindows.at(-1) ?? [];
      return socket ? writeLine(socket, line) : false;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        // The server closes only after all connections have ended.
        for (const socket of sockets) socket.destroy();
      }),
  };
}

/** A rate limit: `maxCalls` calls within `periodMs`. */
function rateLimit(maxCalls: number, periodMs: number): () => boolean {
  let callTimes: number[] = [];
  return () => {
    const now = performance.now();
    callTimes = callTimes.filter((callTime) => now - callTime < periodMs);
    return callTimes.length < maxCalls && callTimes.push(now) > 0;
  };
}
