import { win32 } from 'node:path';
import { NotDone } from '../../../lib/not-done.ts';
import type { FileCalls } from '../native/files.ts';
import type { Handle } from '../native/kernel.ts';

/** Constants of NtCreateFile. */
const [readData, writeData, removeRight, readAttributes, writeAttributes, synchronize] = [0x1, 0x2, 0x10000, 0x80, 0x100, 0x100000];
const [openExisting, createNew] = [1, 2];
/** Options: synchronous access to a link itself; only a folder; only a file. */
const [baseOptions, folderOnly, fileOnly] = [0x20 | 0x200000, 0x1, 0x40];
/** OBJ_CASE_INSENSITIVE and OBJ_DONT_REPARSE: no link is followed anywhere in the path. */
const [caseInsensitive, noLinks] = [0x40, 0x1000];
const [shareAll, shareNone] = [7, 0];
const [folderFlag, linkFlag] = [0x10, 0x400];
const [normalAttribute, invalidHandles] = [0x80, new Set<Handle>([-1, 0xffffffffffffffffn, -1n])];
/** The flag needed to open a drive's root folder. */
const backupFlag = 0x02000000;

const SECONDS_1601_TO_1970 = 11_644_473_600;

/** Metadata of an open file. Times in milliseconds since 1970. */
export interface HandleFacts {
  size: number;
  links: number;
  /** The file's number, unique on its volume. */
  index: bigint;
  mtime_ms: number;
  atime_ms: number;
  /** Last write, in units of 100 ns since 1601. */
  written: bigint;
}

/** Decides the access rights; `folder`: for creating files in a folder. */
export type Purpose = 'read' | 'remove' | 'create' | 'folder';

/**
 * Opens a file in one call that follows no links, so that no part of the path can be replaced meanwhile. Throws `NotDone`. The caller
 * closes the handle.
 */
export function openByHandle(calls: FileCalls, path: string, purpose: Purpose): Handle {
  const { root } = win32.parse(path);
  if (!/^[a-z]:\\$/i.test(root) || path.includes('/')) throw new NotDone('protected');
  const drive = calls.openFolder(root, readAttributes | synchronize, 7, null, 3, backupFlag, 0) as Handle;
  if (invalidHandles.has(drive)) throw new NotDone('gone');
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
    const openedFile: Handle[] = [0];
    const access =
      synchronize |
      readAttributes |
      { read: readData, remove: removeRight, create: writeData | writeAttributes | removeRight, folder: readData | writeData }[purpose];
    const status = calls.create(
      openedFile,
      access,
      object,
      Buffer.alloc(16),
      normalAttribute,
      // A file is exclusive while written; a running program can still be read and, if Windows allows it, removed.
      purpose === 'create' ? shareNone : shareAll,
      purpose === 'create' ? createNew : openExisting,
      baseOptions | (purpose === 'folder' ? folderOnly : fileOnly),
    );
    if (status !== 0) throw new NotDone(failureReasonOf(status >>> 0));
    return openedFile[0] ?? 0;
  } finally {
    calls.close(drive);
  }
}

function failureReasonOf(status: number) {
  switch (status) {
    // No such file or path.
    case 0xc0000034:
    case 0xc000003a:
    case 0xc000000f:
      return 'gone';
    case 0xc0000035:
      return 'place_taken';
    // A link, or a folder in place of a file and vice versa.
    case 0xc000050b:
    case 0xc0000280:
    case 0xc00000ba:
    case 0xc0000103:
      return 'protected';
    default:
      return 'refused';
  }
}

/** Throws `NotDone` for anything but a regular file with one name. */
export function readFacts(calls: FileCalls, file: Handle): HandleFacts {
  const data = Buffer.alloc(52);
  if (!calls.information(file, data)) throw new NotDone('refused');
  const [attributes, links] = [data.readUInt32LE(0), data.readUInt32LE(40)];
  if (attributes & (folderFlag | linkFlag) || links > 1) throw new NotDone('protected');
  const readTime = (at: number) => (BigInt(data.readUInt32LE(at + 4)) << 32n) | BigInt(data.readUInt32LE(at));
  const readMilliseconds = (at: number) => Number(readTime(at) / 10_000n) - SECONDS_1601_TO_1970 * 1000;
  return {
    size: data.readUInt32LE(32) * 2 ** 32 + data.readUInt32LE(36),
    links,
    index: (BigInt(data.readUInt32LE(44)) << 32n) | BigInt(data.readUInt32LE(48)),
    mtime_ms: readMilliseconds(20),
    atime_ms: readMilliseconds(12),
    written: readTime(20),
  };
}

export function setTimes(calls: FileCalls, file: Handle, { atime_ms, mtime_ms }: { atime_ms: number; mtime_ms: number }): void {
  const basicInformation = Buffer.alloc(40);
  const toFileTime = (ms: number) => BigInt(Math.round(ms) + SECONDS_1601_TO_1970 * 1000) * 10_000n;
  basicInformation.writeBigInt64LE(toFileTime(atime_ms), 8);
  basicInformation.writeBigInt64LE(toFileTime(mtime_ms), 16);
  if (!calls.setInformation(file, 0, basicInformation, basicInformation.length)) throw new NotDone('refused');
}

/** Renames the file into this folder; never overwrites. */
export function nameByHandle(calls: FileCalls, file: Handle, inFolder: Handle, name: string): void {
  const text = Buffer.from(name, 'utf16le');
  const information = Buffer.alloc(20 + text.length + 2);
  information.writeBigUInt64LE(BigInt(inFolder), 8);
  information.writeUInt32LE(text.length, 16);
  text.copy(information, 20);
  const status = calls.rename(file, Buffer.alloc(16), information, information.length);
  if (status !== 0) throw new NotDone(failureReasonOf(status >>> 0));
}

/** The file disappears when its handle is closed. */
export function removeByHandle(calls: FileCalls, file: Handle): void {
  if (!calls.setInformation(file, 4, Buffer.from([1]), 1)) throw new NotDone('refused');
}
