import { expect, it } from 'vitest';
import type { FileCalls } from '../native/files.ts';
import { userText } from './user-files.ts';

/** One file of Windows. `status`: how its opening ends; `links`: how many names it has. */
function calls({ content = 'settings', status = 0, links = 1, attributes = 0x80 }) {
  const open = new Set<number>();
  const opened = (handle: number) => open.add(handle) && handle;
  const native = {
    openFolder: () => opened(1),
    create: (handle: number[]) => {
      if (status === 0) handle[0] = opened(2);
      return status;
    },
    information: (_file: number, data: Buffer) => {
      data.writeUInt32LE(attributes, 0);
      data.writeUInt32LE(content.length, 36);
      data.writeUInt32LE(links, 40);
      return 1;
    },
    read: (_file: number, buffer: Buffer, size: number, done: number[]) => {
      done[0] = buffer.write(content.slice(0, size));
      return 1;
    },
    close: (handle: number) => open.delete(handle),
    addressOf: () => 0n,
  };
  return { native: native as unknown as FileCalls, open };
}

it.each<[string, Parameters<typeof calls>[0], string | null]>([
  ['a file', {}, 'settings'],
  ['a file of the largest size', { content: 'x'.repeat(20) }, 'x'.repeat(20)],
  ['a file that is larger', { content: 'x'.repeat(21) }, null],
  ['a file that is missing', { status: 0xc0000034 | 0 }, null],
  ['a file behind a link', { status: 0xc000050b | 0 }, null],
  ['a file with a second name', { links: 2 }, null],
  ['a folder', { attributes: 0x10 }, null],
])(
  '[P16.5] of %s in a user’s folder on Windows the text is read only when it is plain and small, and nothing stays open',
  async (_title, file, expected) => {
    const { native, open } = calls(file);
    expect(await userText(native, 'C:\\Users\\Ann\\Preferences', 20)).toBe(expected);
    expect([...open]).toEqual([]);
  },
);
