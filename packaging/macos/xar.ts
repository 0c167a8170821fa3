import { createHash } from 'node:crypto';
import { deflateSync } from 'node:zlib';

export interface Member {
  /** A path at most one folder deep. */
  path: string;
  content: Buffer;
}

const sha1 = (bytes: Buffer) => createHash('sha1').update(bytes).digest();
const headSize = 28;
const hashSize = 20;
/** SHA-1, which every version of the installer knows. It detects damage; it is no signature. */
const kindSha1 = 1;

/** A xar archive: header, compressed XML table of contents, then the uncompressed files. */
export function xar(members: Member[]): Buffer {
  let heapOffset = hashSize;
  let id = 0;
  const files = new Map<string, string[]>();
  for (const { path, content } of members) {
    const [folder = '', name = ''] = path.includes('/') ? path.split('/') : ['', path];
    const hash = sha1(content).toString('hex');
    const data = [
      `<length>${content.length}</length><offset>${heapOffset}</offset><size>${content.length}</size>`,
      '<encoding style="application/octet-stream"/>',
      `<extracted-checksum style="sha1">${hash}</extracted-checksum><archived-checksum style="sha1">${hash}</archived-checksum>`,
    ].join('');
    const file = `<file id="${++id}"><data>${data}</data>${about(name, 'file', '0644')}</file>`;
    files.set(folder, [...(files.get(folder) ?? []), file]);
    heapOffset += content.length;
  }
  const entries = [...files].map(([folder, fileEntries]) =>
    folder ? `<file id="${++id}">${about(folder, 'directory', '0755')}${fileEntries.join('')}</file>` : fileEntries.join(''),
  );
  const time = '<creation-time>2020-01-01T00:00:00</creation-time>';
  const checksum = `<checksum style="sha1"><offset>0</offset><size>${hashSize}</size></checksum>`;
  const toc = Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>\n<xar><toc>${time}${checksum}${entries.join('')}</toc></xar>\n`);
  const packedToc = deflateSync(toc, { level: 9 });
  const head = Buffer.alloc(headSize);
  head.write('xar!');
  head.writeUInt16BE(headSize, 4);
  head.writeUInt16BE(1, 6);
  head.writeBigUInt64BE(BigInt(packedToc.length), 8);
  head.writeBigUInt64BE(BigInt(toc.length), 16);
  head.writeUInt32BE(kindSha1, 24);
  return Buffer.concat([head, packedToc, sha1(packedToc), ...members.map(({ content }) => content)]);
}

function about(name: string, type: 'file' | 'directory', mode: string): string {
  return `<name>${name}</name><type>${type}</type><mode>${mode}</mode><uid>0</uid><user>root</user><gid>0</gid><group>wheel</group>`;
}
