import type { FoundListing } from '../../port.ts';
import { cron } from './cron.ts';
import { autostart, menuPrograms } from './desktop.ts';
import { downloads } from './downloads.ts';
import { optional } from './executables.ts';
import { homesOf } from './homes.ts';
import { packages } from './packages.ts';
import { units } from './units.ts';

/** What lies on this computer, read from the files of its own lists. `root` is the beginning of all paths; `uid`: who reads, root everyone's. */
export async function linuxListing(root = '/', uid = process.getuid?.() ?? 0): Promise<FoundListing> {
  const homes = await homesOf(root, uid === 0 ? null : uid);
  const folders = homes.map(({ folder }) => folder);
  const packaged = await packages(root, folders);
  const names = new Set(packaged.map(({ name }) => name.toLowerCase()));
  const [opt, menu, services, cronLines, atLogin, downloaded] = await Promise.all([
    optional(root, names),
    menuPrograms(folders),
    units(root, homes),
    cron(root),
    autostart(root, folders),
    downloads(homes),
  ]);
  return {
    os: 'linux',
    programs: [...packaged, ...opt, ...menu],
    services,
    start_up: [...atLogin, ...cronLines],
    downloads: downloaded,
  };
}
