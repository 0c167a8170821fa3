import type { FileWanted } from './work.ts';

/** The protocol between the service and the process with a user's rights: one line of JSON each way, followed by a file's content. */
export type FileRequest = { path: string; platform: NodeJS.Platform } & (
  | { kind: 'read' }
  | { kind: 'remove'; stamp: string }
  | { kind: 'put'; wanted: FileWanted }
);

const MAX_BYTES = 64 * 1024;

/** Splits the first line from the rest. Throws when the line is too long. */
export async function firstLine(input: AsyncIterable<Buffer>): Promise<{ line: string; rest: AsyncIterable<Buffer> }> {
  const chunks = input[Symbol.asyncIterator]();
  let received = Buffer.alloc(0);
  for (;;) {
    const end = received.indexOf(10);
    if (end >= 0) return { line: received.toString('utf8', 0, end), rest: chunksAfter(received.subarray(end + 1), chunks) };
    const nextChunk = await chunks.next();
    if (nextChunk.done || received.length > MAX_BYTES) throw new Error('what was said has no end');
    received = Buffer.concat([received, nextChunk.value]);
  }
}

async function* chunksAfter(firstChunk: Buffer, chunks: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  if (firstChunk.length) yield firstChunk;
  for (let nextChunk = await chunks.next(); !nextChunk.done; nextChunk = await chunks.next()) yield nextChunk.value;
}
