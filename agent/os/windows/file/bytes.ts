import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

/** A file of which only small parts are read: programs are large, what we want of them is not. */
export interface Bytes {
  size: number;
  /** Exactly `length` bytes from `offset`; null when the file has not so many there. */
  read(offset: number, length: number): Buffer | null;
}

/** Larger than anything that is read at once: what asks for more is damaged, or means harm. */
const most = 4 << 20;

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

const fits = (offset: number, length: number, size: number) => offset >= 0 && length >= 0 && length <= most && offset + length <= size;
