import { basename, join } from 'node:path';
import type { FoundListing } from '../../port.ts';
import { entriesOf, pathsIn, section, textOf } from './read.ts';
import { rpmPackages } from './rpm.ts';

type Programs = FoundListing['programs'];

/** Packages by the files that each package manager keeps of them. None of their programs is run. `homes`: for flatpaks of one person. */
export async function packages(root: string, homes: string[]): Promise<Programs> {
  const flatpaks = ['var/lib/flatpak', ...homes.map((home) => join(home, '.local/share/flatpak'))];
  const lists = await Promise.all([
    dpkg(join(root, 'var/lib/dpkg/status')),
    dpkgParts(join(root, 'var/lib/dpkg/status.d')),
    rpmPackages(['var/lib/rpm', 'usr/lib/sysimage/rpm'].map((folder) => join(root, folder, 'rpmdb.sqlite'))),
    snaps(join(root, 'var/lib/snapd/snaps')),
    ...flatpaks.map((folder) => flatpak(folder.startsWith(root) ? folder : join(root, folder))),
  ]);
  return lists.flat();
}

/** dpkg(1): one paragraph each; only what is installed counts, not what left its settings behind. */
async function dpkg(file: string): Promise<Programs> {
  const text = (await textOf(file)) ?? '';
  return text.split(/\n\n+/).flatMap((paragraph) => {
    const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(paragraph)?.[1]?.trim();
    const name = field('Package');
    if (!name || !(field('Status') ?? ' installed').endsWith(' installed')) return [];
    const publisher = field('Maintainer')?.replace(/\s*<[^>]*>\s*$/, '');
    const version = field('Version');
    return [{ name, package: 'dpkg', ...(publisher ? { publisher } : {}), ...(version ? { version } : {}) }];
  });
}

/** Images without a package manager keep a file for each. */
async function dpkgParts(folder: string): Promise<Programs> {
  const files = (await pathsIn(folder, '')).filter((path) => !path.endsWith('.md5sums'));
  return (await Promise.all(files.map(dpkg))).flat();
}

/** `anydesk_27.snap`: the name stands before the last underscore. */
async function snaps(folder: string): Promise<Programs> {
  const names = (await pathsIn(folder, '.snap')).map((path) => basename(path, '.snap').replace(/_x?\d+$/, ''));
  return [...new Set(names)].map((name) => ({ name, package: 'snap' }));
}

/** `app/com.anydesk.Anydesk/current/active/metadata`; the last part of the id is what the program is called. */
async function flatpak(folder: string): Promise<Programs> {
  const ids = (await entriesOf(join(folder, 'app'))).filter((e) => e.isDirectory()).map(({ name }) => name);
  return Promise.all(
    ids.map(async (id) => {
      const metadata = section((await textOf(join(folder, 'app', id, 'current/active/metadata'))) ?? '', 'Application');
      const name = metadata.get('command') ?? id.slice(id.lastIndexOf('.') + 1);
      return { name: basename(name), bundle_id: id, package: 'flatpak' };
    }),
  );
}
