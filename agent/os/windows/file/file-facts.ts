import { statSync } from 'node:fs';
import { readSigner } from './authenticode.ts';
import { type Bytes, withFile } from './bytes.ts';
import { readPe } from './pe.ts';
import { readVersionInfo, type VersionInfo } from './version-info.ts';

/** What a Windows program file says of itself: so a renamed tool is found all the same. */
export interface FileFacts extends VersionInfo {
  signer?: string;
}

/** How many files are remembered: more than run on any computer at a time. */
const most = 2000;

/** Empty for what is no Windows program, or a damaged one. Never throws. */
export function factsOf(file: Bytes): FileFacts {
  const pe = readPe(file);
  if (!pe) return {};
  const signer = readSigner(file, pe);
  return { ...readVersionInfo(file, pe), ...(signer ? { signer } : {}) };
}

/** Reads each file once, and again when it has another size or time. */
export function fileFacts(): (path: string) => FileFacts {
  const known = new Map<string, { stamp: string; facts: FileFacts }>();
  return (path) => {
    let stamp: string;
    try {
      const { mtimeMs, size } = statSync(path);
      stamp = `${mtimeMs}:${size}`;
    } catch {
      return {};
    }
    const before = known.get(path);
    if (before?.stamp === stamp) return before.facts;
    const facts = withFile(path, factsOf) ?? {};
    if (known.size >= most) known.clear();
    known.set(path, { stamp, facts });
    return facts;
  };
}
