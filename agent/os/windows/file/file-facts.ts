import { statSync } from 'node:fs';
import { readSigner } from './authenticode.ts';
import { type Bytes, withFile, withSlowFile } from './bytes.ts';
import { readPe } from './pe.ts';
import { readVersionInfo, type VersionInfo } from './version-info.ts';

export interface FileFacts extends VersionInfo {
  signer?: string;
}

const MAX_COUNT = 2000;

/** Metadata of a program; empty for damaged and other files. Never throws. */
export function readFacts(file: Bytes): FileFacts {
  const pe = readPe(file);
  if (!pe) return {};
  const signer = readSigner(file, pe);
  return { ...readVersionInfo(file, pe), ...(signer ? { signer } : {}) };
}

export const isRemote = (path: string) => /^[\\/]{2}([^\\/?.]|[?.]\\unc\\)|^\\\?\?\\unc\\/i.test(path);
/** True for paths on a drive, except Windows device names. */
export const isLocal = (path: string) =>
  /^([\\/]{2}\?\\)?[a-z]:[\\/]/i.test(path) && !/[\\/](con|prn|aux|nul|com\d|lpt\d|conin\$|conout\$)\s*([.:][^\\/]*)?$/i.test(path);

/** Files on other computers are read one by one, asynchronously. Null for local paths. */
export function remoteFacts(isIncluded = isRemote): (path: string) => Promise<FileFacts> | null {
  let previousRead: Promise<unknown> = Promise.resolve();
  return (path) => {
    if (!isIncluded(path)) return null;
    const currentRead = previousRead.then(async () => (await withSlowFile(path, readFacts)) ?? {});
    previousRead = currentRead;
    return currentRead;
  };
}

/** Reads synchronously, so only local files. Cached by size and time. */
export function fileFacts(isIncluded = process.platform === 'win32' ? isLocal : () => true): (path: string) => FileFacts {
  const cache = new Map<string, { stamp: string; facts: FileFacts }>();
  return (path) => {
    if (!isIncluded(path)) return {};
    let stamp: string;
    try {
      const { mtimeMs, size } = statSync(path);
      stamp = `${mtimeMs}:${size}`;
    } catch {
      return {};
    }
    const cachedEntry = cache.get(path);
    if (cachedEntry?.stamp === stamp) return cachedEntry.facts;
    const facts = withFile(path, readFacts) ?? {};
    if (cache.size >= MAX_COUNT) cache.clear();
    cache.set(path, { stamp, facts });
    return facts;
  };
}
