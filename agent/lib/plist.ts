/**
 * macOS property lists, XML and binary. Other programs write them and we read them as root, so the time is bounded: in common libraries it
 * doubles with each level of nested references (decision 39).
 */
export type Plist = string | number | boolean | Plist[] | { [key: string]: Plist };
export type Dict = { [key: string]: Plist };

const maxDepth = 50;
const noPropertyList = () => new Error('This is not a property list.');

/** The top dictionary of a property list; empty when the file is invalid. */
export function readPlist(bytes: Uint8Array): Dict {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    const value = buffer.toString('latin1', 0, 8) === 'bplist00' ? binaryPlist(buffer) : xmlPlist(buffer.toString('utf8'));
    return isDict(value) ? value : {};
  } catch {
    return {};
  }
}

export const plistText = (bytes: Uint8Array, key: string): string | null => textIn(readPlist(bytes), key) ?? null;

export const isDict = (value: Plist | null | undefined): value is Dict =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export function textIn(dict: Dict, key: string): string | undefined {
  const value = dict[key];
  return typeof value === 'string' ? value : undefined;
}

interface Tag {
  name: string;
  closes: boolean;
  empty: boolean;
  text: string;
}

/** The tags of an XML file, read in linear time, also when malformed. */
function tagsOf(xml: string): Tag[] {
  const tags: Tag[] = [];
  for (let offset = xml.indexOf('<'); offset !== -1; offset = xml.indexOf('<', offset)) {
    const comment = xml.startsWith('<!--', offset);
    const end = comment ? xml.indexOf('-->', offset + 4) : xml.indexOf('>', offset);
    if (end === -1) throw noPropertyList();
    const tag = xml.slice(offset + 1, end);
    offset = comment ? end + 3 : end + 1;
    const name = /^\/?(\w+)/.exec(tag)?.[1];
    if (comment || name === undefined) continue;
    const tagStart = xml.indexOf('<', offset);
    tags.push({
      name,
      closes: tag.startsWith('/'),
      empty: tag.endsWith('/'),
      text: xml.slice(offset, tagStart === -1 ? undefined : tagStart),
    });
  }
  return tags;
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const decoded = (text: string) =>
  text.replace(/&(#x[0-9a-f]{1,6}|#\d{1,7}|\w{1,8});/gi, (entity, name: string) => {
    if (!name.startsWith('#')) return entities[name] ?? entity;
    return String.fromCodePoint(/^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1)));
  });

function xmlPlist(xml: string): Plist | null {
  const tags = tagsOf(xml);
  let offset = 0;
  const isEnd = (name: string) => tags[offset]?.closes && tags[offset]?.name === name;
  const value = (depth: number): Plist => {
    const tag = tags[offset++];
    if (!tag || depth > maxDepth) throw noPropertyList();
    const { name, empty, text } = tag;
    if (name === 'array') return empty ? [] : array(depth);
    if (name === 'dict') return empty ? {} : dict(depth);
    if (!empty) offset++;
    if (name === 'true' || name === 'false') return name === 'true';
    return name === 'integer' || name === 'real' ? Number(text) : decoded(text);
  };
  const array = (depth: number): Plist[] => {
    const elements: Plist[] = [];
    while (!isEnd('array')) elements.push(value(depth + 1));
    offset++;
    return elements;
  };
  const dict = (depth: number): Dict => {
    const entries: [string, Plist][] = [];
    while (!isEnd('dict')) entries.push([String(value(depth + 1)), value(depth + 1)]);
    offset++;
    return Object.fromEntries(entries);
  };
  if (tags[offset]?.name === 'plist') offset++;
  return tags[offset] ? value(0) : null;
}

/** CFBinaryPList.c: `bplist00`, the objects, a table of their offsets, and a 32-byte trailer with integer widths. Throws when malformed. */
function binaryPlist(bytes: Buffer): Plist {
  const trailer = bytes.length - 32;
  const [offsetWidth, referenceWidth] = [bytes.readUInt8(trailer + 6), bytes.readUInt8(trailer + 7)];
  const [count, top, table] = [8, 16, 24].map((at) => Number(bytes.readBigUInt64BE(trailer + at))) as [number, number, number];
  const number = (at: number, width: number) => (width <= 6 ? bytes.readUIntBE(at, width) : Number(bytes.readBigUInt64BE(at)));
  /** A budget of objects, elements and bytes to read, against exponential nesting. */
  let budget = 100_000 + 8 * bytes.length;

  const object = (index: number, depth: number): Plist => {
    if (index >= count || depth > maxDepth || --budget < 0) throw noPropertyList();
    const offset = number(table + index * offsetWidth, offsetWidth);
    const marker = bytes.readUInt8(offset);
    const [kind, lowBits] = [marker >> 4, marker & 15];
    if (kind === 0) return lowBits === 9;
    if (kind === 1) return number(offset + 1, 1 << lowBits);
    if (kind === 2) return lowBits === 2 ? bytes.readFloatBE(offset + 1) : bytes.readDoubleBE(offset + 1);
    if (kind === 3) return bytes.readDoubleBE(offset + 1);
    const isLong = lowBits === 15;
    const width = isLong ? 1 << (bytes.readUInt8(offset + 1) & 15) : 0;
    const length = isLong ? number(offset + 2, width) : lowBits;
    const from = offset + 1 + (isLong ? 1 + width : 0);
    const reference = (n: number) => number(from + n * referenceWidth, referenceWidth);
    budget -= length;
    if (budget < 0) throw noPropertyList();
    switch (kind) {
      case 4:
        return bytes.toString('base64', from, from + length);
      case 5:
        return bytes.toString('latin1', from, from + length);
      case 6:
        return Buffer.from(bytes.subarray(from, from + length * 2))
          .swap16()
          .toString('utf16le');
      case 10:
        return Array.from({ length }, (_, n) => object(reference(n), depth + 1));
      case 13:
        return Object.fromEntries(
          Array.from({ length }, (_, n) => [String(object(reference(n), depth + 1)), object(reference(n + length), depth + 1)]),
        );
      default:
        return '';
    }
  };
  return object(top, 0);
}
