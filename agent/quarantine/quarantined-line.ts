import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { whoseFolder } from '../lib/files/whose-folder.ts';
import { openPlain } from '../lib/files/work.ts';
import { inFolder } from '../lib/in-folder.ts';
import { NotDone } from '../lib/not-done.ts';
import { syncFolder } from '../state/files.ts';

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

const linesOf = async (path: string) => {
  await mustBeOurs(path);
  return inFolder(path, async (at) => {
    const file = await openPlain(at);
    return (await file.readFile('utf8').finally(() => file.close())).split('\n');
  });
};

/** Tables lie in folders of the system. One that a person could swap for another file is not worked on: it would be done with our rights. */
async function mustBeOurs(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const me = process.getuid?.() ?? 0;
  const whose = await whoseFolder(path, async () => 0);
  if (whose !== me) throw new NotDone('protected');
}

/**
 * With the mode and owner that it has, so that there is the old or the new file at any moment. Rights are set by the handle of what was made just now,
 * the owner last: until then nobody but us can put another file in its place, also where a group may write to the folder.
 */
async function rewrite(path: string, lines: string[]): Promise<void> {
  await inFolder(path, async (at) => {
    const before = await openPlain(at);
    const { mode, uid, gid } = await before.stat().finally(() => before.close());
    const temporary = join(dirname(at), `.porchlight-line-${randomUUID()}`);
    const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;
    const file = await open(temporary, O_WRONLY | O_CREAT | O_EXCL | (O_NOFOLLOW ?? 0), 0o600);
    try {
      await file.writeFile(lines.join('\n'));
      await file.chmod(mode & 0o777);
      if (process.platform !== 'win32') await file.chown(uid, gid);
      await file.sync();
      await rename(temporary, at);
    } catch (err) {
      await rm(temporary, { force: true });
      throw err;
    } finally {
      await file.close();
    }
    await syncFolder(dirname(at));
  });
}
