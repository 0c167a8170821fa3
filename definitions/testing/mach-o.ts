const segmentSize = 72;

/**
 * Builds a program of a header, a segment with one code section, and a last segment of `end` bytes. `room`: free bytes after the load
 * commands.
 */
export function machO({ end, room = 64 }: { end: number; room?: number }): Buffer {
  const commands = segmentSize + 80 + segmentSize;
  const code = 32 + commands + room;
  const textEnd = Math.ceil((code + 100) / 4096) * 4096;
  const file = Buffer.alloc(textEnd + end, 7);
  file.fill(0, 0, code);
  const messages = (offset: number, ...values: number[]) => {
    for (const [n, value] of values.entries()) file.writeUInt32LE(value, offset + 4 * n);
  };
  messages(0, 0xfeedfacf, 0x0100000c, 0, 2, 2, commands, 0, 0);
  const segment = (start: number, name: string, offset: number, size: number, sections: number) => {
    messages(start, 0x19, segmentSize + 80 * sections);
    file.write(name, start + 8);
    for (const [n, value] of [offset, Math.ceil(size / 16_384) * 16_384, offset, size].entries())
      file.writeBigUInt64LE(BigInt(value), start + 24 + 8 * n);
    file.writeUInt32LE(sections, start + 64);
  };
  segment(32, '__TEXT', 0, textEnd, 1);
  file.write('__text', 32 + segmentSize);
  file.writeUInt32LE(code, 32 + segmentSize + 48);
  segment(32 + segmentSize + 80, '__LINKEDIT', textEnd, end, 0);
  return file;
}
