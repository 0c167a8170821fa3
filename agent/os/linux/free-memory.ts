import { readFileSync } from 'node:fs';
import { getLibc } from './libc.ts';

/** Returns freed heap and pages of the executable to the system; the pages are loaded again on use. */
export async function freeMemory(): Promise<void> {
  const c = await getLibc();
  c?.trim?.(0);
  for (const { from, length } of unmodifiedMappings(readFileSync('/proc/self/smaps', 'utf8'), process.execPath))
    c?.madvise(from, length, MADV_DONTNEED);
}

/** Mappings of `file` without modified pages, from /proc/self/smaps: proc(5). */
export function unmodifiedMappings(smaps: string, file: string): { from: bigint; length: bigint }[] {
  return smaps.split(/\n(?=[0-9a-f]+-[0-9a-f]+ )/).flatMap((block) => {
    const [, start = '', end = '', rights = '', path = ''] = /^([0-9a-f]+)-([0-9a-f]+) (\S+) \S+ \S+ \d+ +(.*)$/m.exec(block) ?? [];
    if (path !== file || rights.includes('w') || !/^Anonymous: +0 kB$/m.test(block)) return [];
    const from = BigInt(`0x${start}`);
    return [{ from, length: BigInt(`0x${end}`) - from }];
  });
}

const MADV_DONTNEED = 4;
