/** A text of a property list by its key, at its top; from XML or Apple's binary form (bplist00). Null when it is not there or cannot be read. */
export function plistText(file: Buffer, key: string): string | null {
  try {
    return file.toString('latin1', 0, 8) === 'bplist00' ? fromBinary(file, key) : fromXml(file.toString('utf8'), key);
  } catch {
    return null;
  }
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function fromXml(xml: string, key: string): string | null {
  // What stands in a list or a dictionary below is not at the top.
  const top = /<plist[^>]*>\s*<dict>([\s\S]*)<\/dict>\s*<\/plist>/.exec(xml)?.[1]?.replace(/<!--[\s\S]*?-->/g, '') ?? '';
  let depth = 0;
  let wanted = false;
  for (const [, open, close, , name, text] of top.matchAll(
    /<(dict|array)>|<\/(dict|array)>|<((key)|(?:string))>([^<]*)<\/(?:key|string)>|<[^>]+>/g,
  )) {
    if (open) depth++;
    else if (close) depth--;
    if (depth > 0 || open || close || text === undefined) {
      if (depth > 0 || open || close) wanted = false;
      continue;
    }
    const plain = text.replace(/&(\w+);/g, (all, entity: string) => entities[entity] ?? all);
    if (name) wanted = plain === key;
    else if (wanted) return plain;
  }
  return null;
}

function fromBinary(file: Buffer, key: string): string | null {
  const trailer = file.length - 32;
  const [offsetSize = 0, refSize = 0] = [file[trailer + 6], file[trailer + 7]];
  const top = Number(file.readBigUInt64BE(trailer + 16));
  const table = Number(file.readBigUInt64BE(trailer + 24));
  const placeOf = (n: number) => file.readUIntBE(table + n * offsetSize, offsetSize);
  const sized = (at: number): { kind: number; count: number; begin: number } => {
    const marker = file[at] ?? 0;
    if ((marker & 15) !== 15) return { kind: marker >> 4, count: marker & 15, begin: at + 1 };
    const size = 1 << ((file[at + 1] ?? 0) & 15);
    return { kind: marker >> 4, count: file.readUIntBE(at + 2, size), begin: at + 2 + size };
  };
  const text = (n: number): string | null => {
    const { kind, count, begin } = sized(placeOf(n));
    if (kind === 5) return file.toString('latin1', begin, begin + count);
    // Two bytes each, most significant first.
    return kind === 6
      ? Buffer.from(file.subarray(begin, begin + 2 * count))
          .swap16()
          .toString('utf16le')
      : null;
  };
  const { kind, count, begin } = sized(placeOf(top));
  if (kind !== 13) return null;
  const ref = (n: number) => file.readUIntBE(begin + n * refSize, refSize);
  for (let n = 0; n < count; n++) if (text(ref(n)) === key) return text(ref(count + n));
  return null;
}
