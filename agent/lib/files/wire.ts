import type { FileWanted } from './work.ts';

/** What travels between the service and the process that has a person's rights: one line of JSON each way, with the content of a file behind it. */
export type Asked = { path: string; platform: NodeJS.Platform } & (
  | { kind: 'read' }
  | { kind: 'remove'; stamp: string }
  | { kind: 'put'; wanted: FileWanted }
);

/** Longer than any line of ours, in bytes. */
const MAX_BYTES = 64 * 1024;

/** The first line of what comes, and all that comes behind it. Throws when it does not end. */
export async function firstLine(input: AsyncIterable<Buffer>): Promise<{ line: string; rest: AsyncIterable<Buffer> }> {
  const parts = input[Symbol.asyncIterator]();
  let seen = Buffer.alloc(0);
  for (;;) {
    const end = seen.indexOf(10);
    if (end >= 0) return { line: seen.toString('utf8', 0, end), rest: after(seen.subarray(end + 1), parts) };
    const next = await parts.next();
    if (next.done || seen.length > MAX_BYTES) throw new Error('what was said has no end');
    seen = Buffer.concat([seen, next.value]);
  }
}

async function* after(first: Buffer, parts: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  if (first.length) yield first;
  for (let next = await parts.next(); !next.done; next = await parts.next()) yield next.value;
}
