import { lstat, realpath } from 'node:fs/promises';
import { dirname } from 'node:path';

const OTHERS_WRITE = 0o022;

/**
 * Throws unless `path` below `root`, and each folder on the way, belongs to the user of this process and nobody else may write there. So
 * nobody can exchange a file or a folder while it is changed with our rights. A missing path is judged by the folders that exist.
 */
export async function requireOwnPath(path: string, root: string): Promise<void> {
  const uid = process.getuid?.();
  for (let at = path; at !== dirname(at) && at !== root; at = dirname(at)) {
    const stats = await lstat(at).catch((err: NodeJS.ErrnoException) => {
      if (err.code === 'ENOENT') return null;
      throw err;
    });
    if (!stats) continue;
    const isLink = stats.isSymbolicLink();
    // The mode of a symbolic link means nothing.
    if (stats.uid !== uid || (!isLink && stats.mode & OTHERS_WRITE)) throw new Error(`others can change ${at}`);
    if (isLink) await requireOwnPath(await realpath(at), root);
  }
}
