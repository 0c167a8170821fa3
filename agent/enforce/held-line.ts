import { constants } from 'node:fs';
import { chmod, chown, type FileHandle, lstat, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { syncFolder } from '../state/files.ts';
import { NotDone } from './held.ts';
import { codeOf, inFolder, isMissing } from './in-folder.ts';

/** Where in its file a line stands, counted from 0; null when it does not. */
export async function findLine(path: string, line: string): Promise<number | null> {
  const at = (await linesOf(path)).indexOf(line);
  return at < 0 ? null : at;
}

/** Takes every such line away; where there is none that is well. */
export async function removeLine(path: string, line: string): Promise<void> {
  const lines = await linesOf(path);
  if (lines.includes(line)) {
    await rewrite(
      path,
      lines.filter((one) => one !== line),
    );
  }
}

/** Puts it back where it stood, or at the end of what has become shorter; where it stands already that is well. */
export async function insertLine(path: string, line: string, at: number): Promise<void> {
  const lines = await linesOf(path);
  if (lines.includes(line)) return;
  // The last piece is what follows the last end of a line: nothing.
  const last = lines.at(-1) === '' ? lines.length - 1 : lines.length;
  await rewrite(path, lines.toSpliced(Math.min(at, last), 0, line));
}

const linesOf = (path: string) =>
  inFolder(path, async (at) => {
    const file = await openPlain(at);
    return (await file.readFile('utf8').finally(() => file.close())).split('\n');
  });

/** With the mode and owner that it has, so that there is the old or the new file at any moment. */
async function rewrite(path: string, lines: string[]): Promise<void> {
  await inFolder(path, async (at) => {
    const { mode, uid, gid } = await lstat(at);
    const temporary = join(dirname(at), '.porchlight-line');
    await rm(temporary, { force: true });
    const file = await open(temporary, 'wx', 0o600);
    try {
      await file.writeFile(lines.join('\n'));
      await file.sync();
    } finally {
      await file.close();
    }
    if (process.platform !== 'win32') await chown(temporary, uid, gid);
    await chmod(temporary, mode & 0o7777);
    await rename(temporary, at);
    await syncFolder(dirname(at));
  });
}

async function openPlain(path: string): Promise<FileHandle> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch((err: unknown) => {
    throw codeOf(err) === 'ELOOP' ? new NotDone('protected') : isMissing(err) ? new NotDone('gone') : err;
  });
  if ((await file.stat()).isFile()) return file;
  await file.close();
  throw new NotDone('protected');
}
