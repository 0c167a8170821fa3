import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { open } from 'node:fs/promises';

/** A file of which only small parts are read: programs are large, what we want of them is not. */
export interface Bytes {
  size: number;
  /** Exactly `length` bytes from `offset`; null when the file has not so many there. */
  read(offset: number, length: number): Buffer | null;
}

/** Larger than anything that is read at once: what asks for more is damaged, or means harm. */
const MAX_BYTES = 4 << 20;

export function bytesOf(buffer: Buffer): Bytes {
  return {
    size: buffer.length,
    read: (offset, length) => (fits(offset, length, buffer.length) ? buffer.subarray(offset, offset + length) : null),
  };
}

/** Hands the file to `use` and closes it again. Null when it cannot be opened; `use` may give null as well. */
export function withFile<T>(path: string, use: (bytes: Bytes) => T | null): T | null {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch {
    return null;
  }
  try {
    const { size } = fstatSync(file);
    return use({
      size,
      read(offset, length) {
        if (!fits(offset, length, size)) return null;
        const buffer = Buffer.alloc(length);
        return readSync(file, buffer, 0, length, offset) === length ? buffer : null;
      },
    });
  } catch {
    return null;
  } finally {
    closeSync(file);
  }
}

/** How many parts of a slow file are read at most. */
const mostParts = 64;

/**
 * The same for a file that may take long to read, without anything waiting for it: `use` is called again with each part more, and what it gives
 * counts when all that it asked for was there. Null as above, and when it asks for too much.
 */
export async function withSlowFile<T>(path: string, use: (bytes: Bytes) => T | null): Promise<T | null> {
  const file = await open(path, 'r').catch(() => null);
  if (!file) return null;
  const deps = new Map<string, Buffer | null>();
  try {
    const { size } = await file.stat();
    while (deps.size < mostParts) {
      const asked: { offset: number; length: number }[] = [];
      const read = (offset: number, length: number) => {
        if (!fits(offset, length, size)) return null;
        const part = deps.get(`${offset}:${length}`);
        if (part === undefined) asked.push({ offset, length });
        return part ?? null;
      };
      const used = use({ size, read });
      if (!asked.length) return used;
      for (const { offset, length } of asked) {
        const { bytesRead, buffer } = await file.read(Buffer.alloc(length), 0, length, offset);
        deps.set(`${offset}:${length}`, bytesRead === length ? buffer : null);
      }
    }
    return null;
  } catch {
    return null;
  } finally {
    await file.close().catch(() => {});
  }
}

const fits = (offset: number, length: number, size: number) => offset >= 0 && length >= 0 && length <= MAX_BYTES && offset + length <= size;
