import { createHash } from 'node:crypto';
import { deflateSync } from 'node:zlib';

export interface Member {
  /** A path of at most one folder. */
  path: string;
  content: Buffer;
}

const sha1 = (bytes: Buffer) => createHash('sha1').update(bytes).digest();
const headSize = 28;
const hashSize = 20;
/** As its own header says it: SHA-1 is the algorithm that every version of the installer knows. It finds damage; it is no signature. */
const kindSha1 = 1;

/** An archive of the xar format: a header, a table of contents as compressed XML, and then the contents one after another, as they are. */
export function xar(members: Member[]): Buffer {
  let at = hashSize;
  let id = 0;
  const files = new Map<string, string[]>();
  for (const { path, content } of members) {
    const [folder = '', name = ''] = path.includes('/') ? path.split('/') : ['', path];
    const hash = sha1(content).toString('hex');
    const data = [
      `<length>${content.length}</length><offset>${at}</offset><size>${content.length}</size>`,
      '<encoding style="application/octet-stream"/>',
      `<extracted-checksum style="sha1">${hash}</extracted-checksum><archived-checksum style="sha1">${hash}</archived-checksum>`,
    ].join('');
    const file = `<file id="${++id}"><data>${data}</data>${about(name, 'file', '0644')}</file>`;
    files.set(folder, [...(files.get(folder) ?? []), file]);
    at += content.length;
  }
  const entries = [...files].map(([folder, inside]) =>
    folder ? `<file id="${++id}">${about(folder, 'directory', '0755')}${inside.join('')}</file>` : inside.join(''),
  );
  const time = '<creation-time>2020-01-01T00:00:00</creation-time>';
  const checksum = `<checksum style="sha1"><offset>0</offset><size>${hashSize}</size></checksum>`;
  const toc = Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>\n<xar><toc>${time}${checksum}${entries.join('')}</toc></xar>\n`);
  const packed = deflateSync(toc, { level: 9 });
  const head = Buffer.alloc(headSize);
  head.write('xar!');
  head.writeUInt16BE(headSize, 4);
  head.writeUInt16BE(1, 6);
  head.writeBigUInt64BE(BigInt(packed.length), 8);
  head.writeBigUInt64BE(BigInt(toc.length), 16);
  head.writeUInt32BE(kindSha1, 24);
  return Buffer.concat([head, packed, sha1(packed), ...members.map(({ content }) => content)]);
}

function about(name: string, type: 'file' | 'directory', mode: string): string {
  return `<name>${name}</name><type>${type}</type><mode>${mode}</mode><uid>0</uid><user>root</user><gid>0</gid><group>wheel</group>`;
}
