import type { Bytes } from './bytes.ts';
import { type Der, partsOf, readDer, tags, textOf } from './der.ts';
import type { PeParts } from './pe.ts';

const pkcs7 = 2;
const commonName = '550403';
const organisation = '55040a';

/**
 * Who a program says it was signed by: the common name of the signer's certificate, else its organisation. Null when it is not signed.
 * The signature itself is not checked: it recognises a tool whose file was renamed, it does not vouch for anything. Who forges one
 * makes a program be taken for a tool, not the other way round. Sources: the public description of Authenticode; RFC 2315, RFC 5280.
 */
export function readSigner(file: Bytes, pe: PeParts): string | null {
  if (!pe.certificates) return null;
  const head = file.read(pe.certificates.offset, 8);
  if (!head || head.readUInt16LE(6) !== pkcs7) return null;
  const length = Math.min(head.readUInt32LE(0), pe.certificates.size) - 8;
  const table = file.read(pe.certificates.offset + 8, length);
  return table && signerOf(table);
}

/** From a PKCS#7 message: the certificate that its first signature names, and what that is made out to. */
export function signerOf(message: Buffer): string | null {
  const signed = partsOf(partsOf(readDer(message)).find(({ tag }) => tag === tags.context0))[0];
  const deps = partsOf(signed);
  const certificates = partsOf(deps.find(({ tag }) => tag === tags.context0));
  const signer = partsOf(partsOf(deps.findLast(({ tag }) => tag === tags.set))[0]);
  const [issuer, serial] = partsOf(signer[1]);
  if (!issuer || !serial) return null;
  for (const certificate of certificates) {
    const facts = partsOf(partsOf(certificate)[0]).filter(({ tag }) => tag !== tags.context0);
    // Serial number, algorithm, issuer, validity, subject.
    if (!facts[0]?.whole.equals(serial.whole) || !facts[2]?.whole.equals(issuer.whole)) continue;
    const subject = facts[4];
    return subject ? (named(subject, commonName) ?? named(subject, organisation)) : null;
  }
  return null;
}

/** The last value of this kind in a name: the most exact one. */
function named(name: Der, oid: string): string | null {
  const found = partsOf(name)
    .flatMap(partsOf)
    .map(partsOf)
    .findLast(([type]) => type?.tag === tags.oid && type.body.toString('hex') === oid);
  const text = found?.[1] ? textOf(found[1])?.trim() : null;
  return text ? text.slice(0, 300) : null;
}
