import { createHash } from 'node:crypto';
import { chmod, open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type { UpdateFile } from '@porchlight/contract/updates.ts';
import { ask } from '../../lib/http.ts';

/** A hundred megabytes over a slow line take their time. */
const TIMEOUT_MS = 30 * 60_000;

/** The file differs from the signed one. */
export class BadUpdate extends Error {}

/**
 * Fetches one file of an update to `path`, whole and verified, or not at all: no more than the signed size is read or unpacked. Throws `BadUpdate`,
 * or a network or disk error.
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
  const out = await open(partial, 'w', 0o700);
  try {
    await pipeline(
      answer.body,
      (pieces: AsyncIterable<Buffer>) =>
        atMost(pieces, file.size, (piece) => {
          hash.update(piece);
        }),
      createGunzip(),
      (pieces: AsyncIterable<Buffer>) => atMost(pieces, file.unpacked_size, () => {}),
      async (pieces: AsyncIterable<Buffer>) => {
        for await (const piece of pieces) await out.writeFile(piece);
      },
    ).catch((err: NodeJS.ErrnoException) => {
      throw err.code?.startsWith('Z_') ? new BadUpdate('it cannot be unpacked', { cause: err }) : err;
    });
    if (hash.digest('hex') !== file.sha256) throw new BadUpdate('its hash is another one');
    await out.sync();
    await out.close();
    await chmod(partial, 0o755);
    await rename(partial, path);
  } catch (err) {
    await out.close().catch(() => {});
    await rm(partial, { force: true });
    throw err;
  }
}

async function* atMost(pieces: AsyncIterable<Buffer>, size: number, seen: (piece: Buffer) => void): AsyncGenerator<Buffer> {
  let length = 0;
  for await (const piece of pieces) {
    length += piece.length;
    if (length > size) throw new BadUpdate('it is longer than was signed');
    seen(piece);
    yield piece;
  }
  if (length !== size) throw new BadUpdate('it is shorter than was signed');
}

/**
 * Fetches the missing files beside the program. Their names contain the version, so the running agent keeps its own. Answers the path of the new
 * program.
 */
export async function stage(server: string, files: UpdateFile[], folder: string, program: string, stop: AbortSignal): Promise<string> {
  const staged = `${program}.new`;
  for (const file of files) {
    const path = file.name === 'agent' ? staged : join(folder, file.name);
    const there = file.name === 'agent' ? null : await readFile(path).catch(() => null);
    if (there?.length === file.unpacked_size) continue;
    await stageFile(server, file, path, stop);
  }
  return staged;
}
