import { createHash } from 'node:crypto';
import { chown, lstat, mkdir, realpath } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NoEmbedded } from './refusals.ts';

/** A socket's path may have 107 bytes (103 on macOS), and a data folder may be deeper than that. */
const maxPathBytes = 103;
const socketName = '/.s.PGSQL.5432';

export async function makeSocketFolder(folder: string, uid = process.getuid?.() ?? 0): Promise<string> {
  const name = `porchlight-${createHash('sha256')
    .update(await realpath(folder))
    .digest('hex')
    .slice(0, 12)}`;
  const path = [join(tmpdir(), name), join('/tmp', name)].find((p) => Buffer.byteLength(p + socketName) <= maxPathBytes);
  if (!path) throw new NoEmbedded(`the temporary folder ${tmpdir()} has too long a name for a socket`);
  await mkdir(path, { mode: 0o700, recursive: true });
  const stats = await lstat(path);
  const ownUid = process.getuid?.() ?? 0;
  // Anyone may create folders in /tmp, and a stranger's folder could contain a stranger's database.
  if (!stats.isDirectory() || (stats.mode & 0o077) !== 0 || (stats.uid !== ownUid && ownUid !== 0)) {
    throw new NoEmbedded(`${path} belongs to someone else or is open to others; remove it`);
  }
  if (stats.uid !== uid) await chown(path, uid, uid);
  return path;
}
