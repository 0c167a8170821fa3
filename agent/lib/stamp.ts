import type { BigIntStats } from 'node:fs';
import { lstat } from 'node:fs/promises';

/** Identifies a file and its content; does not change with mode and owner. */
export function stampOf({ ino, size, mtimeNs }: Pick<BigIntStats, 'ino' | 'size' | 'mtimeNs'>): string {
  return `${ino}:${size}:${mtimeNs}`;
}

export async function stampAt(path: string): Promise<string | null> {
  const stat = await lstat(path, { bigint: true }).catch(() => null);
  return stat?.isFile() ? stampOf(stat) : null;
}
