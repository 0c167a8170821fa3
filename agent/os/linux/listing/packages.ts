import { basename, join } from 'node:path';
import { oneByOne } from '../../../lib/one-by-one.ts';
import type { GuardUserFiles } from '../../../lib/user-file-work.ts';
import type { FoundListing } from '../../port.ts';
import type { Home } from './homes.ts';
import { readEntries, readSection, readText, systemFiles, type TextFiles, textFiles } from './read.ts';
import { readRpmPackages } from './rpm.ts';

type Programs = FoundListing['programs'];

/** Reads the files of package managers without running them. */
export async function readPackages(root: string, homes: Home[], guard: GuardUserFiles): Promise<Programs> {
  const programLists = await Promise.all([
    readDpkgStatus(join(root, 'var/lib/dpkg/status')),
    readDpkgStatusFolder(join(root, 'var/lib/dpkg/status.d')),
    readRpmPackages(['var/lib/rpm', 'usr/lib/sysimage/rpm'].map((folder) => join(root, folder, 'rpmdb.sqlite'))),
    readSnaps(join(root, 'var/lib/snapd/snaps')),
    readFlatpaks(systemFiles, join(root, 'var/lib/flatpak')),
  ]);
  const ownFlatpaks = await oneByOne(homes, ({ user, folder }) =>
    readFlatpaks(textFiles(folder, guard('flatpaks', user)), join(folder, '.local/share/flatpak')),
  );
  return [...programLists, ...ownFlatpaks].flat();
}

const filesIn = async (folder: string, ending: string) =>
  (await readEntries(folder)).filter((e) => !e.isDirectory() && e.name.endsWith(ending)).map(({ name }) => join(folder, name));

/** dpkg(1): removed packages may remain listed with another status. */
async function readDpkgStatus(file: string): Promise<Programs> {
  const text = (await readText(file)) ?? '';
  return text.split(/\n\n+/).flatMap((paragraph) => {
    const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(paragraph)?.[1]?.trim();
    const name = field('Package');
    if (!name || !(field('Status') ?? ' installed').endsWith(' installed')) return [];
    const publisher = field('Maintainer')?.replace(/(?<!\s)\s*<[^<>]*>\s*$/, '');
    const version = field('Version');
    return [{ name, package: 'dpkg', ...(publisher ? { publisher } : {}), ...(version ? { version } : {}) }];
  });
}

/** Container images without a package manager have one status file per package. */
async function readDpkgStatusFolder(folder: string): Promise<Programs> {
  const files = (await filesIn(folder, '')).filter((path) => !path.endsWith('.md5sums'));
  return (await Promise.all(files.map(readDpkgStatus))).flat();
}

/** Package files have names such as `anydesk_27.snap`. */
async function readSnaps(folder: string): Promise<Programs> {
  const names = (await filesIn(folder, '.snap')).map((path) => basename(path, '.snap').replace(/_x?\d+$/, ''));
  return [...new Set(names)].map((name) => ({ name, package: 'snap' }));
}

/** Reads `app/com.anydesk.Anydesk/current/active/metadata`; if it has no command, the last part of the ID is the name. */
async function readFlatpaks(files: TextFiles, folder: string): Promise<Programs> {
  const apps = await files.entries(join(folder, 'app'), (entry) => entry.isDirectory());
  return oneByOne(apps, async ({ name: id }) => {
    const command = await files.read(join(folder, 'app', id, 'current/active/metadata'), (lines) =>
      readSection(lines, 'Application').get('command'),
    );
    return { name: basename(command ?? id.slice(id.lastIndexOf('.') + 1)), bundle_id: id, package: 'flatpak' };
  });
}
