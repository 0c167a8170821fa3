/**
 * Property lists of macOS, as XML and in Apple's binary form. The files are written by other programs and read with root's rights, so the
 * time to read one is bounded: the libraries for this take twice as long for each level of a binary list that contains itself twice
 * (decision 39).
 */
export type Plist = string | number | boolean | Plist[] | { [key: string]: Plist };
export type Dict = { [key: string]: Plist };

const maxDepth = 50;
const noPropertyList = () => new Error('This is not a property list.');

/** The dictionary at the top of a property list; empty when the file is none. */
export function readPlist(bytes: Uint8Array): Dict {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    const value = buffer.toString('latin1', 0, 8) === 'bplist00' ? binaryPlist(buffer) : xmlPlist(buffer.toString('utf8'));
    return isDict(value) ? value : {};
  } catch {
    return {};
  }
}

/** A text of a property list by its key in the dictionary at the top. Null when there is none. */
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
  /** `<true/>` */
  empty: boolean;
  /** What follows it, up to the next tag. */
  text: string;
}

/** Each character is read once, whatever a hostile file leaves open. */
function tagsOf(xml: string): Tag[] {
  const tags: Tag[] = [];
  for (let at = xml.indexOf('<'); at !== -1; at = xml.indexOf('<', at)) {
    const comment = xml.startsWith('<!--', at);
    const end = comment ? xml.indexOf('-->', at + 4) : xml.indexOf('>', at);
    if (end === -1) throw noPropertyList();
    const tag = xml.slice(at + 1, end);
    at = comment ? end + 3 : end + 1;
    const name = /^\/?(\w+)/.exec(tag)?.[1];
    if (comment || name === undefined) continue;
    const next = xml.indexOf('<', at);
    tags.push({ name, closes: tag.startsWith('/'), empty: tag.endsWith('/'), text: xml.slice(at, next === -1 ? undefined : next) });
  }
  return tags;
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const decoded = (text: string) =>
  text.replace(/&(#x[0-9a-f]{1,6}|#\d{1,7}|\w{1,8});/gi, (whole, name: string) => {
    if (!name.startsWith('#')) return entities[name] ?? whole;
    return String.fromCodePoint(/^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1)));
  });

/** plist(5) has no attributes that matter and no text beside tags. */
function xmlPlist(xml: string): Plist | null {
  const tags = tagsOf(xml);
  let at = 0;
  const isEnd = (name: string) => tags[at]?.closes && tags[at]?.name === name;
  const value = (depth: number): Plist => {
    const tag = tags[at++];
    if (!tag || depth > maxDepth) throw noPropertyList();
    const { name, empty, text } = tag;
    if (name === 'array') return empty ? [] : array(depth);
    if (name === 'dict') return empty ? {} : dict(depth);
    if (!empty) at++;
    if (name === 'true' || name === 'false') return name === 'true';
    return name === 'integer' || name === 'real' ? Number(text) : decoded(text);
  };
  const array = (depth: number): Plist[] => {
    const all: Plist[] = [];
    while (!isEnd('array')) all.push(value(depth + 1));
    at++;
    return all;
  };
  const dict = (depth: number): Dict => {
    const entries: [string, Plist][] = [];
    while (!isEnd('dict')) entries.push([String(value(depth + 1)), value(depth + 1)]);
    at++;
    return Object.fromEntries(entries);
  };
  if (tags[at]?.name === 'plist') at++;
  return tags[at] ? value(0) : null;
}

/**
 * CFBinaryPList.c: `bplist00`, the objects, a table of the offset of each, and at the end 32 bytes with the widths of the numbers. Throws
 * when the list is broken.
 */
function binaryPlist(bytes: Buffer): Plist {
  const trailer = bytes.length - 32;
  const [offsetWidth, referenceWidth] = [bytes.readUInt8(trailer + 6), bytes.readUInt8(trailer + 7)];
  const [count, top, table] = [8, 16, 24].map((at) => Number(bytes.readBigUInt64BE(trailer + at))) as [number, number, number];
  const number = (at: number, width: number) => (width <= 6 ? bytes.readUIntBE(at, width) : Number(bytes.readBigUInt64BE(at)));
  /** Objects, elements and bytes that may still be read. A list that contains another one twice, over and over, would take forever. */
  let budget = 100_000 + 8 * bytes.length;

  const object = (index: number, depth: number): Plist => {
    if (index >= count || depth > maxDepth || --budget < 0) throw noPropertyList();
    const at = number(table + index * offsetWidth, offsetWidth);
    const marker = bytes.readUInt8(at);
    const [kind, low] = [marker >> 4, marker & 15];
    if (kind === 0) return low === 9;
    if (kind === 1) return number(at + 1, 1 << low);
    if (kind === 2) return low === 2 ? bytes.readFloatBE(at + 1) : bytes.readDoubleBE(at + 1);
    if (kind === 3) return bytes.readDoubleBE(at + 1);
    const long = low === 15;
    const width = long ? 1 << (bytes.readUInt8(at + 1) & 15) : 0;
    const length = long ? number(at + 2, width) : low;
    const from = at + 1 + (long ? 1 + width : 0);
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
