import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { SignedDocument } from '@porchlight/contract/shapes.ts';
import type { UpdateFile } from '@porchlight/contract/updates.ts';
import { type KeyPair, signDocument } from '@porchlight/definitions/signature.ts';
import type { Program } from './programs.ts';

/** Validity in milliseconds. */
const validityMs = 90 * 24 * 3_600_000;

export interface Update {
  manifest: SignedDocument;
  files: Map<string, Buffer>;
}

export function makeUpdate(programs: Program[], version: string, key: KeyPair, now: Date): Update {
  const files = new Map<string, Buffer>();
  const pack = (target: UpdateFile['target'], name: string, content: Buffer): UpdateFile => {
    const gzipped = gzipSync(content, { level: 6 });
    // A fixed operating system in the gzip header.
    gzipped[9] = 3;
    const sha256 = createHash('sha256').update(gzipped).digest('hex');
    files.set(sha256, gzipped);
    return { target, name, size: gzipped.length, sha256, unpacked_size: content.length };
  };
  const listedFiles = programs.flatMap(({ target, agent, native }) => [
    pack(target, native.name, native.content),
    pack(target, 'agent', agent),
  ]);
  const [issued, expires] = [now, new Date(now.getTime() + validityMs)].map((time) => time.toISOString());
  return { manifest: signDocument({ agent_version: version, issued, expires, files: listedFiles }, key), files };
}
