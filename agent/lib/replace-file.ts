import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { lstat, open, readFile, realpath, rename, rm, stat } from 'node:fs/promises';

export async function textOf(path: string): Promise<string> {
  return readFile(path, 'utf8').catch((err: NodeJS.ErrnoException) => {
    if (err.code === 'ENOENT') return '';
    throw err;
  });
}

const TEMPORARY = '.porchlight-';

/** Is this the name of a temporary file of `replaceFile` for the file `of`, in the same folder? */
export const isTemporaryOf = (name: string, of: string): boolean => name.startsWith(`${of}${TEMPORARY}`);

/** Throws for a symbolic link without a target: in the place of a link, a file would hide what its target will be. */
async function targetOf(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (err) {
    const isLink = (await lstat(path).catch(() => null))?.isSymbolicLink() ?? false;
    if (isLink) throw new Error(`${path} is a link to a file that is missing`, { cause: err });
    return path;
  }
}

/**
 * Replaces a system file atomically, with its permissions, through a symbolic link. A file that cannot be replaced, such as a bind mount,
 * is overwritten. A symbolic link that appears meanwhile is not followed.
 */
export async function replaceFile(path: string, content: string): Promise<void> {
  const target = await targetOf(path);
  const mode = (await stat(target).catch(() => null))?.mode ?? 0o644;
  const temporary = `${target}${TEMPORARY}${randomUUID()}`;
  try {
    const file = await open(temporary, 'wx', mode & 0o777);
    try {
      await file.chmod(mode & 0o777);
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, target);
  } catch (err) {
    await rm(temporary, { force: true }).catch(() => {});
    // With the random name each retry would fail with another sentence, and each would be logged.
    if (err instanceof Error) err.message = err.message.replace(`'${temporary}' -> `, '').replace(temporary, target);
    if (!['EBUSY', 'EXDEV', 'EROFS'].includes((err as NodeJS.ErrnoException).code ?? '')) throw err;
    const { O_WRONLY, O_TRUNC, O_NOFOLLOW } = constants;
    const file = await open(target, O_WRONLY | O_TRUNC | (O_NOFOLLOW ?? 0));
    await file.writeFile(content).finally(() => file.close());
  }
}
