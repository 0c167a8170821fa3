import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { readFile, rename } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { z } from 'zod';
import { removeFile, writeWhole } from './files.ts';

const keyBytes = 32;
const copyOf = (path: string) => `${path}.copy`;

/** The key of the checksums: made at the first start, readable by its owner alone. Kept twice, since without it no file is believed. */
export async function stateKey(folder: string): Promise<Uint8Array> {
  const path = join(folder, 'state.key');
  for (const place of [path, copyOf(path)]) {
    const key = await readFile(place).catch(() => null);
    if (key?.length === keyBytes) return key;
  }
  const key = randomBytes(keyBytes);
  for (const place of [path, copyOf(path)]) await writeWhole(place, key);
  return key;
}

export type SealedFiles = ReturnType<typeof sealedFiles>;

/**
 * Files of JSON, each after a line with its checksum: HMAC-SHA256 under `key` over its name and its content, so that none is believed that was damaged,
 * changed by hand, or put in the place of another one. What was written last is kept twice: where one is refused (`refused` is told its name) the other
 * one counts. `once`: kept once, for what is written all the time and soon gone.
 */
export function sealedFiles(key: Uint8Array, refused: (name: string) => void) {
  const checksum = (path: string, json: string) =>
    createHmac('sha256', key)
      .update(`${basename(path)}\0${json}`)
      .digest();
  /** One write after the other: two at once would share a temporary file. */
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const mine = last.catch(() => {}).then(work);
    last = mine;
    return mine;
  };

  /** Undefined when there is no such file, null when it is not believed. */
  const open = async <T>(place: string, path: string, schema: z.ZodType<T>): Promise<T | null | undefined> => {
    const content = await readFile(place, 'utf8').catch(() => null);
    if (content === null) return undefined;
    const end = content.indexOf('\n');
    const [said, json] = [Buffer.from(content.slice(0, Math.max(0, end)), 'base64url'), content.slice(end + 1)];
    const right = checksum(path, json);
    if (said.length !== right.length || !timingSafeEqual(said, right)) return null;
    const parsed = schema.safeParse(JSON.parse(json));
    return parsed.success ? parsed.data : null;
  };
  const sealed = (path: string, value: unknown) => {
    const json = JSON.stringify(value);
    return `${checksum(path, json).toString('base64url')}\n${json}`;
  };
  const put = (path: string, value: unknown): Promise<void> => writeWhole(path, sealed(path, value));

  return {
    /** In the hands of the system when this returns: it outlives this process, but not a power cut. */
    writeNow(path: string, value: unknown): void {
      try {
        writeFileSync(path, sealed(path, value), { mode: 0o600 });
      } catch (err) {
        rmSync(path, { force: true });
        throw err;
      }
    },

    /** Null when there is none that can be believed. One that cannot is moved aside, not thrown away. */
    async read<T>(path: string, schema: z.ZodType<T>): Promise<T | null> {
      const first = await open(path, path, schema);
      if (first !== null && first !== undefined) return first;
      return inTurn(async () => {
        // It may have been written meanwhile.
        const again = await open(path, path, schema);
        if (again !== null && again !== undefined) return again;
        const second = await open(copyOf(path), path, schema);
        if (again === null) await rename(path, `${path}.damaged-${Date.now()}`).catch(() => {});
        if (again === null || second) refused(basename(path));
        if (second === undefined || second === null) return null;
        // What is good counts, whether or not it can be written back.
        await put(path, second).catch(() => {});
        return second;
      });
    },
    /** On disk when this resolves. */
    write: (path: string, value: unknown, once?: 'once'): Promise<void> =>
      inTurn(async () => {
        await put(path, value);
        if (!once) await writeCopy(path);
      }),
    /** The copy goes first: what is half removed is still there. `once`: there is none. */
    remove: (path: string, once?: 'once'): Promise<void> =>
      inTurn(async () => {
        if (!once) await removeFile(copyOf(path));
        await removeFile(path);
      }),
  };
}

async function writeCopy(path: string): Promise<void> {
  await writeWhole(copyOf(path), await readFile(path));
}
