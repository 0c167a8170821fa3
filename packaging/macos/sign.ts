import { createHash } from 'node:crypto';
import { type MachO, readMachO, type Segment } from '@porchlight/definitions/mach-o.ts';

const page = 4096;
/** Alignment of segments on both architectures. */
const segmentPage = 16_384;
const commandSize = 16;

const magic = { super: 0xfade0cc0, directory: 0xfade0c02, requirements: 0xfade0c01, cms: 0xfade0b01 };
/** Index of each part of the signature (xnu, cs_blobs.h). */
const slot = { directory: 0, requirements: 2, cms: 0x10000 };
const adHoc = 2;
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest();

/**
 * Signs a program ad hoc, without a certificate: macOS on arm64 starts nothing unsigned. SHA-256 over each page, no requirements. Replaces
 * an existing signature. The same file and identifier give the same bytes. Throws for anything but a Mach-O file of one architecture with
 * room for one more load command.
 */
export function signAdHoc(unsigned: Buffer, identifier: string): Buffer {
  const unsignedProgram = readMachO(unsigned);
  if (!unsignedProgram) throw new Error('This is no 64-bit Mach-O file of one architecture.');
  const linkedit = unsignedProgram.segments.find(({ name }) => name === '__LINKEDIT');
  const text = unsignedProgram.segments.find(({ name }) => name === '__TEXT');
  if (!linkedit || !text) throw new Error('The segments __TEXT and __LINKEDIT are missing.');

  const content = unsignedProgram.signature ? unsigned.subarray(0, unsignedProgram.signature.offset) : unsigned;
  const limit = Math.ceil(content.length / 16) * 16;
  const size = signatureSize(limit, identifier);
  const signed = Buffer.alloc(limit + size);
  content.copy(signed);
  writeCommand(signed, unsignedProgram, limit, size);
  writeEnd(signed, linkedit);
  signatureOf(signed.subarray(0, limit), identifier, unsignedProgram, text).copy(signed, limit);
  return signed;
}

function writeCommand(file: Buffer, { signature, commands, firstContent }: MachO, offset: number, size: number): void {
  const commandOffset = signature?.command ?? commands.end;
  if (!signature) {
    if (commands.end + commandSize > firstContent) throw new Error('There is no room for the load command of a signature.');
    file.writeUInt32LE(commands.count + 1, 16);
    file.writeUInt32LE(commands.end - 32 + commandSize, 20);
  }
  file.writeUInt32LE(0x1d, commandOffset);
  file.writeUInt32LE(commandSize, commandOffset + 4);
  file.writeUInt32LE(offset, commandOffset + 8);
  file.writeUInt32LE(size, commandOffset + 12);
}

/** The last segment contains the signature, so its size grows. */
function writeEnd(file: Buffer, linkedit: Segment): void {
  const size = file.length - linkedit.offset;
  file.writeBigUInt64LE(BigInt(Math.ceil(size / segmentPage) * segmentPage), linkedit.command + 32);
  file.writeBigUInt64LE(BigInt(size), linkedit.command + 48);
}

const directoryHead = 88;
const specialSlots = 2;
const requirements = blob(magic.requirements, Buffer.alloc(4));
const cms = blob(magic.cms, Buffer.alloc(0));
const indexSize = 12 + 3 * 8;

function directorySize(limit: number, identifier: string): number {
  return directoryHead + Buffer.byteLength(identifier) + 1 + 32 * (specialSlots + Math.ceil(limit / page));
}

function signatureSize(limit: number, identifier: string): number {
  return indexSize + directorySize(limit, identifier) + requirements.length + cms.length;
}

function signatureOf(content: Buffer, identifier: string, { executable }: MachO, text: Segment): Buffer {
  const directory = directoryOf(content, identifier, executable, text);
  const index = Buffer.alloc(indexSize - 8);
  index.writeUInt32BE(3, 0);
  let blobOffset = indexSize;
  for (const [n, [kind, bytes]] of (
    [
      [slot.directory, directory],
      [slot.requirements, requirements],
      [slot.cms, cms],
    ] as const
  ).entries()) {
    index.writeUInt32BE(kind, 4 + 8 * n);
    index.writeUInt32BE(blobOffset, 8 + 8 * n);
    blobOffset += bytes.length;
  }
  return blob(magic.super, Buffer.concat([index, directory, requirements, cms]));
}

/** Builds a CS_CodeDirectory, version 0x20400. */
function directoryOf(content: Buffer, identifier: string, executable: boolean, text: Segment): Buffer {
  const pages = Math.ceil(content.length / page);
  const directory = Buffer.alloc(directorySize(content.length, identifier));
  const hashes = directory.length - 32 * pages;
  const head = [magic.directory, directory.length, 0x20400, adHoc, hashes, directoryHead, specialSlots, pages, content.length];
  for (const [n, value] of head.entries()) directory.writeUInt32BE(value, 4 * n);
  // Hash size 32, hash type 2 (SHA-256), no platform, page size as a power of two.
  Buffer.from([32, 2, 0, Math.log2(page)]).copy(directory, 36);
  directory.writeBigUInt64BE(BigInt(text.offset), 64);
  directory.writeBigUInt64BE(BigInt(text.size), 72);
  directory.writeBigUInt64BE(executable ? 1n : 0n, 80);
  directory.write(identifier, directoryHead);
  sha256(requirements).copy(directory, hashes - 32 * slot.requirements);
  for (let n = 0; n < pages; n++) sha256(content.subarray(n * page, (n + 1) * page)).copy(directory, hashes + 32 * n);
  return directory;
}

function blob(kind: number, content: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(kind, 0);
  head.writeUInt32BE(8 + content.length, 4);
  return Buffer.concat([head, content]);
}
