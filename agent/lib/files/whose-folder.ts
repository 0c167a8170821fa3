import { lstat, realpath } from 'node:fs/promises';
import { dirname, sep } from 'node:path';
import { codeOf, isMissing } from '../in-folder.ts';
import { NotDone } from '../not-done.ts';

/** What is looked at of a folder on the way to a file. */
export interface Step {
  uid: number;
  gid: number;
  mode: number;
}

const [sticky, groupMayWrite, othersMayWrite] = [0o1000, 0o020, 0o002];

/**
 * Who can put something else in the place of what lies at the end of these folders, from the root down: 0 when root alone can, the number of a
 * person, `anyone` where nobody in particular can, or `several` where one person's folder lies in another one's.
 */
export function whoCanSwap(steps: Step[]): number | 'anyone' | 'several' {
  let who = 0;
  let open = false;
  for (const [at, { uid, gid, mode }] of steps.entries()) {
    if (uid !== 0 && who !== 0 && uid !== who) return 'several';
    if (uid !== 0) who = uid;
    const writable = (mode & othersMayWrite) !== 0 || ((mode & groupMayWrite) !== 0 && gid !== 0);
    // In a sticky folder a name can only be taken by who owns what it names: the next step says whose that is, and a last one has none.
    const last = at === steps.length - 1;
    if (uid === 0 && writable && !(mode & sticky && (!last || !(mode & othersMayWrite)))) open = true;
  }
  return who !== 0 ? who : open ? 'anyone' : 0;
}

/**
 * With whose rights a file may be worked on: our own unless we are root; root's only where nobody but root could put something else in its place;
 * else those of the person whose folder it lies in. Where anyone could, `owner` (of the file) is asked. Throws `NotDone`: `gone` where there is no such
 * folder, `protected` where a link leads there or several people could swap it.
 */
export async function whoseFolder(path: string, owner: () => Promise<number>, me = process.getuid?.() ?? 0): Promise<number> {
  if (me !== 0) return me;
  const folder = dirname(path);
  try {
    if ((await realpath(folder)) !== folder) throw new NotDone('protected');
    const who = whoCanSwap(await Promise.all(foldersTo(folder).map(stepAt)));
    if (typeof who === 'number') return who;
    const alone = who === 'anyone' ? await owner() : 0;
    if (alone === 0) throw new NotDone('protected');
    return alone;
  } catch (err) {
    if (err instanceof NotDone) throw err;
    throw isMissing(err) ? new NotDone('gone') : new NotDone(codeOf(err) === 'ELOOP' ? 'protected' : 'refused');
  }
}

/** `/`, `/home`, `/home/ann`. */
function foldersTo(folder: string): string[] {
  const names = folder.split(sep).filter(Boolean);
  return ['/', ...names.map((_, at) => `/${names.slice(0, at + 1).join('/')}`)];
}

async function stepAt(folder: string): Promise<Step> {
  const stat = await lstat(folder);
  if (!stat.isDirectory()) throw new NotDone('protected');
  return { uid: stat.uid, gid: stat.gid, mode: stat.mode };
}
