import { basename, join } from 'node:path';
import { oneByOne } from '../../../lib/one-by-one.ts';
import type { GuardUserFiles } from '../../../lib/user-file-work.ts';
import type { FoundListing } from '../../port.ts';
import type { Home } from './homes.ts';
import { readSection, systemFiles, type TextFiles, textFiles } from './read.ts';

type Services = FoundListing['services'];

const systemFolders = [
  'etc/systemd/system',
  'run/systemd/system',
  'usr/local/lib/systemd/system',
  'usr/lib/systemd/system',
  'lib/systemd/system',
];
const userFolders = ['etc/systemd/user', 'usr/lib/systemd/user'];
const homeFolders = ['.config/systemd/user', '.local/share/systemd/user'];

/** As in systemd, of units with the same name the first folder's counts. */
export async function listUnits(root: string, homes: Home[], guard: GuardUserFiles): Promise<Services> {
  const [systemUnits = [], sharedUnits = []] = await oneByOne([systemFolders, userFolders], (folders) =>
    unitsIn(
      systemFiles,
      folders.map((folder) => join(root, folder)),
    ),
  );
  const homeUnits = await oneByOne(homes, async ({ user, folder }) => {
    const files = textFiles(folder, guard('units', user));
    return (
      await unitsIn(
        files,
        homeFolders.map((one) => join(folder, one)),
      )
    ).map((unit) => ({ ...unit, user }));
  });
  const sharedUnitsPerUser = homes.flatMap(({ user }) => sharedUnits.map((unit) => ({ ...unit, user })));
  return [...systemUnits, ...sharedUnitsPerUser, ...homeUnits.flat()];
}

async function unitsIn(files: TextFiles, folders: string[]): Promise<Services> {
  const foundUnits = new Map<string, Services[number]>();
  for (const folder of folders) {
    for (const path of await files.paths(folder, '.service')) {
      const name = basename(path);
      if (foundUnits.has(name)) continue;
      const unit = await files.read(path, (lines) => {
        const display = readSection(lines, 'Unit').get('Description');
        // Removes prefixes such as `-` and `@`: systemd.service(5).
        const command = readSection(lines, 'Service')
          .get('ExecStart')
          ?.replace(/^[-@:+!|]+/, '');
        return { ...(display ? { display } : {}), ...(command ? { path: command } : {}) };
      });
      foundUnits.set(name, { name, ...unit });
    }
  }
  return [...foundUnits.values()];
}
