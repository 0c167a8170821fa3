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

/** Fetches from a server that answers so; answers what lies there afterwards. */
async function staged(answer: Buffer, wanted = file): Promise<string[]> {
  const server = createServer((_request, response) => void response.end(answer));
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const folder = await temporaryFolder();
  const path = join(folder, 'agent.new');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const outcome = await stageFile(url, wanted, path, new AbortController().signal).then(
    () => 'staged',
    (err: Error) => (err instanceof BadUpdate ? `refused: ${err.message}` : String(err)),
  );
  if (outcome === 'staged') {
    expect((await readFile(path)).equals(content)).toBe(true);
    expect((await stat(path)).mode & 0o777).toBe(0o755);
  }
  return [outcome, ...(await readdir(folder))];
}

test('a signed update is staged whole and executable', async () => {
  expect(await staged(packed)).toEqual(['staged', 'agent.new']);
});

test('an update file with another content is not staged', async () => {
  const other = gzipSync(randomBytes(200_000), { level: 0 });
  expect(other.length).toBe(packed.length);
  expect(await staged(other)).toEqual(['refused: its hash is another one']);
});

test.each([
  ['longer', Buffer.concat([packed, Buffer.alloc(1)]), file, 'refused: it is longer than was signed'],
  ['cut off', packed.subarray(0, -1), file, 'refused: '],
  ['no packed file', randomBytes(packed.length), file, 'refused: it cannot be unpacked'],
  ['larger when it is unpacked', packed, { ...file, unpacked_size: 1000 }, 'refused: it is longer than was signed'],
  ['smaller when it is unpacked', packed, { ...file, unpacked_size: 300_000 }, 'refused: it is shorter than was signed'],
])('nothing is left of one that is %s', async (_what, answer, wanted, outcome) => {
  const [said, ...left] = await staged(answer, wanted);
  expect(said).toContain(outcome);
  expect(left).toEqual([]);
});
