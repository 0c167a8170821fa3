import { stampAt } from '../../../lib/stamp.ts';
import type { FoundListing, StampedFile } from '../../port.ts';
import type { WindowsReaders } from './listing.ts';

const uninstall = [
  String.raw`Software\Microsoft\Windows\CurrentVersion\Uninstall`,
  String.raw`Software\WOW6432Node\Microsoft\Windows\CurrentVersion\Uninstall`,
];

/** The list of apps that can be uninstalled: of 64-bit programs, of 32-bit ones, and of each person. Parts and updates of others are left out. */
export async function installed({ key, people }: Pick<WindowsReaders, 'key' | 'people'>): Promise<FoundListing['programs']> {
  const places = [...uninstall.map((one) => `HKLM\\${one}`), ...people.flatMap(({ sid }) => uninstall.map((one) => `HKU\\${sid}\\${one}`))];
  const found: FoundListing['programs'] = [];
  for (const place of places) {
    for (const name of key(place)?.keys ?? []) {
      const values = key(`${place}\\${name}`)?.values ?? {};
      if (!values.DisplayName || values.SystemComponent === '1' || values.ParentKeyName) continue;
      found.push(await programOf(name, values));
    }
  }
  // Both views of the registry may show the same key.
  return found.filter((one, at) => found.findIndex((other) => other.name === one.name && other.path === one.path) === at);
}

async function programOf(key: string, values: Record<string, string>): Promise<FoundListing['programs'][number]> {
  const file = values.DisplayIcon?.replace(/,-?\d+$/, '').replaceAll('"', '');
  const own = file && /\.exe$/i.test(file) && !/\\(unins\w*|uninstall\w*|msiexec)\.exe$/i.test(file) ? await stamped(file) : [];
  const folder = values.InstallLocation?.replaceAll('"', '').replace(/\\$/, '');
  const path = folder || file;
  return {
    name: values.DisplayName ?? key,
    ...(values.Publisher ? { publisher: values.Publisher } : {}),
    ...(values.DisplayVersion ? { version: values.DisplayVersion } : {}),
    ...(path ? { path: folder ? `${folder}\\` : path } : {}),
    // What the Windows Installer put there it puts there again by itself.
    ...(values.WindowsInstaller === '1' || !own.length ? { package: 'windows' } : { files: own }),
  };
}

async function stamped(path: string): Promise<StampedFile[]> {
  const stamp = await stampAt(path);
  return stamp === null ? [] : [{ path, stamp }];
}
