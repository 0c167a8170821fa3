import { basename, join } from 'node:path';
import type { FoundListing } from '../../port.ts';
import { listPaths, readEntries, readSection, readText } from './read.ts';
import { readRpmPackages } from './rpm.ts';

type Programs = FoundListing['programs'];

/** Reads the files of package managers without running them. */
export async function readPackages(root: string, homes: string[]): Promise<Programs> {
  const flatpakFolders = ['var/lib/flatpak', ...homes.map((home) => join(home, '.local/share/flatpak'))];
  const programLists = await Promise.all([
    readDpkgStatus(join(root, 'var/lib/dpkg/status')),
    readDpkgStatusFolder(join(root, 'var/lib/dpkg/status.d')),
    readRpmPackages(['var/lib/rpm', 'usr/lib/sysimage/rpm'].map((folder) => join(root, folder, 'rpmdb.sqlite'))),
    readSnaps(join(root, 'var/lib/snapd/snaps')),
    ...flatpakFolders.map((folder) => readFlatpaks(folder.startsWith(root) ? folder : join(root, folder))),
  ]);
  return programLists.flat();
}

/** dpkg(1): removed packages may remain listed with another status. */
async function readDpkgStatus(file: string): Promise<Programs> {
  const text = (await readText(file)) ?? '';
  return text.split(/\n\n+/).flatMap((paragraph) => {
    const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(paragraph)?.[1]?.trim();
    const name = field('Package');
    if (!name || !(field('Status') ?? ' installed').endsWith(' installed')) return [];
    const publisher = field('Maintainer')?.replace(/\s*<[^>]*>\s*$/, '');
    const version = field('Version');
    return [{ name, package: 'dpkg', ...(publisher ? { publisher } : {}), ...(version ? { version } : {}) }];
  });
}

/** Container images without a package manager have one status file per package. */
async function readDpkgStatusFolder(folder: string): Promise<Programs> {
  const files = (await listPaths(folder, '')).filter((path) => !path.endsWith('.md5sums'));
  return (await Promise.all(files.map(readDpkgStatus))).flat();
}

/** Package files have names such as `anydesk_27.snap`. */
async function readSnaps(folder: string): Promise<Programs> {
  const names = (await listPaths(folder, '.snap')).map((path) => basename(path, '.snap').replace(/_x?\d+$/, ''));
  return [...new Set(names)].map((name) => ({ name, package: 'snap' }));
}

/** Reads `app/com.anydesk.Anydesk/current/active/metadata`; if it has no command, the last part of the ID is the name. */
async function readFlatpaks(folder: string): Promise<Programs> {
  const ids = (await readEntries(join(folder, 'app'))).filter((e) => e.isDirectory()).map(({ name }) => name);
  return Promise.all(
    ids.map(async (id) => {
      const metadata = readSection((await readText(join(folder, 'app', id, 'current/active/metadata'))) ?? '', 'Application');
      const name = metadata.get('command') ?? id.slice(id.lastIndexOf('.') + 1);
      return { name: basename(name), bundle_id: id, package: 'flatpak' };
    }),
  );
}
