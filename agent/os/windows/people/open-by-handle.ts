import { win32 } from 'node:path';
import { NotDone } from '../../../lib/not-done.ts';
import type { FileCalls } from '../native/files.ts';
import type { Handle } from '../native/kernel.ts';

/** Of NtCreateFile. */
const [readData, writeData, remove, readAttributes, writeAttributes, synchronize] = [0x1, 0x2, 0x10000, 0x80, 0x100, 0x100000];
const [openExisting, createNew] = [1, 2];
/** One thing after the other, and a link itself in place of what it leads to; a folder, or none. */
const [options, folder, noFolder] = [0x20 | 0x200000, 0x1, 0x40];
/** Large and small letters alike; and nothing is found behind a link, on any part of the path: OBJ_DONT_REPARSE. */
const [caseInsensitive, noLinks] = [0x40, 0x1000];
const [shareAll, shareNone] = [7, 0];
const [isFolder, isLink] = [0x10, 0x400];
const [ordinary, invalid] = [0x80, new Set<Handle>([-1, 0xffffffffffffffffn, -1n])];
/** In a name of a volume: what leads to the folder that it begins with. */
const backup = 0x02000000;

/** Seconds between 1601 and 1970. */
const since1601 = 11_644_473_600;

/** What is known of a file by its handle. Times in milliseconds since 1970. */
export interface HandleFacts {
  size: number;
  links: number;
  /** Tells this file from any other of its volume. */
  index: bigint;
  mtime_ms: number;
  atime_ms: number;
  /** Of the last change of its content, in units of 100 ns since 1601. */
  written: bigint;
}

/** What it takes to be opened: to look at it, to take it away, to make it anew; or, of a folder, to be worked in. */
export type Purpose = 'read' | 'remove' | 'create' | 'folder';

/**
 * Opens a file below the root of its drive in one call that follows no junction and no link on any part of the path, so that nothing can be put in
 * between. Throws `NotDone`. Whoever opens it closes it.
 */
export function openByHandle(calls: FileCalls, path: string, purpose: Purpose): Handle {
  const { root } = win32.parse(path);
  if (!/^[a-z]:\\$/i.test(root) || path.includes('/')) throw new NotDone('protected');
  const drive = calls.openFolder(root, readAttributes | synchronize, 7, null, 3, backup, 0) as Handle;
  if (invalid.has(drive)) throw new NotDone('gone');
  try {
    const name = Buffer.from(path.slice(root.length), 'utf16le');
    const text = Buffer.alloc(16);
    text.writeUInt16LE(name.length, 0);
    text.writeUInt16LE(name.length, 2);
    text.writeBigUInt64LE(calls.addressOf(name), 8);
    const object = Buffer.alloc(48);
    object.writeUInt32LE(object.length, 0);
    object.writeBigUInt64LE(BigInt(drive), 8);
    object.writeBigUInt64LE(calls.addressOf(text), 16);
    object.writeUInt32LE(caseInsensitive | noLinks, 24);
    const opened: Handle[] = [0];
    const access =
      synchronize |
      readAttributes |
      { read: readData, remove, create: writeData | writeAttributes | remove, folder: readData | writeData }[purpose];
    const status = calls.create(
      opened,
      access,
      object,
      Buffer.alloc(16),
      ordinary,
      // While it is written nobody else has it; a program that runs can be read and, where Windows lets it, taken away.
      purpose === 'create' ? shareNone : shareAll,
      purpose === 'create' ? createNew : openExisting,
      options | (purpose === 'folder' ? folder : noFolder),
    );
    if (status !== 0) throw new NotDone(whyOf(status >>> 0));
    return opened[0] ?? 0;
  } finally {
    calls.close(drive);
  }
}

function whyOf(status: number) {
  switch (status) {
    // No such file, no such path, no such folder.
    case 0xc0000034:
    case 0xc000003a:
    case 0xc000000f:
      return 'gone';
    case 0xc0000035:
      return 'place_taken';
    // A link was met, a folder stands there, or it is no folder that leads there.
    case 0xc000050b:
    case 0xc0000280:
    case 0xc00000ba:
    case 0xc0000103:
      return 'protected';
    default:
      return 'refused';
  }
}

/** Throws `NotDone` where it is no plain file, or could be known by another name elsewhere. */
export function factsOf(calls: FileCalls, file: Handle): HandleFacts {
  const data = Buffer.alloc(52);
  if (!calls.information(file, data)) throw new NotDone('refused');
  const [attributes, links] = [data.readUInt32LE(0), data.readUInt32LE(40)];
  if (attributes & (isFolder | isLink) || links > 1) throw new NotDone('protected');
  const time = (at: number) => (BigInt(data.readUInt32LE(at + 4)) << 32n) | BigInt(data.readUInt32LE(at));
  const ms = (at: number) => Number(time(at) / 10_000n) - since1601 * 1000;
  return {
    size: data.readUInt32LE(32) * 2 ** 32 + data.readUInt32LE(36),
    links,
    index: (BigInt(data.readUInt32LE(44)) << 32n) | BigInt(data.readUInt32LE(48)),
    mtime_ms: ms(20),
    atime_ms: ms(12),
    written: time(20),
  };
}

/** Its times, in milliseconds since 1970. */
export function setTimes(calls: FileCalls, file: Handle, { atime_ms, mtime_ms }: { atime_ms: number; mtime_ms: number }): void {
  const basic = Buffer.alloc(40);
  const units = (ms: number) => BigInt(Math.round(ms) + since1601 * 1000) * 10_000n;
  basic.writeBigInt64LE(units(atime_ms), 8);
  basic.writeBigInt64LE(units(mtime_ms), 16);
  if (!calls.setInformation(file, 0, basic, basic.length)) throw new NotDone('refused');
}

/** Gives it a name in this folder, unless something has that. */
export function nameByHandle(calls: FileCalls, file: Handle, inFolder: Handle, name: string): void {
  const text = Buffer.from(name, 'utf16le');
  const information = Buffer.alloc(20 + text.length + 2);
  information.writeBigUInt64LE(BigInt(inFolder), 8);
  information.writeUInt32LE(text.length, 16);
  text.copy(information, 20);
  const status = calls.rename(file, Buffer.alloc(16), information, information.length);
  if (status !== 0) throw new NotDone(whyOf(status >>> 0));
}

/** It is gone when the handle is closed. */
export function removeByHandle(calls: FileCalls, file: Handle): void {
  if (!calls.setInformation(file, 4, Buffer.from([1]), 1)) throw new NotDone('refused');
}
