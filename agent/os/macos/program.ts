import { closeSync, openSync, readFileSync, readSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { readCodeSignature } from '../../lib/code-signature.ts';
import { plistText } from '../../lib/plist.ts';
import type { ProcessSeen } from '../port.ts';

type Program = ProcessSeen['program'];

/** In bytes: a program that is larger is known by its bundle and its name. */
const largest = 1 << 29;
/** So many programs are remembered. */
const remembered = 2000;

/** What the file of a program and the bundle around it say of themselves; each file is read once, and again when it has become another one. */
export function programReader(): (path: string) => Program {
  const known = new Map<string, { version: string; program: Program }>();
  return (path) => {
    const version = versionOf(path);
    const before = known.get(path);
    if (version && before?.version === version) return before.program;
    const program = { os: 'macos' as const, name: basename(path), path, ...(version ? saysOf(path) : {}) };
    if (known.size >= remembered) known.clear();
    known.set(path, { version, program });
    return program;
  };
}

function versionOf(path: string): string {
  try {
    const { ino, size, mtimeMs, ctimeMs } = statSync(path);
    return size > largest ? '' : `${ino} ${size} ${mtimeMs} ${ctimeMs}`;
  } catch {
    return '';
  }
}

function saysOf(path: string): Partial<Program> {
  const signature = isMachO(path) ? readCodeSignature(readFileSync(path)) : null;
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

/** Looks at the first four bytes before a whole file is read. */
function isMachO(path: string): boolean {
  try {
    const file = openSync(path, 'r');
    try {
      const head = Buffer.alloc(4);
      readSync(file, head, 0, 4, 0);
      return [0xcffaedfe, 0xcafebabe].includes(head.readUInt32BE(0));
    } finally {
      closeSync(file);
    }
  } catch {
    return false;
  }
}

/** Of the innermost bundle that a program belongs to: `X.app/Contents/MacOS/x` → `X.app/Contents/Info.plist`. */
function infoPlistOf(path: string): Buffer | null {
  const contents = dirname(dirname(path));
  if (basename(contents) !== 'Contents') return null;
  try {
    return readFileSync(join(contents, 'Info.plist'));
  } catch {
    return null;
  }
}
