import { statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { readCodeSignature } from '../../lib/code-signature.ts';
import { firstBytes } from '../../lib/plain-file.ts';
import { plistText } from '../../lib/plist.ts';
import type { ProcessSeen } from '../port.ts';

type Program = ProcessSeen['program'];

/** Larger programs are identified only by bundle and name. */
const MAX_BYTES = 1 << 29;
const MAX_PLIST_BYTES = 1 << 22;
const MAX_CACHED = 2000;

/** Reads a program's metadata, cached until the file changes. */
export function programReader(): (path: string) => Program {
  const cache = new Map<string, { version: string; program: Program }>();
  return (path) => {
    const version = versionOf(path);
    const cachedEntry = cache.get(path);
    if (version && cachedEntry?.version === version) return cachedEntry.program;
    const program = { os: 'macos' as const, name: basename(path), path, ...(version ? metadataOf(path) : {}) };
    if (cache.size >= MAX_CACHED) cache.clear();
    cache.set(path, { version, program });
    return program;
  };
}

function versionOf(path: string): string {
  try {
    const { ino, size, mtimeMs, ctimeMs } = statSync(path);
    return size > MAX_BYTES ? '' : `${ino} ${size} ${mtimeMs} ${ctimeMs}`;
  } catch {
    return '';
  }
}

function metadataOf(path: string): Partial<Program> {
  const fileContent = isMachO(path) ? firstBytes(path, MAX_BYTES, MAX_BYTES) : null;
  const signature = fileContent && readCodeSignature(fileContent);
  const info = infoPlistOf(path);
  const bundle_id = (info && plistText(info, 'CFBundleIdentifier')) ?? signature?.identifier;
  const product = info && (plistText(info, 'CFBundleDisplayName') ?? plistText(info, 'CFBundleName'));
  return {
    ...(bundle_id ? { bundle_id } : {}),
    ...(product ? { product } : {}),
    ...(signature?.team ? { team_id: signature.team } : {}),
    ...(signature?.signer ? { signer: signature.signer } : {}),
  };
}

/** Files other than programs are not read whole. */
function isMachO(path: string): boolean {
  const head = firstBytes(path, 4);
  return head?.length === 4 && [0xcffaedfe, 0xcafebabe].includes(head.readUInt32BE(0));
}

/** `X.app/Contents/MacOS/x` → `X.app/Contents/Info.plist` */
function infoPlistOf(path: string): Buffer | null {
  const contents = dirname(dirname(path));
  if (basename(contents) !== 'Contents') return null;
  return firstBytes(join(contents, 'Info.plist'), MAX_PLIST_BYTES, MAX_PLIST_BYTES);
}
