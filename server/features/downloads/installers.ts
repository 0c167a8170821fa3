import { createHash } from 'node:crypto';
import { createReadStream, type Stats } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import type { InstallerPlatform } from '@porchlight/contract/downloads.ts';

/** The names of installers in the operator's folder. */
export const installerFiles = { windows: 'porchlight.exe', macos: 'porchlight.pkg', linux: 'porchlight.deb' } as const satisfies Record<
  InstallerPlatform,
  string
>;

export interface InstallerFound {
  /** An absolute path without symbolic links; `file` is relative to it. */
  folder: string;
  file: string;
  size: number;
  sha256: Buffer;
}

export interface Installers {
  /** Null when there is no usable installer. */
  find(platform: InstallerPlatform): Promise<InstallerFound | null>;
}

/** Installers in a folder, hashed again only after changes. `unreadable` gets errors other than a missing file. */
export function installersIn(dir: string, unreadable: (err: unknown) => void): Installers {
  const hashes = new Map<InstallerPlatform, { version: string; sha256: Promise<Buffer> }>();
  const hashOf = (platform: InstallerPlatform, path: string, version: string): Promise<Buffer> => {
    const cachedHash = hashes.get(platform);
    if (cachedHash?.version === version) return cachedHash.sha256;
    const sha256 = hashFile(path);
    hashes.set(platform, { version, sha256 });
    return sha256;
  };

  const findInstaller = async (platform: InstallerPlatform): Promise<InstallerFound | null> => {
    const folder = await realpath(dir);
    const path = await realpath(join(folder, installerFiles[platform]));
    // Symbolic links are not followed out of the folder, because they could expose any file.
    if (!path.startsWith(folder + sep)) return null;
    for (;;) {
      const statBefore = await stat(path);
      if (!statBefore.isFile() || statBefore.size === 0) return null;
      const sha256 = await hashOf(platform, path, versionOf(statBefore));
      // A file that was replaced while it was hashed is hashed again.
      if (versionOf(await stat(path)) === versionOf(statBefore))
        return { folder, file: relative(folder, path), size: statBefore.size, sha256 };
    }
  };

  return {
    find: (platform) =>
      findInstaller(platform).catch((err: NodeJS.ErrnoException) => {
        hashes.delete(platform);
        if (err.code !== 'ENOENT') unreadable(err);
        return null;
      }),
  };
}

const versionOf = ({ ino, size, mtimeMs, ctimeMs }: Stats) => `${ino} ${size} ${mtimeMs} ${ctimeMs}`;

async function hashFile(path: string): Promise<Buffer> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest();
}
