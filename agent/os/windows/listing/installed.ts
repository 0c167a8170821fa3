import { stampAt } from '../../../lib/stamp.ts';
import type { FoundListing, StampedFile } from '../../port.ts';
import type { WindowsReaders } from './readers.ts';

const uninstallKeys = [
  String.raw`Software\Microsoft\Windows\CurrentVersion\Uninstall`,
  String.raw`Software\WOW6432Node\Microsoft\Windows\CurrentVersion\Uninstall`,
];

/** Programs that can be uninstalled: 64-bit, 32-bit and per user. */
export async function listInstalled({ key, people }: Pick<WindowsReaders, 'key' | 'people'>): Promise<FoundListing['programs']> {
  const rootKeys = [
    ...uninstallKeys.map((one) => `HKLM\\${one}`),
    ...people.flatMap(({ sid }) => uninstallKeys.map((one) => `HKU\\${sid}\\${one}`)),
  ];
  const programs: FoundListing['programs'] = [];
  for (const rootKey of rootKeys) {
    for (const name of key(rootKey)?.keys ?? []) {
      const values = key(`${rootKey}\\${name}`)?.values ?? {};
      if (!values.DisplayName || values.SystemComponent === '1' || values.ParentKeyName) continue;
      programs.push(await programOf(name, values));
    }
  }
  // The 64-bit and 32-bit registry views may show the same key.
  return programs.filter((one, at) => programs.findIndex((other) => other.name === one.name && other.path === one.path) === at);
}

async function programOf(key: string, values: Record<string, string>): Promise<FoundListing['programs'][number]> {
  const file = values.DisplayIcon?.replace(/,-?\d+$/, '').replaceAll('"', '');
  const ownFiles = file && /\.exe$/i.test(file) && !/\\(unins\w*|uninstall\w*|msiexec)\.exe$/i.test(file) ? await stampFile(file) : [];
  const folder = values.InstallLocation?.replaceAll('"', '').replace(/\\$/, '');
  const path = folder || file;
  return {
    name: values.DisplayName ?? key,
    ...(values.Publisher ? { publisher: values.Publisher } : {}),
    ...(values.DisplayVersion ? { version: values.DisplayVersion } : {}),
    ...(path ? { path: folder ? `${folder}\\` : path } : {}),
    // Windows Installer would repair a program whose file was removed.
    ...(values.WindowsInstaller === '1' || !ownFiles.length ? { package: 'windows' } : { files: ownFiles }),
  };
}

async function stampFile(path: string): Promise<StampedFile[]> {
  const stamp = await stampAt(path);
  return stamp === null ? [] : [{ path, stamp }];
}
