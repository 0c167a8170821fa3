import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { newKeyPair, signDocument } from '@porchlight/definitions/signature.ts';
import { expect, test } from 'vitest';
import { serverForTest, temporaryFolder } from '../../testing/agent.ts';
import { updateRound } from './updater.ts';

test('the old agent ends when the new one protects, also when the swap on disk fails', async () => {
  const [server, folder, key] = [await serverForTest(), await temporaryFolder(), newKeyPair()];
  const program = join(folder, 'agent');
  const packed = gzipSync('the new one');
  const sha256 = createHash('sha256').update(packed).digest('hex');
  server.update.files.set(sha256, packed);
  const file = { target: 'linux-x64' as const, name: 'agent', size: packed.length, sha256, unpacked_size: 11 };
  const dates = { issued: '2026-01-01T00:00:00Z', expires: '2100-01-01T00:00:00Z' };
  const round = async () => {
    const done: string[] = [];
    const over = await updateRound(
      {
        server: server.url,
        release: { target: 'linux-x64' },
        key: async () => key.public_key,
        ...{ version: '1.0.0', program, now: () => new Date(), random: () => 0 },
        manifest: async () => signDocument({ agent_version: '1.0.1', ...dates, files: [file] }, key),
        failed: async () => [],
        noteFailed: async (version) => void done.push(`failed ${version}`),
        handOver: async (staged) => (await readFile(staged, 'utf8')) === 'the new one',
        done: async () => void done.push('left'),
        log: (sentence) => void done.push(sentence),
      },
      new AbortController().signal,
    );
    return { over, done };
  };
  await writeFile(program, 'the old one');
  expect(await round()).toEqual({ over: true, done: ['Version 1.0.1 has taken over.', 'left'] });
  expect([await readFile(program, 'utf8'), await readFile(`${program}.old`, 'utf8')]).toEqual(['the new one', 'the old one']);
  await rm(program);
  const { over, done } = await round();
  expect([over, done.at(-1)]).toEqual([true, 'left']);
  expect(done[0]).toContain('Version 1.0.1 has taken over. It could not be put in the place of version 1.0.0: ');
  expect(existsSync(program)).toBe(false);
});
