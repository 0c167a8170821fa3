import { basename, join } from 'node:path';
import type { FoundListing } from '../../port.ts';
import type { Home } from './homes.ts';
import { listPaths, readSection, readText } from './read.ts';

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
export async function listUnits(root: string, homes: Home[]): Promise<Services> {
  const [systemUnits, sharedUnits, ...homeUnits] = await Promise.all([
    unitsIn(systemFolders.map((folder) => join(root, folder))),
    unitsIn(userFolders.map((folder) => join(root, folder))),
    ...homes.map(async ({ user, folder }) =>
      (await unitsIn(homeFolders.map((one) => join(folder, one)))).map((unit) => ({ ...unit, user })),
    ),
  ]);
  const sharedUnitsPerUser = homes.flatMap(({ user }) => (sharedUnits ?? []).map((unit) => ({ ...unit, user })));
  return [...(systemUnits ?? []), ...sharedUnitsPerUser, ...homeUnits.flat()];
}

async function unitsIn(folders: string[]): Promise<Services> {
  const foundUnits = new Map<string, Services[number]>();
  for (const folder of folders) {
    for (const path of await listPaths(folder, '.service')) {
      const name = basename(path);
      if (foundUnits.has(name)) continue;
      const text = (await readText(path)) ?? '';
      const description = readSection(text, 'Unit').get('Description');
      // Removes prefixes such as `-` and `@`: systemd.service(5).
      const command = readSection(text, 'Service')
        .get('ExecStart')
        ?.replace(/^[-@:+!|]+/, '');
      foundUnits.set(name, { name, ...(description ? { display: description } : {}), ...(command ? { path: command } : {}) });
    }
  }
  return [...foundUnits.values()];
}
