import type { Writable } from 'node:stream';
import { NotDone } from '../not-done.ts';
import { type FileRequest, firstLine } from './protocol.ts';
import { type FileFacts, putFile, readFile, removeFile } from './work.ts';

/** Performs the request read from `input` with this process's rights, and writes the answer to `output`. */
export async function answerAsOwner(input: AsyncIterable<Buffer>, output: Writable): Promise<void> {
  const sendReply = (answer: object) => writeFully(output, Buffer.from(`${JSON.stringify(answer)}\n`));
  try {
    const { line, rest } = await firstLine(input);
    await perform(JSON.parse(line) as FileRequest, rest, async (facts, content) => {
      await sendReply({ facts });
      for await (const chunk of content ?? []) await writeFully(output, chunk);
    });
  } catch (err) {
    await sendReply({ why: err instanceof NotDone ? err.why : 'refused' });
  }
}

type SendAnswer = (facts: FileFacts | null, content?: AsyncIterable<Buffer>) => Promise<void>;

async function perform(request: FileRequest, content: AsyncIterable<Buffer>, sendAnswer: SendAnswer): Promise<void> {
  const { platform } = request;
  switch (request.kind) {
    case 'read':
      return readFile(request.path, platform, sendAnswer);
    case 'remove':
      await removeFile(request.path, request.stamp, platform);
      return sendAnswer(null);
    case 'put':
      await putFile(request.path, request.wanted, platform, content);
      return sendAnswer(null);
  }
}

/** Resolves when the operating system has the data, so that no data is lost when this process ends. */
function writeFully(output: Writable, data: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    output.write(data, (err) => (err ? reject(err) : resolve()));
  });
}
