import { type GuardUserFiles, unguarded } from '../../../lib/user-file-work.ts';
import type { FoundListing } from '../../port.ts';
import { listCronEntries } from './cron.ts';
import { listAutostart, listMenuPrograms } from './desktop.ts';
import { listDownloads } from './downloads.ts';
import { listOptPrograms } from './executables.ts';
import { homesOf } from './homes.ts';
import { readPackages } from './packages.ts';
import { listUnits } from './units.ts';

/** `uid`: the user whose files may be read; root may read all files. */
export async function linuxListing(root = '/', uid = process.getuid?.() ?? 0, guard: GuardUserFiles = unguarded): Promise<FoundListing> {
  const homes = await homesOf(root, uid === 0 ? null : uid);
  const packagePrograms = await readPackages(root, homes, guard);
  const packageNames = new Set(packagePrograms.map(({ name }) => name.toLowerCase()));
  const [optFolderPrograms, desktopPrograms, services, cronEntries, loginEntries, downloadedFiles] = await Promise.all([
    listOptPrograms(root, packageNames),
    listMenuPrograms(homes, guard),
    listUnits(root, homes, guard),
    listCronEntries(root, guard),
    listAutostart(root, homes, guard),
    listDownloads(homes, guard),
  ]);
  return {
    os: 'linux',
    programs: [...packagePrograms, ...optFolderPrograms, ...desktopPrograms],
    services,
    start_up: [...loginEntries, ...cronEntries],
    downloads: downloadedFiles,
  };
}
