import { win32 } from 'node:path';
import type { SecurityCalls } from './native/security.ts';

/** The service and administrators, and nobody else: S-1-5-18 and S-1-5-32-544. */
const trusted = ['S-1-5-18', 'S-1-5-32-544'];
const owner = 'O:BA';
const rights = 'D:PAI(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)';
const [isFolder, isLink] = [0x10, 0x400];
/** In the name of what was moved aside. */
const mark = '.not-ours-';
/** So much of a name is kept in it: Windows takes 255 letters in all. */
const nameKept = 100;
/** What the service reads or writes in it: nothing of that may be somebody else's. Windows makes no difference between large and small letters. */
const used = new Set(['data', 'kept', 'agent.log', 'agent.log.old']);
/** How often somebody may put something there just before us. */
const tries = 5;

export interface OwnFolderDeps {
  calls: Pick<SecurityCalls, 'attributes' | 'ownerOf' | 'me' | 'createFolder' | 'setRights' | 'rename'>;
  /** Names of what lies in a folder. */
  namesIn: (path: string) => string[];
  /** Milliseconds: for the name under which something is moved aside. */
  now: () => number;
}

/**
 * Makes this folder ours alone, whoever may write to the one above it: what others have made there before us, or a link, is moved aside with all that is in it
 * and believed in nothing. Answers what was moved aside, and what in it could not be and is of no use to us. Throws a sentence when the folder, or what we use
 * in it, cannot be ours.
 */
export function ownFolder(path: string, deps: OwnFolderDeps): { moved: string[]; left: string[] } {
  const { calls, namesIn } = deps;
  const moved: string[] = [];
  const left: string[] = [];
  const aside = (what: string) => {
    const name = `${win32.basename(what).slice(0, nameKept)}${mark}${deps.now()}-${moved.length}`;
    const to = win32.join(win32.dirname(what), name);
    if (calls.rename(what, to)) moved.push(to);
    else if (what !== path && !used.has(win32.basename(what).toLowerCase())) left.push(what);
    else throw new Error(`${what} was made by somebody else and cannot be moved aside. Restart the computer, and try once more.`);
  };
  const isOurs = (what: string, attributes: number) =>
    !(attributes & isLink) && [...trusted, calls.me()].includes(calls.ownerOf(what) ?? 'nobody');
  for (let n = 0; n < tries; n++) {
    const there = calls.attributes(path);
    if (there !== null && there & isFolder && isOurs(path, there)) {
      if (!calls.setRights(path, rights)) throw new Error(`The rights of ${path} cannot be set.`);
      for (const name of namesIn(path)) {
        // Nobody reads it, and moved at every start its name would grow until it cannot be moved.
        if (name.includes(mark)) continue;
        const inside = `${path}\\${name}`;
        const attributes = calls.attributes(inside);
        if (attributes !== null && !isOurs(inside, attributes)) aside(inside);
      }
      return { moved, left };
    }
    if (there !== null) aside(path);
    if (calls.createFolder(path, owner + rights)) return { moved, left };
  }
  throw new Error(`${path} cannot be made.`);
}
