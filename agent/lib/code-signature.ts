import { X509Certificate } from 'node:crypto';
import { readMachO, slicesOf } from '@porchlight/definitions/mach-o.ts';

/** The signer that a Mach-O file names. The signature is not verified: a false claim can only make a program more suspicious. */
export interface CodeSignature {
  identifier: string;
  /** The Apple developer team; null for an ad-hoc signature. */
  team: string | null;
  /** Common name of the signing certificate: `Developer ID Application: Name (TEAM)`. */
  signer: string | null;
}

const directoryMagic = 0xfade0c02;
const cmsMagic = 0xfade0b01;

/** Null when the file is not Mach-O or not signed. Reads the first signed slice of a universal file. */
export function readCodeSignature(file: Buffer): CodeSignature | null {
  for (const slice of slicesOf(file)) {
    const signature = readMachO(slice)?.signature;
    if (!signature) continue;
    try {
      return readSignature(slice.subarray(signature.offset, signature.offset + signature.size));
    } catch {}
  }
  return null;
}

function readSignature(blob: Buffer): CodeSignature | null {
  const blobs = Array.from({ length: Math.min(blob.readUInt32BE(8), 32) }, (_none, n) => blob.subarray(blob.readUInt32BE(16 + 8 * n)));
  const directory = blobs.find((part) => part.readUInt32BE(0) === directoryMagic);
  if (!directory) return null;
  const text = (at: number) => directory.toString('utf8', at, directory.indexOf(0, at));
  const team = directory.readUInt32BE(8) >= 0x20200 ? directory.readUInt32BE(48) : 0;
  const cms = blobs.find((part) => part.readUInt32BE(0) === cmsMagic);
  const leaf = cms ? leafOf(cms.subarray(8, cms.readUInt32BE(4))) : null;
  const field = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(leaf?.subject ?? '')?.[1] ?? null;
  return { identifier: text(directory.readUInt32BE(20)), team: team ? text(team) : field('OU'), signer: field('CN') };
}

function leafOf(cms: Buffer): X509Certificate | null {
  for (const der of certificatesIn(cms)) {
    const certificate = certificateOf(der);
    if (certificate && !certificate.ca) return certificate;
  }
  return null;
}

/** Follows ContentInfo → [0] → SignedData → certificates [0]: RFC 5652, sections 3 and 5.1. */
function certificatesIn(cms: Buffer): Buffer[] {
  const [info] = elements(cms);
  const [, wrapped] = info ? elements(info.content) : [];
  const [signedData] = wrapped ? elements(wrapped.content) : [];
  const certificates = (signedData ? elements(signedData.content) : []).find(({ tag }) => tag === 0xa0);
  return certificates ? elements(certificates.content).map(({ whole }) => whole) : [];
}

interface Element {
  tag: number;
  content: Buffer;
  whole: Buffer;
}

/** Consecutive BER elements; a truncated last element is ignored. */
function elements(ber: Buffer): Element[] {
  const foundElements: Element[] = [];
  for (let offset = 0; ; ) {
    const nextElement = elementAt(ber, offset);
    if (!nextElement) return foundElements;
    foundElements.push(nextElement);
    offset += nextElement.whole.length;
  }
}

/** Supports the indefinite length that Apple uses for the outer elements. */
function elementAt(ber: Buffer, offset: number): Element | null {
  const [tag = 0, lengthByte] = ber.subarray(offset, offset + 2);
  if (lengthByte === undefined || (tag === 0 && lengthByte === 0)) return null;
  const elementFrom = (begin: number, length: number, end: number) =>
    end > ber.length ? null : { tag, content: ber.subarray(begin, begin + length), whole: ber.subarray(offset, end) };
  if (lengthByte < 0x80) return elementFrom(offset + 2, lengthByte, offset + 2 + lengthByte);
  if (lengthByte === 0x80) {
    const length = elements(ber.subarray(offset + 2)).reduce((sum, { whole }) => sum + whole.length, 0);
    return elementFrom(offset + 2, length, offset + 4 + length);
  }
  const lengthBytes = lengthByte & 0x7f;
  if (lengthBytes > 4 || offset + 2 + lengthBytes > ber.length) return null;
  const length = ber.readUIntBE(offset + 2, lengthBytes);
  return elementFrom(offset + 2 + lengthBytes, length, offset + 2 + lengthBytes + length);
}

function certificateOf(der: Buffer): X509Certificate | null {
  try {
    return new X509Certificate(der);
  } catch {
    return null;
  }
}
