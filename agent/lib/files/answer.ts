import type { Writable } from 'node:stream';
import { NotDone } from '../not-done.ts';
import { type Asked, firstLine } from './wire.ts';
import { type FileFacts, putFile, readFile, removeFile } from './work.ts';

/** Does what is asked on `input`, once, with the rights that this process has, and answers on `output`. */
export async function answerAsOwner(input: AsyncIterable<Buffer>, output: Writable): Promise<void> {
  const say = (answer: object) => written(output, Buffer.from(`${JSON.stringify(answer)}\n`));
  try {
    const { line, rest } = await firstLine(input);
    await carriedOut(JSON.parse(line) as Asked, rest, async (facts, content) => {
      await say({ facts });
      for await (const part of content ?? []) await written(output, part);
    });
  } catch (err) {
    await say({ why: err instanceof NotDone ? err.why : 'refused' });
  }
}

type PeopleTold = (facts: FileFacts | null, content?: AsyncIterable<Buffer>) => Promise<void>;

async function carriedOut(all: Asked, rest: AsyncIterable<Buffer>, told: PeopleTold): Promise<void> {
  const { platform } = all;
  switch (all.kind) {
    case 'read':
      return readFile(all.path, platform, told);
    case 'remove':
      await removeFile(all.path, all.stamp, platform);
      return told(null);
    case 'put':
      await putFile(all.path, all.wanted, platform, rest);
      return told(null);
  }
}

/** In the hands of the system when this resolves: what ends this process next loses nothing of it. */
function written(output: Writable, part: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    output.write(part, (err) => (err ? reject(err) : resolve()));
  });
}
