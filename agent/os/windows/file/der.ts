/** DER (X.690): `body` is the content, `whole` includes the header. */
export interface Der {
  tag: number;
  body: Buffer;
  whole: Buffer;
}

export const tags = { integer: 0x02, oid: 0x06, sequence: 0x30, set: 0x31, context0: 0xa0, context1: 0xa1 } as const;

const MAX_ELEMENTS = 4096;

/** Null for a truncated element or one of indefinite length, which is not DER. */
function derAt(buffer: Buffer, at: number): Der | null {
  const [tag, lengthByte] = [buffer[at], buffer[at + 1]];
  if (tag === undefined || lengthByte === undefined || (tag & 0x1f) === 0x1f) return null;
  const lengthByteCount = lengthByte < 0x80 ? 0 : lengthByte & 0x7f;
  if (lengthByte === 0x80 || lengthByteCount > 4 || at + 2 + lengthByteCount > buffer.length) return null;
  const length = lengthByteCount === 0 ? lengthByte : buffer.readUIntBE(at + 2, lengthByteCount);
  const bodyStart = at + 2 + lengthByteCount;
  return bodyStart + length > buffer.length
    ? null
    : { tag, body: buffer.subarray(bodyStart, bodyStart + length), whole: buffer.subarray(at, bodyStart + length) };
}

export const readDer = (buffer: Buffer): Der | null => derAt(buffer, 0);

export function elementsOf(parent: Der | null | undefined): Der[] {
  const elements: Der[] = [];
  for (let at = 0; parent && at < parent.body.length && elements.length < MAX_ELEMENTS; ) {
    const element = derAt(parent.body, at);
    if (!element) break;
    elements.push(element);
    at += element.whole.length;
  }
  return elements;
}

export function textOf({ tag, body }: Der): string | null {
  if (tag === 0x0c) return body.toString('utf8');
  if (tag === 0x13 || tag === 0x14 || tag === 0x16) return body.toString('latin1');
  if (tag === 0x1e && body.length % 2 === 0) return Buffer.from(body).swap16().toString('utf16le');
  return null;
}
