import { lstat, realpath } from 'node:fs/promises';
import { dirname, sep } from 'node:path';
import { codeOf, isMissing } from '../in-folder.ts';
import { NotDone } from '../not-done.ts';

export interface Step {
  uid: number;
  gid: number;
  mode: number;
}

const [sticky, groupMayWrite, othersMayWrite] = [0o1000, 0o020, 0o002];

/**
 * Who can replace the entry at the end of a path; `steps`: its folders from the root down. 0 for only root, a uid, `anyone`, or `several`
 * when folders of different users are nested.
 */
export function whoCanSwap(steps: Step[]): number | 'anyone' | 'several' {
  let swapper = 0;
  let anyoneMayWrite = false;
  for (const [index, { uid, gid, mode }] of steps.entries()) {
    if (uid !== 0 && swapper !== 0 && uid !== swapper) return 'several';
    if (uid !== 0) swapper = uid;
    const writable = (mode & othersMayWrite) !== 0 || ((mode & groupMayWrite) !== 0 && gid !== 0);
    // In a sticky folder only the owner of an entry can rename it: that is the uid of the next step, but the last step has no next step.
    const isLast = index === steps.length - 1;
    if (uid === 0 && writable && !(mode & sticky && (!isLast || !(mode & othersMayWrite)))) anyoneMayWrite = true;
  }
  return swapper !== 0 ? swapper : anyoneMayWrite ? 'anyone' : 0;
}

/**
 * Whose rights to use for a file: our own unless we are root; root's only where nobody else can replace the file; otherwise its folder's
 * owner, or the file's `owner` where anyone could. Throws `NotDone`: `gone` without the folder, `protected` for a symbolic link or several
 * possible users.
 */
export async function whoseFolder(path: string, owner: () => Promise<number>, ownUid = process.getuid?.() ?? 0): Promise<number> {
  if (ownUid !== 0) return ownUid;
  const folder = dirname(path);
  try {
    if ((await realpath(folder)) !== folder) throw new NotDone('protected');
    const swapper = whoCanSwap(await Promise.all(foldersTo(folder).map(stepAt)));
    if (typeof swapper === 'number') return swapper;
    const fileOwner = swapper === 'anyone' ? await owner() : 0;
    if (fileOwner === 0) throw new NotDone('protected');
    return fileOwner;
  } catch (err) {
    if (err instanceof NotDone) throw err;
    throw isMissing(err) ? new NotDone('gone') : new NotDone(codeOf(err) === 'ELOOP' ? 'protected' : 'refused');
  }
}

function foldersTo(folder: string): string[] {
  const names = folder.split(sep).filter(Boolean);
  return ['/', ...names.map((_, at) => `/${names.slice(0, at + 1).join('/')}`)];
}

async function stepAt(folder: string): Promise<Step> {
  const stat = await lstat(folder);
  if (!stat.isDirectory()) throw new NotDone('protected');
  return { uid: stat.uid, gid: stat.gid, mode: stat.mode };
}
