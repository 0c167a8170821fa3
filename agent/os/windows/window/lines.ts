import type { Socket } from 'node:net';
import { z } from 'zod';

/** Paths must start with a local drive: reading a remote path or a device could block. */
const localFilePattern = /^[a-z]:\\/i;

/** Newline-delimited JSON from users' programs to the service. */
const fromWindow = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('window'), session: z.number().int() }),
  z.object({ kind: z.enum(['open', 'help']) }),
  z.object({ kind: z.literal('blocked'), path: z.string().max(2000).regex(localFilePattern) }),
]);
export type FromWindow = z.infer<typeof fromWindow>;

/** From the service: an address that works once. */
const toWindow = z.object({ kind: z.literal('show'), url: z.string().max(500) });
export type ToWindow = z.infer<typeof toWindow>;

const MAX_LINE_LENGTH = 8192;

/** Ends the connection at the first invalid or overlong line. */
export const readLines = (socket: Socket, handleLine: (line: FromWindow) => void) => readMessages(socket, fromWindow, handleLine);
export const readAnswers = (socket: Socket, handleLine: (line: ToWindow) => void) => readMessages(socket, toWindow, handleLine);

function readMessages<T>(socket: Socket, schema: z.ZodType<T>, handleLine: (line: T) => void): void {
  let unfinishedLine = '';
  socket.setEncoding('utf8').on('data', (text: string) => {
    const lines = (unfinishedLine + text).split('\n');
    unfinishedLine = lines.pop() ?? '';
    for (const line of lines) {
      if (socket.destroyed) return;
      const parsed = schema.safeParse(parseJson(line));
      if (!parsed.success) return void socket.destroy();
      handleLine(parsed.data);
    }
    if (unfinishedLine.length > MAX_LINE_LENGTH) socket.destroy();
  });
}

/** False when the connection is closed. */
export function writeLine(socket: Socket, line: FromWindow | ToWindow): boolean {
  if (socket.destroyed || !socket.writable) return false;
  socket.write(`${JSON.stringify(line)}\n`);
  return true;
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
