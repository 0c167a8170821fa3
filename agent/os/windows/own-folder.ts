import { win32 } from 'node:path';
import type { SecurityCalls } from './native/security.ts';

/** Security identifiers of the service and of administrators. */
const trustedOwners = ['S-1-5-18', 'S-1-5-32-544'];
const owner = 'O:BA';
const rights = 'D:PAI(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)';
const [folderFlag, linkFlag] = [0x10, 0x400];
const movedMark = '.not-ours-';
/** Windows allows 255 characters per name. */
const MAX_NAME_LENGTH = 100;
/** Names in lower case of files the service uses, which must belong to it. */
const usedNames = new Set(['data', 'kept', 'agent.log', 'agent.log.old']);
/** How often another process may create the folder just before us. */
const maxTries = 5;

export interface OwnFolderDeps {
  calls: Pick<SecurityCalls, 'attributes' | 'ownerOf' | 'me' | 'createFolder' | 'setRights' | 'rename'>;
  namesIn: (path: string) => string[];
  /** Milliseconds; makes names of moved files unique. */
  now: () => number;
}

/**
 * Makes the service's folder private. Anything there that is someone else's, or a link, is moved aside with its contents and never read.
 * Returns the moved paths, and unused paths that could not be moved (`left`). Throws a sentence when the folder or a used file cannot be
 * secured.
 */
export function secureFolder(path: string, deps: OwnFolderDeps): { moved: string[]; left: string[] } {
  const { calls, namesIn } = deps;
  const movedPaths: string[] = [];
  const leftPaths: string[] = [];
  const moveAside = (entryPath: string) => {
    const newName = `${win32.basename(entryPath).slice(0, MAX_NAME_LENGTH)}${movedMark}${deps.now()}-${movedPaths.length}`;
    const newPath = win32.join(win32.dirname(entryPath), newName);
    if (calls.rename(entryPath, newPath)) movedPaths.push(newPath);
    else if (entryPath !== path && !usedNames.has(win32.basename(entryPath).toLowerCase())) leftPaths.push(entryPath);
    else throw new Error(`${entryPath} was made by somebody else and cannot be moved aside. Restart the computer, and try once more.`);
  };
  const isOurs = (entryPath: string, attributes: number) =>
    !(attributes & linkFlag) && [...trustedOwners, calls.me()].includes(calls.ownerOf(entryPath) ?? 'nobody');
  for (let n = 0; n < maxTries; n++) {
    const folderAttributes = calls.attributes(path);
    if (folderAttributes !== null && folderAttributes & folderFlag && isOurs(path, folderAttributes)) {
      if (!calls.setRights(path, rights)) throw new Error(`The rights of ${path} cannot be set.`);
      for (const name of namesIn(path)) {
        // Already moved: moving it at every start would make its name too long.
        if (name.includes(movedMark)) continue;
        const innerPath = `${path}\\${name}`;
        const attributes = calls.attributes(innerPath);
        if (attributes !== null && !isOurs(innerPath, attributes)) moveAside(innerPath);
      }
      return { moved: movedPaths, left: leftPaths };
    }
    if (folderAttributes !== null) moveAside(path);
    if (calls.createFolder(path, owner + rights)) return { moved: movedPaths, left: leftPaths };
  }
  throw new Error(`${path} cannot be made.`);
}
