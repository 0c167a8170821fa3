import type { Bytes } from './bytes.ts';
import { type Der, elementsOf, readDer, tags, textOf } from './der.ts';
import type { PeLayout } from './pe.ts';

const pkcs7 = 2;
const commonName = '550403';
const organisation = '55040a';

/**
 * The common name or organisation of the signer's certificate; null when unsigned. The signature is not verified: it only identifies tools,
 * so a forged signature can only get its own program blocked. Sources: the public description of Authenticode; RFC 2315, RFC 5280.
 */
export function readSigner(file: Bytes, pe: PeLayout): string | null {
  if (!pe.certificates) return null;
  const header = file.read(pe.certificates.offset, 8);
  if (!header || header.readUInt16LE(6) !== pkcs7) return null;
  const length = Math.min(header.readUInt32LE(0), pe.certificates.size) - 8;
  const table = file.read(pe.certificates.offset + 8, length);
  return table && signerOf(table);
}

/** The subject of the certificate of the first PKCS#7 signature. */
export function signerOf(message: Buffer): string | null {
  const signedData = elementsOf(elementsOf(readDer(message)).find(({ tag }) => tag === tags.context0))[0];
  const fields = elementsOf(signedData);
  const certificates = elementsOf(fields.find(({ tag }) => tag === tags.context0));
  const signer = elementsOf(elementsOf(fields.findLast(({ tag }) => tag === tags.set))[0]);
  const [issuer, serial] = elementsOf(signer[1]);
  if (!issuer || !serial) return null;
  for (const certificate of certificates) {
    const certificateFields = elementsOf(elementsOf(certificate)[0]).filter(({ tag }) => tag !== tags.context0);
    // The order is serial number, algorithm, issuer, validity, subject.
    if (!certificateFields[0]?.whole.equals(serial.whole) || !certificateFields[2]?.whole.equals(issuer.whole)) continue;
    const subject = certificateFields[4];
    return subject ? (findNameAttribute(subject, commonName) ?? findNameAttribute(subject, organisation)) : null;
  }
  return null;
}

/** The last value in a name is the most specific. */
function findNameAttribute(name: Der, oid: string): string | null {
  const attribute = elementsOf(name)
    .flatMap(elementsOf)
    .map(elementsOf)
    .findLast(([type]) => type?.tag === tags.oid && type.body.toString('hex') === oid);
  const text = attribute?.[1] ? textOf(attribute[1])?.trim() : null;
  return text ? text.slice(0, 300) : null;
}
