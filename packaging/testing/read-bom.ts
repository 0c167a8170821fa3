export interface BomLine {
  path: string;
  mode: number;
  owner: string;
  size: number;
  checksum: number;
}

/** Reads a bill of materials in stored order, with code independent of the writing code. */
export function readBom(store: Buffer): BomLine[] {
  const word = (buffer: Buffer, n: number) => buffer.readUInt32BE(4 * n);
  if (store.toString('latin1', 0, 8) !== 'BOMStore') throw new Error('this is no bill of materials');
  const [index, indexSize, vars] = [word(store, 4), word(store, 5), word(store, 6)];
  if (index + indexSize !== store.length) throw new Error('the index does not end where the file ends');
  const block = (n: number) => {
    const blockOffset = index + 4 + 8 * n;
    return store.subarray(store.readUInt32BE(blockOffset), store.readUInt32BE(blockOffset) + store.readUInt32BE(blockOffset + 4));
  };
  const blocksByName = new Map<string, Buffer>();
  for (let variableOffset = vars + 4, n = store.readUInt32BE(vars); n > 0; n--) {
    const length = store[variableOffset + 4] ?? 0;
    blocksByName.set(store.toString('latin1', variableOffset + 5, variableOffset + 5 + length), block(store.readUInt32BE(variableOffset)));
    variableOffset += 5 + length;
  }
  const tree = blocksByName.get('Paths');
  if (!tree || tree.toString('latin1', 0, 4) !== 'tree') throw new Error('there are no paths');
  const leaf = block(word(tree, 2));
  const pathCount = leaf.readUInt16BE(2);
  if (pathCount !== word(tree, 4)) throw new Error('the tree counts other paths than its leaf');
  const paths = new Map<number, string>();
  return Array.from({ length: pathCount }, (_none, n) => {
    const [infoBlock, file] = [block(word(leaf, 3 + 2 * n)), block(word(leaf, 4 + 2 * n))];
    const parentPath = paths.get(word(file, 0));
    const name = file.toString('utf8', 4, file.length - 1);
    const path = parentPath === undefined ? name : `${parentPath}/${name}`;
    paths.set(word(infoBlock, 0), path);
    const about = block(word(infoBlock, 1));
    const owner = `${about.readUInt32BE(6)}:${about.readUInt32BE(10)}`;
    return { path, mode: about.readUInt16BE(4), owner, size: about.readUInt32BE(18), checksum: about.readUInt32BE(23) };
  });
}
