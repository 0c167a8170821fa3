import type { Socket } from 'node:net';
import { z } from 'zod';

/** Begins with a drive of this computer. Anything else might lead to another one, or to a device, which whoever looks at it would wait for. */
const localFile = /^[a-z]:\\/i;

/** One line of JSON each. From what runs for a person to the service: */
const fromWindow = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('window'), session: z.number().int() }),
  z.object({ kind: z.literal('open') }),
  z.object({ kind: z.literal('blocked'), path: z.string().max(2000).regex(localFile) }),
]);
export type FromWindow = z.infer<typeof fromWindow>;

/** And back: an address that opens once. */
const toWindow = z.object({ kind: z.literal('show'), url: z.string().max(500) });
export type ToWindow = z.infer<typeof toWindow>;

/** Longer than any line of ours. Characters. */
const MAX_BYTES = 8192;

/** Hands each line to `take`; the first one that makes no sense, or does not end, ends the connection. */
export const readLines = (socket: Socket, take: (line: FromWindow) => void) => read(socket, fromWindow, take);
export const readAnswers = (socket: Socket, take: (line: ToWindow) => void) => read(socket, toWindow, take);

function read<T>(socket: Socket, schema: z.ZodType<T>, take: (line: T) => void): void {
  let rest = '';
  socket.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      if (socket.destroyed) return;
      const parsed = schema.safeParse(parse(line));
      if (!parsed.success) return void socket.destroy();
      take(parsed.data);
    }
    if (rest.length > MAX_BYTES) socket.destroy();
  });
}

/** False when the other side has gone. */
export function writeLine(socket: Socket, line: FromWindow | ToWindow): boolean {
  if (socket.destroyed || !socket.writable) return false;
  socket.write(`${JSON.stringify(line)}\n`);
  return true;
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
