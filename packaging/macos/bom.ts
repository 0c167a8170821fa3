import { cksum } from './cksum.ts';
import { type Entry, fullMode, packedAt } from './tree.ts';

/** All paths stand in one leaf of the tree; more than a leaf of 4096 bytes holds would need branches. */
const mostPaths = 500;
const leafSize = 4096;
const headSize = 512;

/** Numbers of so many bytes, most significant first. */
function bytes(...numbers: [value: number, size: 1 | 2 | 4][]): Buffer {
  return Buffer.concat(
    numbers.map(([value, size]) => {
      const buffer = Buffer.alloc(size);
      buffer.writeUIntBE(value, 0, size);
      return buffer;
    }),
  );
}
const words = (...numbers: number[]) => bytes(...numbers.map((value) => [value, 4] as [number, 4]));

/**
 * The bill of materials of a package: every path with its owner, mode, size and checksum, by which the installer knows what it has put where.
 * A store of numbered blocks, found by name through a few variables. The layout is that of what mkbom writes.
 */
export function bom(entries: Entry[]): Buffer {
  const all: Entry[] = [{ path: '.', content: null, mode: 0o755 }, ...entries];
  if (all.length > mostPaths) throw new Error(`A package of more than ${mostPaths} paths has no bill of materials here.`);
  const blocks: Buffer[] = [Buffer.alloc(0)];
  const put = (block: Buffer) => blocks.push(block) - 1;

  const info = put(words(1, all.length + 1, 1, 0, 0, 0, 0));
  const numbers = new Map(all.map(({ path }, n) => [path, n + 1]));
  const leaf = all.flatMap((entry, n) => {
    const about = put(words(n + 1, put(aboutOf(entry))));
    const [name = '', ...above] = entry.path.split('/').reverse();
    const parent = entry.path === '.' ? 0 : (numbers.get(above.reverse().join('/') || '.') ?? 0);
    return [about, put(Buffer.concat([words(parent), Buffer.from(`${name}\0`)]))];
  });
  const tree = (paths: number[], size: number) => {
    const content = Buffer.concat([bytes([1, 2], [paths.length / 2, 2]), words(0, 0, ...paths)]);
    const child = put(content);
    return put(Buffer.concat([Buffer.from('tree'), words(1, child, size, paths.length / 2), Buffer.alloc(1)]));
  };
  const paths = tree(leaf, leafSize);
  const links = tree([], leafSize);
  const versions = put(Buffer.concat([words(1, tree([], 128), 0), Buffer.alloc(1)]));
  const large = tree([], leafSize);
  return storeOf(blocks, { BomInfo: info, Paths: paths, HLIndex: links, VIndex: versions, Size64: large });
}

/** Kind, mode, owner, time, size and checksum of one path. */
function aboutOf(entry: Entry): Buffer {
  const { content } = entry;
  return Buffer.concat([
    bytes([content === null ? 2 : 1, 1], [1, 1], [3, 2], [fullMode(entry), 2]),
    words(0, 0, packedAt, content?.length ?? 0),
    bytes([1, 1]),
    words(content === null ? 0 : cksum(content), 0),
  ]);
}

function storeOf(blocks: Buffer[], variables: Record<string, number>): Buffer {
  const named = Object.entries(variables).map(([name, block]) => Buffer.concat([words(block), bytes([name.length, 1]), Buffer.from(name)]));
  const vars = Buffer.concat([words(named.length), ...named]);
  let at = headSize + vars.length;
  const pointers = blocks.map((block) => {
    const pointer = block.length ? words(at, block.length) : words(0, 0);
    at += block.length;
    return pointer;
  });
  // After the blocks a list of free ones: none, and two empty places.
  const index = Buffer.concat([words(blocks.length), ...pointers, words(0, 0, 0, 0, 0)]);
  const head = Buffer.alloc(headSize);
  Buffer.concat([Buffer.from('BOMStore'), words(1, blocks.length - 1, at, index.length, headSize, vars.length)]).copy(head);
  return Buffer.concat([head, vars, ...blocks, index]);
}
