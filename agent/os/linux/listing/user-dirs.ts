import { join } from 'node:path';
import type { GuardUserFiles } from '../../../lib/user-file-work.ts';
import type { Home } from './homes.ts';
import { textFiles } from './read.ts';

/** The absolute paths in user-dirs.dirs(5); `names`: such as `DOWNLOAD`. */
export async function userFolders({ user, folder }: Home, names: string[], guard: GuardUserFiles): Promise<string[]> {
  const folders = await textFiles(folder, guard('download_folders', user)).read(join(folder, '.config/user-dirs.dirs'), (lines) =>
    lines.flatMap((line) => {
      const [, name = '', path = ''] = /^XDG_([A-Z]+)_DIR="(.*)"$/.exec(line.trim()) ?? [];
      return names.includes(name) ? [path.replace('$HOME', () => folder)] : [];
    }),
  );
  return (folders ?? []).filter((path) => path.startsWith('/'));
}
