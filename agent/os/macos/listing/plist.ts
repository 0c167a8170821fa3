import { binaryPlist } from './binary-plist.ts';

export type Plist = string | number | boolean | Plist[] | { [key: string]: Plist };
export type Dict = { [key: string]: Plist };

/** A property list, written or binary: its dictionary; empty when it is none. */
export function readPlist(bytes: Uint8Array): Dict {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let value: Plist | null;
  try {
    value = buffer.toString('latin1', 0, 6) === 'bplist' ? binaryPlist(buffer) : xmlPlist(buffer.toString('utf8'));
  } catch {
    value = null;
  }
  return isDict(value) ? value : {};
}

export const isDict = (value: Plist | null | undefined): value is Dict =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
export const textIn = (dict: Dict, key: string): string | undefined => (typeof dict[key] === 'string' ? (dict[key] as string) : undefined);

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const plain = (text: string) =>
  text.replace(/&(#x[0-9a-f]+|#\d+|\w+);/gi, (whole, name: string) => {
    if (!name.startsWith('#')) return entities[name] ?? whole;
    return String.fromCodePoint(/^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1)));
  });

/** By its tags: plist(5) has no attributes that matter and no mixed content. */
function xmlPlist(xml: string): Plist | null {
  const tags = [...xml.replace(/<!--.*?-->|<\?.*?\?>|<!DOCTYPE[^>]*>/gs, '').matchAll(/<(\/?)(\w+)[^>]*?(\/?)>([^<]*)/g)];
  let at = 0;
  const isEnd = (name: string) => tags[at]?.[1] === '/' && tags[at]?.[2] === name;
  const value = (depth: number): Plist => {
    const [, , name = '', empty = '', text = ''] = tags[at++] ?? [];
    if (depth > 50 || at > tags.length) throw new Error('no property list');
    if (name === 'true' || name === 'false') {
      if (!empty) at++;
      return name === 'true';
    }
    if (name === 'array' || name === 'dict') return empty ? (name === 'array' ? [] : {}) : name === 'array' ? array(depth) : dict(depth);
    if (!empty) at++;
    return name === 'integer' || name === 'real' ? Number(text) : plain(text);
  };
  const array = (depth: number): Plist[] => {
    const all: Plist[] = [];
    while (!isEnd('array')) all.push(value(depth + 1));
    at++;
    return all;
  };
  const dict = (depth: number): Dict => {
    const all: Dict = {};
    while (!isEnd('dict')) {
      const key = String(value(depth + 1));
      all[key] = value(depth + 1);
    }
    at++;
    return all;
  };
  if (tags[at]?.[2] === 'plist') at++;
  return tags[at] ? value(0) : null;
}
