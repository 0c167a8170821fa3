import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { SignedDocument } from '@porchlight/contract/shapes.ts';
import type { UpdateFile } from '@porchlight/contract/updates.ts';
import { type KeyPair, signDocument } from '@porchlight/definitions/signature.ts';
import type { Program } from './programs.ts';

/** For so long agents take it: in milliseconds. */
const lasts = 90 * 24 * 3_600_000;

export interface Update {
  manifest: SignedDocument;
  /** What is fetched, by its hash. */
  files: Map<string, Buffer>;
}

/** An update for every system of `programs`, signed. */
export function makeUpdate(programs: Program[], version: string, key: KeyPair, now: Date): Update {
  const files = new Map<string, Buffer>();
  const pack = (target: UpdateFile['target'], name: string, content: Buffer): UpdateFile => {
    const packed = gzipSync(content, { level: 6 });
    // The header of gzip would say on which system it was packed.
    packed[9] = 3;
    const sha256 = createHash('sha256').update(packed).digest('hex');
    files.set(sha256, packed);
    return { target, name, size: packed.length, sha256, unpacked_size: content.length };
  };
  const listed = programs.flatMap(({ target, agent, native }) => [pack(target, native.name, native.content), pack(target, 'agent', agent)]);
  const [issued, expires] = [now, new Date(now.getTime() + lasts)].map((time) => time.toISOString());
  return { manifest: signDocument({ agent_version: version, issued, expires, files: listed }, key), files };
}
