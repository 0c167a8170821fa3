import { createHash } from 'node:crypto';
import { chown, lstat, mkdir, realpath } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NoEmbedded } from './refusals.ts';

/** A socket's path may have 107 bytes (103 on macOS), and a data folder may lie deeper than that. */
const longest = 103;
const socketName = '/.s.PGSQL.5432';

/** A short folder for the socket of `folder`'s database, which only `uid` may enter. */
export async function makeSocketFolder(folder: string, uid = process.getuid?.() ?? 0): Promise<string> {
  const name = `porchlight-${createHash('sha256')
    .update(await realpath(folder))
    .digest('hex')
    .slice(0, 12)}`;
  const path = [join(tmpdir(), name), join('/tmp', name)].find((p) => Buffer.byteLength(p + socketName) <= longest);
  if (!path) throw new NoEmbedded(`the temporary folder ${tmpdir()} has too long a name for a socket`);
  await mkdir(path, { mode: 0o700, recursive: true });
  const found = await lstat(path);
  const own = process.getuid?.() ?? 0;
  // Anyone may make folders in /tmp: one that a stranger made, or can enter, could hold a stranger's database.
  if (!found.isDirectory() || (found.mode & 0o077) !== 0 || (found.uid !== own && own !== 0)) {
    throw new NoEmbedded(`${path} belongs to someone else or is open to others; remove it`);
  }
  if (found.uid !== uid) await chown(path, uid, uid);
  return path;
}
