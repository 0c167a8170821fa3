export interface TarEntry {
  /** The path relative to the root, without a leading slash. */
  path: string;
  mode: number;
  bytes: Uint8Array | null;
}

const block = 512;

/** A tar archive (ustar, POSIX.1-1988), owned by root, with all parent folders. `time`: seconds; the same time gives the same bytes. */
export function tar(entries: TarEntry[], time: number): Buffer {
  const folders = new Set<string>();
  for (const { path } of entries) {
    const segments = path.split('/');
    for (let n = 1; n < segments.length; n++) folders.add(segments.slice(0, n).join('/'));
  }
  const allEntries = [...[...folders].sort().map((path) => ({ path, mode: 0o755, bytes: null })), ...entries];
  const blocks = allEntries.flatMap(({ path, mode, bytes }) => {
    const content = bytes ?? new Uint8Array();
    return [header(path, mode, bytes, time), content, Buffer.alloc(-content.length & (block - 1))];
  });
  return Buffer.concat([...blocks, Buffer.alloc(2 * block)]);
}

function header(path: string, mode: number, bytes: Uint8Array | null, time: number): Buffer {
  const name = `./${path}${bytes ? '' : '/'}`;
  if (Buffer.byteLength(name) > 100) throw new Error(`${path} is too long a name for a tar archive`);
  const bytesOf = Buffer.alloc(block);
  const octal = (value: number, offset: number, width: number) => bytesOf.write(value.toString(8).padStart(width - 1, '0'), offset);
  bytesOf.write(name, 0);
  octal(mode, 100, 8);
  octal(0, 108, 8);
  octal(0, 116, 8);
  octal(bytes?.length ?? 0, 124, 12);
  octal(time, 136, 12);
  bytesOf.write('        ', 148);
  bytesOf.write(bytes ? '0' : '5', 156);
  bytesOf.write('ustar\0' + '00', 257, 'latin1');
  bytesOf.write('root', 265);
  bytesOf.write('root', 297);
  const sum = bytesOf.reduce((total, byte) => total + byte, 0);
  bytesOf.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return bytesOf;
}
