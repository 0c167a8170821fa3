import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { open } from 'node:fs/promises';

export interface Bytes {
  size: number;
  /** Null beyond the end of the file. */
  read(offset: number, length: number): Buffer | null;
}

/** Only a damaged or malicious file leads to a larger read. */
const MAX_BYTES = 4 << 20;

export function bytesOf(buffer: Buffer): Bytes {
  return {
    size: buffer.length,
    read: (offset, length) => (fits(offset, length, buffer.length) ? buffer.subarray(offset, offset + length) : null),
  };
}

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

const MAX_READS = 64;

/** Asynchronous, for slow files: repeats `use` after each read until all the parts it asks for are read. */
export async function withSlowFile<T>(path: string, use: (bytes: Bytes) => T | null): Promise<T | null> {
  const file = await open(path, 'r').catch(() => null);
  if (!file) return null;
  const cachedReads = new Map<string, Buffer | null>();
  try {
    const { size } = await file.stat();
    while (cachedReads.size < MAX_READS) {
      const requestedReads: { offset: number; length: number }[] = [];
      const read = (offset: number, length: number) => {
        if (!fits(offset, length, size)) return null;
        const cachedBytes = cachedReads.get(`${offset}:${length}`);
        if (cachedBytes === undefined) requestedReads.push({ offset, length });
        return cachedBytes ?? null;
      };
      const result = use({ size, read });
      if (!requestedReads.length) return result;
      for (const { offset, length } of requestedReads) {
        const { bytesRead, buffer } = await file.read(Buffer.alloc(length), 0, length, offset);
        cachedReads.set(`${offset}:${length}`, bytesRead === length ? buffer : null);
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
