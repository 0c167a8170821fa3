import { type Entry, fullMode, packedAt } from './tree.ts';

const polynomial = 0x04c11db7;
const table = Uint32Array.from({ length: 256 }, (_none, byte) => {
  let crc = byte << 24;
  for (let bit = 0; bit < 8; bit++) crc = crc & 0x80000000 ? (crc << 1) ^ polynomial : crc << 1;
  return crc;
});

/** POSIX cksum(1): CRC-32, most significant bit first, over content and length. */
function cksum(content: Buffer): number {
  let crc = 0;
  const add = (byte: number) => {
    crc = ((crc << 8) ^ (table[((crc >>> 24) ^ byte) & 0xff] ?? 0)) >>> 0;
  };
  for (const byte of content) add(byte);
  for (let length = content.length; length > 0; length = Math.floor(length / 256)) add(length % 256);
  return ~crc >>> 0;
}

/** All paths are in one leaf of the tree; a leaf has 4096 bytes. */
const mostPaths = 500;
const leafSize = 4096;
const headSize = 512;

function bytes(...numbers: [value: number, size: 1 | 2 | 4][]): Buffer {
  return Buffer.concat(
    numbers.map(([value, size]) => {
      const buffer = Buffer.alloc(size);
      buffer.writeUIntBE(value, 0, size);
      return buffer;
    }),
  );
}
const int32s = (...numbers: number[]) => bytes(...numbers.map((value) => [value, 4] as [number, 4]));

/**
 * The bill of materials, from which the installer knows its files. A store of numbered blocks, found by name through variables. Layout as
 * written by mkbom.
 */
export function bom(entries: Entry[]): Buffer {
  const allEntries: Entry[] = [{ path: '.', content: null, mode: 0o755 }, ...entries];
  if (allEntries.length > mostPaths) throw new Error(`A package of more than ${mostPaths} paths has no bill of materials here.`);
  const blocks: Buffer[] = [Buffer.alloc(0)];
  const addBlock = (block: Buffer) => blocks.push(block) - 1;

  const info = addBlock(int32s(1, allEntries.length + 1, 1, 0, 0, 0, 0));
  const numbers = new Map(allEntries.map(({ path }, n) => [path, n + 1]));
  const leaf = allEntries.flatMap((entry, n) => {
    const about = addBlock(int32s(n + 1, addBlock(aboutOf(entry))));
    const [name = '', ...parentSegments] = entry.path.split('/').reverse();
    const parent = entry.path === '.' ? 0 : (numbers.get(parentSegments.reverse().join('/') || '.') ?? 0);
    return [about, addBlock(Buffer.concat([int32s(parent), Buffer.from(`${name}\0`)]))];
  });
  const tree = (paths: number[], size: number) => {
    const content = Buffer.concat([bytes([1, 2], [paths.length / 2, 2]), int32s(0, 0, ...paths)]);
    const child = addBlock(content);
    return addBlock(Buffer.concat([Buffer.from('tree'), int32s(1, child, size, paths.length / 2), Buffer.alloc(1)]));
  };
  const paths = tree(leaf, leafSize);
  const links = tree([], leafSize);
  const versions = addBlock(Buffer.concat([int32s(1, tree([], 128), 0), Buffer.alloc(1)]));
  const emptyTree = tree([], leafSize);
  return storeOf(blocks, { BomInfo: info, Paths: paths, HLIndex: links, VIndex: versions, Size64: emptyTree });
}

function aboutOf(entry: Entry): Buffer {
  const { content } = entry;
  return Buffer.concat([
    bytes([content === null ? 2 : 1, 1], [1, 1], [3, 2], [fullMode(entry), 2]),
    int32s(0, 0, packedAt, content?.length ?? 0),
    bytes([1, 1]),
    int32s(content === null ? 0 : cksum(content), 0),
  ]);
}

function storeOf(blocks: Buffer[], variables: Record<string, number>): Buffer {
  const variableBytes = Object.entries(variables).map(([name, block]) =>
    Buffer.concat([int32s(block), bytes([name.length, 1]), Buffer.from(name)]),
  );
  const vars = Buffer.concat([int32s(variableBytes.length), ...variableBytes]);
  let offset = headSize + vars.length;
  const pointers = blocks.map((block) => {
    const pointer = block.length ? int32s(offset, block.length) : int32s(0, 0);
    offset += block.length;
    return pointer;
  });
  // The list of free blocks follows the blocks: a count of none, and two empty entries.
  const index = Buffer.concat([int32s(blocks.length), ...pointers, int32s(0, 0, 0, 0, 0)]);
  const head = Buffer.alloc(headSize);
  Buffer.concat([Buffer.from('BOMStore'), int32s(1, blocks.length - 1, offset, index.length, headSize, vars.length)]).copy(head);
  return Buffer.concat([head, vars, ...blocks, index]);
}
