import { createHash } from 'node:crypto';
import { chmod, open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type { UpdateFile } from '@porchlight/contract/updates.ts';
import { ask } from '../../lib/http.ts';

const TIMEOUT_MS = 30 * 60_000;

export class BadUpdate extends Error {}

/**
 * Downloads a file of an update to `path`, verified and atomically; reads and unpacks at most the signed sizes. Throws `BadUpdate`, or a
 * network or disk error.
 */
export async function stageFile(server: string, file: UpdateFile, path: string, stop: AbortSignal): Promise<void> {
  const answer = await ask(`${server}/downloads/update/${file.sha256}`, {
    signal: AbortSignal.any([stop, AbortSignal.timeout(TIMEOUT_MS)]),
  });
  if (!answer.ok) {
    answer.body.destroy();
    throw new Error(`the server answered ${answer.status} for a part of the update`);
  }
  const hash = createHash('sha256');
  const partial = `${path}.part`;
  const output = await open(partial, 'w', 0o700);
  try {
    await pipeline(
      answer.body,
      (pieces: AsyncIterable<Buffer>) =>
        atMost(pieces, file.size, (chunk) => {
          hash.update(chunk);
        }),
      createGunzip(),
      (pieces: AsyncIterable<Buffer>) => atMost(pieces, file.unpacked_size, () => {}),
      async (chunks: AsyncIterable<Buffer>) => {
        for await (const chunk of chunks) await output.writeFile(chunk);
      },
    ).catch((err: NodeJS.ErrnoException) => {
      throw err.code?.startsWith('Z_') ? new BadUpdate('it cannot be unpacked', { cause: err }) : err;
    });
    if (hash.digest('hex') !== file.sha256) throw new BadUpdate('its hash is another one');
    await output.sync();
    await output.close();
    await chmod(partial, 0o755);
    await rename(partial, path);
  } catch (err) {
    await output.close().catch(() => {});
    await rm(partial, { force: true });
    throw err;
  }
}

async function* atMost(chunks: AsyncIterable<Buffer>, size: number, onChunk: (chunk: Buffer) => void): AsyncGenerator<Buffer> {
  let length = 0;
  for await (const chunk of chunks) {
    length += chunk.length;
    if (length > size) throw new BadUpdate('it is longer than was signed');
    onChunk(chunk);
    yield chunk;
  }
  if (length !== size) throw new BadUpdate('it is shorter than was signed');
}

/** Downloads the files of an update; skips existing libraries, whose names contain their version. Returns the path of the new program. */
export async function stage(server: string, files: UpdateFile[], folder: string, program: string, stop: AbortSignal): Promise<string> {
  const staged = `${program}.new`;
  for (const file of files) {
    const path = file.name === 'agent' ? staged : join(folder, file.name);
    const existingFile = file.name === 'agent' ? null : await readFile(path).catch(() => null);
    if (existingFile?.length === file.unpacked_size) continue;
    await stageFile(server, file, path, stop);
  }
  return staged;
}
