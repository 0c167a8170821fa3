import { createHash, randomBytes } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../testing/agent.ts';
import { BadUpdate, stageFile } from './stage.ts';

const content = randomBytes(200_000);
const packed = gzipSync(content, { level: 0 });
const sha256 = createHash('sha256').update(packed).digest('hex');
const file = { target: 'linux-x64' as const, name: 'agent', size: packed.length, sha256, unpacked_size: content.length };

/** Downloads an update file from a server with this answer; returns the outcome and the files left in the folder. */
async function staged(answer: Buffer, requestedFile = file): Promise<string[]> {
  const server = createServer((_request, response) => void response.end(answer));
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const folder = await temporaryFolder();
  const path = join(folder, 'agent.new');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const outcome = await stageFile(url, requestedFile, path, new AbortController().signal).then(
    () => 'staged',
    (err: Error) => (err instanceof BadUpdate ? `refused: ${err.message}` : String(err)),
  );
  if (outcome === 'staged') {
    expect((await readFile(path)).equals(content)).toBe(true);
    expect((await stat(path)).mode & 0o777).toBe(0o755);
  }
  return [outcome, ...(await readdir(folder))];
}

test('a signed update file is staged complete and executable', async () => {
  expect(await staged(packed)).toEqual(['staged', 'agent.new']);
});

test('an update file with another content is not staged', async () => {
  const otherContent = gzipSync(randomBytes(200_000), { level: 0 });
  expect(otherContent.length).toBe(packed.length);
  expect(await staged(otherContent)).toEqual(['refused: its hash is another one']);
});

test.each([
  ['longer', Buffer.concat([packed, Buffer.alloc(1)]), file, 'refused: it is longer than was signed'],
  ['cut off', packed.subarray(0, -1), file, 'refused: '],
  ['no packed file', randomBytes(packed.length), file, 'refused: it cannot be unpacked'],
  ['larger when it is unpacked', packed, { ...file, unpacked_size: 1000 }, 'refused: it is longer than was signed'],
  ['smaller when it is unpacked', packed, { ...file, unpacked_size: 300_000 }, 'refused: it is shorter than was signed'],
])('an update file that is %s leaves no file behind', async (_what, answer, requestedFile, outcome) => {
  const [result, ...filesLeft] = await staged(answer, requestedFile);
  expect(result).toContain(outcome);
  expect(filesLeft).toEqual([]);
});
