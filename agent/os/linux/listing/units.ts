import { basename, join } from 'node:path';
import type { FoundListing } from '../../port.ts';
import type { Home } from './homes.ts';
import { pathsIn, section, textOf } from './read.ts';

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

/** The units of systemd, of the system and of each person: the first folder that has a name wins, as systemd itself has it. */
export async function units(root: string, homes: Home[]): Promise<Services> {
  const [system, ofAll, ...ofEach] = await Promise.all([
    unitsIn(systemFolders.map((folder) => join(root, folder))),
    unitsIn(userFolders.map((folder) => join(root, folder))),
    ...homes.map(async ({ user, folder }) =>
      (await unitsIn(homeFolders.map((one) => join(folder, one)))).map((unit) => ({ ...unit, user })),
    ),
  ]);
  const forPeople = homes.flatMap(({ user }) => (ofAll ?? []).map((unit) => ({ ...unit, user })));
  return [...(system ?? []), ...forPeople, ...ofEach.flat()];
}

async function unitsIn(folders: string[]): Promise<Services> {
  const found = new Map<string, Services[number]>();
  for (const folder of folders) {
    for (const path of await pathsIn(folder, '.service')) {
      const name = basename(path);
      if (found.has(name)) continue;
      const text = (await textOf(path)) ?? '';
      const display = section(text, 'Unit').get('Description');
      // The signs before the command say how it is started: systemd.service(5).
      const runs = section(text, 'Service')
        .get('ExecStart')
        ?.replace(/^[-@:+!|]+/, '');
      found.set(name, { name, ...(display ? { display } : {}), ...(runs ? { path: runs } : {}) });
    }
  }
  return [...found.values()];
}
