import { createHash } from 'node:crypto';
import { gunzipSync, inflateSync } from 'node:zlib';

/** Reads the contents by path, with code independent of the writing code. Throws for a wrong length or checksum. */
export function readXar(archive: Buffer): Map<string, Buffer> {
  if (archive.toString('latin1', 0, 4) !== 'xar!') throw new Error('this is no xar archive');
  const head = archive.readUInt16BE(4);
  const packedToc = archive.subarray(head, head + Number(archive.readBigUInt64BE(8)));
  const toc = inflateSync(packedToc);
  if (toc.length !== Number(archive.readBigUInt64BE(16))) throw new Error('the table of contents is not as long as the header says');
  const heap = archive.subarray(head + packedToc.length);
  const sha1 = (bytes: Buffer) => createHash('sha1').update(bytes).digest('hex');
  const xml = toc.toString('utf8');
  const tocChecksum = /<checksum style="sha1"><offset>(\d+)<\/offset><size>(\d+)<\/size><\/checksum>/.exec(xml);
  const checksumOffset = Number(tocChecksum?.[1]);
  if (heap.toString('hex', checksumOffset, checksumOffset + Number(tocChecksum?.[2])) !== sha1(packedToc))
    throw new Error('the table of contents has another checksum');

  const contents = new Map<string, Buffer>();
  const folders: string[] = [];
  let data = '';
  let usedBytes = Number(tocChecksum?.[2]);
  for (const [tag = '', closingTag, dataText = '', name = ''] of xml.matchAll(
    /<(\/?)file\b[^>]*>|<data>(.*?)<\/data>|<name>(.*?)<\/name>/g,
  )) {
    if (tag.startsWith('<data>')) data = dataText;
    else if (tag.startsWith('<name>')) {
      folders.push(name);
      if (!data) continue;
      const field = (fieldName: string) => new RegExp(`<${fieldName}[^>]*>([^<]*)<`).exec(data)?.[1] ?? '';
      const [offset, size] = [Number(field('offset')), Number(field('size'))];
      if (offset !== usedBytes) throw new Error(`${name} does not begin where the file before it ends`);
      usedBytes += size;
      const content = heap.subarray(offset, offset + size);
      if (sha1(content) !== field('archived-checksum') || field('extracted-checksum') !== field('archived-checksum'))
        throw new Error(`${name} has another checksum`);
      contents.set(folders.join('/'), content);
      data = '';
    } else if (closingTag) folders.pop();
  }
  if (usedBytes !== heap.length) throw new Error('there is more in the archive than the table of contents says');
  return contents;
}

export interface CpioMember {
  mode: number;
  owner: string;
  content: Buffer;
}

export function readCpio(packedArchive: Buffer): Map<string, CpioMember> {
  const archive = gunzipSync(packedArchive);
  const members = new Map<string, CpioMember>();
  for (let memberOffset = 0; ; ) {
    const number = (fieldOffset: number, digits: number) =>
      Number.parseInt(archive.toString('latin1', memberOffset + fieldOffset, memberOffset + fieldOffset + digits), 8);
    if (archive.toString('latin1', memberOffset, memberOffset + 6) !== '070707') throw new Error(`there is no member at ${memberOffset}`);
    const [nameSize, size] = [number(59, 6), number(65, 11)];
    const name = archive.toString('utf8', memberOffset + 76, memberOffset + 76 + nameSize - 1);
    if (name === 'TRAILER!!!') return members;
    const content = archive.subarray(memberOffset + 76 + nameSize, memberOffset + 76 + nameSize + size);
    members.set(name, { mode: number(18, 6), owner: `${number(24, 6)}:${number(30, 6)}`, content });
    memberOffset += 76 + nameSize + size;
  }
}
