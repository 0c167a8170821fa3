import { X509Certificate } from 'node:crypto';
import { readMachO, slicesOf } from '@porchlight/definitions/mach-o.ts';

/** Who signed a Mach-O file, as it says itself. It is read, not checked: a program that lies about it only makes itself look worse. */
export interface CodeSignature {
  identifier: string;
  /** Of Apple's developer programme; null for an ad-hoc signature. */
  team: string | null;
  /** Common name of the certificate that signed: `Developer ID Application: Name (TEAM)`. */
  signer: string | null;
}

const directoryMagic = 0xfade0c02;
const cmsMagic = 0xfade0b01;

/** Null when the file is no Mach-O file, or has no signature. Of a universal file the first part that has one counts. */
export function readCodeSignature(file: Buffer): CodeSignature | null {
  for (const slice of slicesOf(file)) {
    const place = readMachO(slice)?.signature;
    if (!place) continue;
    try {
      return read(slice.subarray(place.offset, place.offset + place.size));
    } catch {
      // Cut off or made up: no signature that says anything.
    }
  }
  return null;
}

function read(blob: Buffer): CodeSignature | null {
  const parts = Array.from({ length: Math.min(blob.readUInt32BE(8), 32) }, (_none, n) => blob.subarray(blob.readUInt32BE(16 + 8 * n)));
  const directory = parts.find((part) => part.readUInt32BE(0) === directoryMagic);
  if (!directory) return null;
  const text = (at: number) => directory.toString('utf8', at, directory.indexOf(0, at));
  const team = directory.readUInt32BE(8) >= 0x20200 ? directory.readUInt32BE(48) : 0;
  const cms = parts.find((part) => part.readUInt32BE(0) === cmsMagic);
  const leaf = cms ? leafOf(cms.subarray(8, cms.readUInt32BE(4))) : null;
  const field = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(leaf?.subject ?? '')?.[1] ?? null;
  return { identifier: text(directory.readUInt32BE(20)), team: team ? text(team) : field('OU'), signer: field('CN') };
}

/** The certificate of a CMS message that signs for no other one. */
function leafOf(cms: Buffer): X509Certificate | null {
  for (const der of certificatesIn(cms)) {
    const certificate = certificateOf(der);
    if (certificate && !certificate.ca) return certificate;
  }
  return null;
}

/** ContentInfo → [0] → SignedData → certificates [0]: RFC 5652, sections 3 and 5.1. */
function certificatesIn(cms: Buffer): Buffer[] {
  const [info] = elements(cms);
  const [, wrapped] = info ? elements(info.content) : [];
  const [signed] = wrapped ? elements(wrapped.content) : [];
  const certificates = (signed ? elements(signed.content) : []).find(({ tag }) => tag === 0xa0);
  return certificates ? elements(certificates.content).map(({ whole }) => whole) : [];
}

interface Element {
  tag: number;
  content: Buffer;
  whole: Buffer;
}

/** The elements of BER that stand one after another; what is cut off is left out. */
function elements(ber: Buffer): Element[] {
  const found: Element[] = [];
  for (let at = 0; ; ) {
    const next = elementAt(ber, at);
    if (!next) return found;
    found.push(next);
    at += next.whole.length;
  }
}

/** Apple writes the outer elements without their length: they end at two zeros. */
function elementAt(ber: Buffer, at: number): Element | null {
  const [tag = 0, first] = ber.subarray(at, at + 2);
  if (first === undefined || (tag === 0 && first === 0)) return null;
  const of = (begin: number, length: number, end: number) =>
    end > ber.length ? null : { tag, content: ber.subarray(begin, begin + length), whole: ber.subarray(at, end) };
  if (first < 0x80) return of(at + 2, first, at + 2 + first);
  if (first === 0x80) {
    const length = elements(ber.subarray(at + 2)).reduce((sum, { whole }) => sum + whole.length, 0);
    return of(at + 2, length, at + 4 + length);
  }
  const more = first & 0x7f;
  if (more > 4 || at + 2 + more > ber.length) return null;
  const length = ber.readUIntBE(at + 2, more);
  return of(at + 2 + more, length, at + 2 + more + length);
}

function certificateOf(der: Buffer): X509Certificate | null {
  try {
    return new X509Certificate(der);
  } catch {
    return null;
  }
}
