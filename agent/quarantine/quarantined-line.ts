import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { whoseFolder } from '../lib/files/whose-folder.ts';
import { openPlain } from '../lib/files/work.ts';
import { inFolder } from '../lib/in-folder.ts';
import { NotDone } from '../lib/not-done.ts';
import { syncFolder } from '../state/files.ts';

export async function findLine(path: string, line: string): Promise<number | null> {
  const index = (await linesOf(path)).indexOf(line);
  return index < 0 ? null : index;
}

export async function removeLine(path: string, line: string): Promise<void> {
  const lines = await linesOf(path);
  if (lines.includes(line)) {
    await rewrite(
      path,
      lines.filter((one) => one !== line),
    );
  }
}

/** Restores a line at its former index, or at the end of a shorter file. */
export async function insertLine(path: string, line: string, index: number): Promise<void> {
  const lines = await linesOf(path);
  if (lines.includes(line)) return;
  const endIndex = lines.at(-1) === '' ? lines.length - 1 : lines.length;
  await rewrite(path, lines.toSpliced(Math.min(index, endIndex), 0, line));
}

const linesOf = async (path: string) => {
  await mustBeOurs(path);
  return inFolder(path, async (filePath) => {
    const file = await openPlain(filePath);
    return (await file.readFile('utf8').finally(() => file.close())).split('\n');
  });
};

/** Refuses a file that another user could replace, because the file is written with our rights. */
async function mustBeOurs(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const me = process.getuid?.() ?? 0;
  const ownerUid = await whoseFolder(path, async () => 0);
  if (ownerUid !== me) throw new NotDone('protected');
}

/**
 * Replaces the file atomically, with the same mode and owner. Mode and owner are set through the handle, the owner last, so that until then
 * only we can replace the file.
 */
async function rewrite(path: string, lines: string[]): Promise<void> {
  await inFolder(path, async (filePath) => {
    const original = await openPlain(filePath);
    const { mode, uid, gid } = await original.stat().finally(() => original.close());
    const temporary = join(dirname(filePath), `.porchlight-line-${randomUUID()}`);
    const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;
    const file = await open(temporary, O_WRONLY | O_CREAT | O_EXCL | (O_NOFOLLOW ?? 0), 0o600);
    try {
      await file.writeFile(lines.join('\n'));
      await file.chmod(mode & 0o777);
      if (process.platform !== 'win32') await file.chown(uid, gid);
      await file.sync();
      await rename(temporary, filePath);
    } catch (err) {
      await rm(temporary, { force: true });
      throw err;
    } finally {
      await file.close();
    }
    await syncFolder(dirname(filePath));
  });
}
