import { readFileSync } from 'node:fs';
import { libc } from './libc.ts';

/**
 * Gives back what was needed for the start alone: memory that the C library keeps, and the pages of our own executable. Of those the ones that are
 * still needed come back when they are touched, at first from the system's cache, which gives up the others when it needs room.
 */
export async function giveBack(): Promise<void> {
  const c = await libc();
  c?.trim?.(0);
  for (const { from, length } of unchanged(readFileSync('/proc/self/smaps', 'utf8'), process.execPath))
    c?.madvise(from, length, MADV_DONTNEED);
}

/** Where a file lies in memory as it is on the disk; what was written to since is not there. As smaps of proc(5) says. */
export function unchanged(smaps: string, file: string): { from: bigint; length: bigint }[] {
  return smaps.split(/\n(?=[0-9a-f]+-[0-9a-f]+ )/).flatMap((block) => {
    const [, start = '', end = '', rights = '', path = ''] = /^([0-9a-f]+)-([0-9a-f]+) (\S+) \S+ \S+ \d+ +(.*)$/m.exec(block) ?? [];
    if (path !== file || rights.includes('w') || !/^Anonymous: +0 kB$/m.test(block)) return [];
    const from = BigInt(`0x${start}`);
    return [{ from, length: BigInt(`0x${end}`) - from }];
  });
}

const MADV_DONTNEED = 4;
