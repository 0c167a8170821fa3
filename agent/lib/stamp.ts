import type { BigIntStats } from 'node:fs';
import { lstat } from 'node:fs/promises';

/** Tells whether a path still holds the very file, with the very content, that was looked at. Another mode or owner changes nothing about it. */
export function stampOf({ ino, size, mtimeNs }: Pick<BigIntStats, 'ino' | 'size' | 'mtimeNs'>): string {
  return `${ino}:${size}:${mtimeNs}`;
}

/** Of a file that is one, not a link to one; null for anything else. */
export async function stampAt(path: string): Promise<string | null> {
  const stat = await lstat(path, { bigint: true }).catch(() => null);
  return stat?.isFile() ? stampOf(stat) : null;
}
