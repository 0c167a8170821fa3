import { createHmac, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { readFile, rename, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { z } from 'zod';
import { removeFile, writeWhole } from './files.ts';

const keyBytes = 32;
const copyOf = (path: string) => `${path}.copy`;

/** The key of the checksums, created at the first start. Stored twice, because without the key every file is rejected. */
export async function stateKey(folder: string): Promise<Uint8Array> {
  const path = join(folder, 'state.key');
  for (const keyPath of [path, copyOf(path)]) {
    const key = await readFile(keyPath).catch(() => null);
    if (key?.length === keyBytes) return key;
  }
  const key = randomBytes(keyBytes);
  for (const keyPath of [path, copyOf(path)]) await writeWhole(keyPath, key);
  return key;
}

/** When the key was created, in milliseconds since 1970; null before the first start. */
export async function keyCreated(folder: string): Promise<number | null> {
  const path = join(folder, 'state.key');
  const [key, copy] = await Promise.all([path, copyOf(path)].map((keyPath) => stat(keyPath).catch(() => null)));
  return (key ?? copy)?.mtimeMs ?? null;
}

export type SealedFiles = ReturnType<typeof sealedFiles>;

/**
 * JSON files with a checksum in the first line: HMAC-SHA256 under `key` over name and content, so that damaged, edited or swapped files are
 * rejected. A copy replaces a rejected file (`onRejected` receives its name). `once`: no copy, for frequent short-lived files.
 */
export function sealedFiles(key: Uint8Array, onRejected: (name: string) => void) {
  const checksum = (path: string, json: string) =>
    createHmac('sha256', key)
      .update(`${basename(path)}\0${json}`)
      .digest();
  /** The last write: writes run one at a time, because they share files. */
  let lastTurn: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const turn = lastTurn.catch(() => {}).then(work);
    lastTurn = turn;
    return turn;
  };

  const readSealed = async <T>(source: string, path: string, schema: z.ZodType<T>): Promise<T | null | undefined> => {
    const content = await readFile(source, 'utf8').catch(() => null);
    if (content === null) return undefined;
    const end = content.indexOf('\n');
    const [statedChecksum, json] = [Buffer.from(content.slice(0, Math.max(0, end)), 'base64url'), content.slice(end + 1)];
    const expectedChecksum = checksum(path, json);
    if (statedChecksum.length !== expectedChecksum.length || !timingSafeEqual(statedChecksum, expectedChecksum)) return null;
    const parsed = schema.safeParse(JSON.parse(json));
    return parsed.success ? parsed.data : null;
  };
  const sealed = (path: string, value: unknown) => {
    const json = JSON.stringify(value);
    return `${checksum(path, json).toString('base64url')}\n${json}`;
  };
  const writeSealed = (path: string, value: unknown): Promise<void> => writeWhole(path, sealed(path, value));

  return {
    /**
     * Writes synchronously: the file survives the end of this process, but not a power cut. It is replaced as a whole, so that a process that
     * ends here, or a full disk, leaves the former one.
     */
    writeNow(path: string, value: unknown): void {
      const temporary = `${path}.${randomUUID()}.tmp`;
      try {
        writeFileSync(temporary, sealed(path, value), { mode: 0o600 });
        renameSync(temporary, path);
      } catch (err) {
        rmSync(temporary, { force: true });
        throw err;
      }
    },

    async read<T>(path: string, schema: z.ZodType<T>): Promise<T | null> {
      const firstRead = await readSealed(path, path, schema);
      if (firstRead !== null && firstRead !== undefined) return firstRead;
      return inTurn(async () => {
        const secondRead = await readSealed(path, path, schema);
        if (secondRead !== null && secondRead !== undefined) return secondRead;
        const copyRead = await readSealed(copyOf(path), path, schema);
        if (secondRead === null) await rename(path, `${path}.damaged-${Date.now()}`).catch(() => {});
        if (secondRead === null || copyRead) onRejected(basename(path));
        if (copyRead === undefined || copyRead === null) return null;
        await writeSealed(path, copyRead).catch(() => {});
        return copyRead;
      });
    },
    write: (path: string, value: unknown, withoutCopy?: 'once'): Promise<void> =>
      inTurn(async () => {
        await writeSealed(path, value);
        if (!withoutCopy) await writeCopy(path);
      }),
    /** Removes the copy before the file, so that a partial removal changes nothing. */
    remove: (path: string, withoutCopy?: 'once'): Promise<void> =>
      inTurn(async () => {
        if (!withoutCopy) await removeFile(copyOf(path));
        await removeFile(path);
      }),
  };
}

async function writeCopy(path: string): Promise<void> {
  await writeWhole(copyOf(path), await readFile(path));
}
