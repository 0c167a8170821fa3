import { join } from 'node:path';
import { textOf } from './read.ts';

/** A person who can log in, and the folder of theirs. */
export interface Home {
  user: string;
  folder: string;
}

/** The people of this computer by passwd(5): those with a number from 1000, and root. `only`: the one number whose files may be read. */
export async function homesOf(root: string, only: number | null): Promise<Home[]> {
  const passwd = (await textOf(join(root, 'etc/passwd'))) ?? '';
  const found = passwd.split('\n').flatMap((line): Home[] => {
    const [user = '', , uid = '', , , folder = ''] = line.split(':');
    const number = Number(uid);
    const person = uid !== '' && (number === 0 || (number >= 1000 && number < 65534)) && folder.startsWith('/') && folder !== '/';
    return person && (only === null || number === only) ? [{ user, folder: join(root, folder) }] : [];
  });
  return found.filter(({ folder }, at) => found.findIndex((one) => one.folder === folder) === at);
}
