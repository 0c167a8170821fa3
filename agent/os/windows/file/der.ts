/** A value of DER (X.690): its tag, what is in it, and all of it with its head. */
export interface Der {
  tag: number;
  body: Buffer;
  whole: Buffer;
}

export const tags = { integer: 0x02, oid: 0x06, sequence: 0x30, set: 0x31, context0: 0xa0, context1: 0xa1 } as const;

const mostParts = 4096;

/** The value that begins at `at`; null when it is cut off, or longer than what it lies in. Indefinite lengths are not DER. */
function derAt(buffer: Buffer, at: number): Der | null {
  const [tag, first] = [buffer[at], buffer[at + 1]];
  if (tag === undefined || first === undefined || (tag & 0x1f) === 0x1f) return null;
  const more = first < 0x80 ? 0 : first & 0x7f;
  if (first === 0x80 || more > 4 || at + 2 + more > buffer.length) return null;
  const length = more === 0 ? first : buffer.readUIntBE(at + 2, more);
  const from = at + 2 + more;
  return from + length > buffer.length
    ? null
    : { tag, body: buffer.subarray(from, from + length), whole: buffer.subarray(at, from + length) };
}

export const readDer = (buffer: Buffer): Der | null => derAt(buffer, 0);

/** The values in a sequence or a set; what comes after a damaged one is left out. */
export function partsOf(of: Der | null | undefined): Der[] {
  const parts: Der[] = [];
  for (let at = 0; of && at < of.body.length && parts.length < mostParts; ) {
    const part = derAt(of.body, at);
    if (!part) break;
    parts.push(part);
    at += part.whole.length;
  }
  return parts;
}

/** Latin, UTF-8 or UTF-16 big-endian, as the tag says; null for anything else. */
export function textOf({ tag, body }: Der): string | null {
  if (tag === 0x0c) return body.toString('utf8');
  if (tag === 0x13 || tag === 0x14 || tag === 0x16) return body.toString('latin1');
  if (tag === 0x1e && body.length % 2 === 0) return Buffer.from(body).swap16().toString('utf16le');
  return null;
}
