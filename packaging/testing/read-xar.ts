import { createHash } from 'node:crypto';
import { gunzipSync, inflateSync } from 'node:zlib';

/** What lies in a xar archive, by path. Throws when a length or a checksum is not right. Written apart from what writes them. */
export function readXar(archive: Buffer): Map<string, Buffer> {
  if (archive.toString('latin1', 0, 4) !== 'xar!') throw new Error('this is no xar archive');
  const head = archive.readUInt16BE(4);
  const packed = archive.subarray(head, head + Number(archive.readBigUInt64BE(8)));
  const toc = inflateSync(packed);
  if (toc.length !== Number(archive.readBigUInt64BE(16))) throw new Error('the table of contents is not as long as the header says');
  const heap = archive.subarray(head + packed.length);
  const sha1 = (bytes: Buffer) => createHash('sha1').update(bytes).digest('hex');
  const xml = toc.toString('utf8');
  const whole = /<checksum style="sha1"><offset>(\d+)<\/offset><size>(\d+)<\/size><\/checksum>/.exec(xml);
  const at = Number(whole?.[1]);
  if (heap.toString('hex', at, at + Number(whole?.[2])) !== sha1(packed)) throw new Error('the table of contents has another checksum');

  const found = new Map<string, Buffer>();
  const folders: string[] = [];
  let data = '';
  let used = Number(whole?.[2]);
  for (const [tag = '', closing, inside = '', name = ''] of xml.matchAll(/<(\/?)file\b[^>]*>|<data>(.*?)<\/data>|<name>(.*?)<\/name>/g)) {
    if (tag.startsWith('<data>')) data = inside;
    else if (tag.startsWith('<name>')) {
      folders.push(name);
      if (!data) continue;
      const field = (what: string) => new RegExp(`<${what}[^>]*>([^<]*)<`).exec(data)?.[1] ?? '';
      const [offset, size] = [Number(field('offset')), Number(field('size'))];
      if (offset !== used) throw new Error(`${name} does not begin where the file before it ends`);
      used += size;
      const content = heap.subarray(offset, offset + size);
      if (sha1(content) !== field('archived-checksum') || field('extracted-checksum') !== field('archived-checksum'))
        throw new Error(`${name} has another checksum`);
      found.set(folders.join('/'), content);
      data = '';
    } else if (closing) folders.pop();
  }
  if (used !== heap.length) throw new Error('there is more in the archive than the table of contents says');
  return found;
}

/** One member of a portable cpio archive. */
export interface CpioMember {
  mode: number;
  owner: string;
  content: Buffer;
}

/** What is packed in a compressed cpio archive, by path. */
export function readCpio(packed: Buffer): Map<string, CpioMember> {
  const archive = gunzipSync(packed);
  const found = new Map<string, CpioMember>();
  for (let at = 0; ; ) {
    const number = (from: number, digits: number) => Number.parseInt(archive.toString('latin1', at + from, at + from + digits), 8);
    if (archive.toString('latin1', at, at + 6) !== '070707') throw new Error(`there is no member at ${at}`);
    const [nameSize, size] = [number(59, 6), number(65, 11)];
    const name = archive.toString('utf8', at + 76, at + 76 + nameSize - 1);
    if (name === 'TRAILER!!!') return found;
    const content = archive.subarray(at + 76 + nameSize, at + 76 + nameSize + size);
    found.set(name, { mode: number(18, 6), owner: `${number(24, 6)}:${number(30, 6)}`, content });
    at += 76 + nameSize + size;
  }
}
