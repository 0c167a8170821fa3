import { statSync } from 'node:fs';
import { readSigner } from './authenticode.ts';
import { type Bytes, withFile, withSlowFile } from './bytes.ts';
import { readPe } from './pe.ts';
import { readVersionInfo, type VersionInfo } from './version-info.ts';

/** What a Windows program file says of itself: so a renamed tool is found all the same. */
export interface FileFacts extends VersionInfo {
  signer?: string;
}

/** How many files are remembered: more than run on any computer at a time. */
const MAX_COUNT = 2000;

/** Empty for what is no Windows program, or a damaged one. Never throws. */
export function factsOf(file: Bytes): FileFacts {
  const pe = readPe(file);
  if (!pe) return {};
  const signer = readSigner(file, pe);
  return { ...readVersionInfo(file, pe), ...(signer ? { signer } : {}) };
}

/** On another computer: its answer may take as long as it likes. */
export const isRemote = (path: string) => /^[\\/]{2}([^\\/?.]|[?.]\\unc\\)|^\\\?\?\\unc\\/i.test(path);
/** A drive of this computer before it, and a name that is not one of Windows' devices. */
export const isLocal = (path: string) =>
  /^([\\/]{2}\?\\)?[a-z]:[\\/]/i.test(path) && !/[\\/](con|prn|aux|nul|com\d|lpt\d|conin\$|conout\$)\s*([.:][^\\/]*)?$/i.test(path);

/**
 * What the file of a program says that was started from another computer, read one after the other and without anything waiting for it. Null for
 * what lies anywhere else.
 */
export function remoteFacts(which = isRemote): (path: string) => Promise<FileFacts> | null {
  let before: Promise<unknown> = Promise.resolve();
  return (path) => {
    if (!which(path)) return null;
    const read = before.then(async () => (await withSlowFile(path, factsOf)) ?? {});
    before = read;
    return read;
  };
}

/** Reads each file of this computer once, and again when it has another size or time. All else waits for it: nothing is read of what lies elsewhere. */
export function fileFacts(which = process.platform === 'win32' ? isLocal : () => true): (path: string) => FileFacts {
  const known = new Map<string, { stamp: string; facts: FileFacts }>();
  return (path) => {
    if (!which(path)) return {};
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
    if (known.size >= MAX_COUNT) known.clear();
    known.set(path, { stamp, facts });
    return facts;
  };
}
