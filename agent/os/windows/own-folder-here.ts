import { readdirSync } from 'node:fs';
import { loadSecurity } from './native/security.ts';
import { secureFolder } from './own-folder.ts';

/** Secures the service's folder; must run before anything in it is read. */
export const secureServiceFolder = (folder: string): ReturnType<typeof secureFolder> =>
  secureFolder(folder, { calls: loadSecurity(), namesIn: (path) => readdirSync(path), now: Date.now });
