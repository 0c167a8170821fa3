import { type Entry, fullMode, packedAt } from './tree.ts';

/** A cpio archive in the format of Apple's installer (`odc`: octal text numbers, POSIX 2001), owned by root and wheel. */
export function cpio(entries: Entry[]): Buffer {
  const root: Entry = { path: '.', content: null, mode: 0o755 };
  const memberParts = [root, ...entries].flatMap((entry, n) => {
    const name = entry.path === '.' ? '.' : `./${entry.path}`;
    return member(name, n + 1, fullMode(entry), entry.content === null ? 2 : 1, packedAt, entry.content ?? Buffer.alloc(0));
  });
  return Buffer.concat([...memberParts, ...member('TRAILER!!!', 0, 0, 1, 0, Buffer.alloc(0))]);
}

function member(name: string, inode: number, mode: number, links: number, time: number, content: Buffer): Buffer[] {
  const numbers: [value: number, digits: number][] = [
    [0, 6],
    [inode, 6],
    [mode, 6],
    [0, 6],
    [0, 6],
    [links, 6],
    [0, 6],
    [time, 11],
    [Buffer.byteLength(name) + 1, 6],
    [content.length, 11],
  ];
  const head = numbers.map(([value, digits]) => value.toString(8).padStart(digits, '0')).join('');
  return [Buffer.from(`070707${head}${name}\0`), content];
}
