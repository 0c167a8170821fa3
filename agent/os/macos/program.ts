import { statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { readCodeSignature } from '../../lib/code-signature.ts';
import { firstBytes } from '../../lib/plain-file.ts';
import { plistText } from '../../lib/plist.ts';
import type { ProcessSeen } from '../port.ts';

type Program = ProcessSeen['program'];

/** In bytes: a program that is larger is known by its bundle and its name. */
const largest = 1 << 29;
const largestPlist = 1 << 22;
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
  const whole = isMachO(path) ? firstBytes(path, largest, largest) : null;
  const signature = whole && readCodeSignature(whole);
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
  const head = firstBytes(path, 4);
  return head?.length === 4 && [0xcffaedfe, 0xcafebabe].includes(head.readUInt32BE(0));
}

/** Of the innermost bundle that a program belongs to: `X.app/Contents/MacOS/x` → `X.app/Contents/Info.plist`. */
function infoPlistOf(path: string): Buffer | null {
  const contents = dirname(dirname(path));
  if (basename(contents) !== 'Contents') return null;
  return firstBytes(join(contents, 'Info.plist'), largestPlist, largestPlist);
}
