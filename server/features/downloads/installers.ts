import { createHash } from 'node:crypto';
import { createReadStream, type Stats } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import type { InstallerPlatform } from '@porchlight/contract/downloads.ts';

/** How an installer is called in the folder of the operator. */
export const installerFiles = { windows: 'porchlight.exe', macos: 'porchlight.pkg', linux: 'porchlight.deb' } as const satisfies Record<
  InstallerPlatform,
  string
>;

export interface InstallerFound {
  /** Without links; `file` is a path below it. */
  folder: string;
  file: string;
  /** In bytes. */
  size: number;
  sha256: Buffer;
}

export interface Installers {
  /** Null when there is none that may be given away. */
  find(platform: InstallerPlatform): Promise<InstallerFound | null>;
}

/** The installers in a folder. Each is hashed once, and again only when it has become another file. `unreadable` is told why one that is there cannot be given. */
export function installersIn(dir: string, unreadable: (err: unknown) => void): Installers {
  const hashes = new Map<InstallerPlatform, { version: string; sha256: Promise<Buffer> }>();
  const hashOf = (platform: InstallerPlatform, path: string, version: string): Promise<Buffer> => {
    const known = hashes.get(platform);
    if (known?.version === version) return known.sha256;
    const sha256 = hashFile(path);
    hashes.set(platform, { version, sha256 });
    return sha256;
  };

  const look = async (platform: InstallerPlatform): Promise<InstallerFound | null> => {
    const folder = await realpath(dir);
    const path = await realpath(join(folder, installerFiles[platform]));
    // A link out of the folder would give away whatever it points to.
    if (!path.startsWith(folder + sep)) return null;
    for (;;) {
      const before = await stat(path);
      if (!before.isFile() || before.size === 0) return null;
      const sha256 = await hashOf(platform, path, versionOf(before));
      // Put in its place while it was read: what was read is half of the one and half of the other.
      if (versionOf(await stat(path)) === versionOf(before)) return { folder, file: relative(folder, path), size: before.size, sha256 };
    }
  };

  return {
    find: (platform) =>
      look(platform).catch((err: NodeJS.ErrnoException) => {
        hashes.delete(platform);
        if (err.code !== 'ENOENT') unreadable(err);
        return null;
      }),
  };
}

const versionOf = ({ ino, size, mtimeMs, ctimeMs }: Stats) => `${ino} ${size} ${mtimeMs} ${ctimeMs}`;

/** Piece by piece: an installer is larger than what a server should hold in memory. */
async function hashFile(path: string): Promise<Buffer> {
  const hash = createHash('sha256');
  for await (const piece of createReadStream(path)) hash.update(piece as Buffer);
  return hash.digest();
}
