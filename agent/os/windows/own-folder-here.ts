import { readdirSync } from 'node:fs';
import { loadSecurity } from './native/security.ts';
import { ownFolder } from './own-folder.ts';

/** The folder of this computer's service, made or made ours again: before anything in it is read. Answers what was moved aside, and what was not. */
export const ownFolderHere = (home: string): ReturnType<typeof ownFolder> =>
  ownFolder(home, { calls: loadSecurity(), namesIn: (path) => readdirSync(path), now: Date.now });
