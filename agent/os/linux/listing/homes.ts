import { join } from 'node:path';
import { readText } from './read.ts';

export interface Home {
  user: string;
  folder: string;
}

/** Home folders of root and of users with a uid from 1000. `onlyUid`: the only user whose files may be read. */
export async function homesOf(root: string, onlyUid: number | null): Promise<Home[]> {
  const passwd = (await readText(join(root, 'etc/passwd'))) ?? '';
  const homes = passwd.split('\n').flatMap((line): Home[] => {
    const [user = '', , uid = '', , , folder = ''] = line.split(':');
    const uidNumber = Number(uid);
    const isPerson =
      uid !== '' && (uidNumber === 0 || (uidNumber >= 1000 && uidNumber < 65534)) && folder.startsWith('/') && folder !== '/';
    return isPerson && (onlyUid === null || uidNumber === onlyUid) ? [{ user, folder: join(root, folder) }] : [];
  });
  return homes.filter(({ folder }, at) => homes.findIndex((one) => one.folder === folder) === at);
}
