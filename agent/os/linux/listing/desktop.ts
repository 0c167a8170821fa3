import { lstat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { FoundListing } from '../../port.ts';
import { isExecutable, stampFile } from './executables.ts';
import { listPaths, readSection, readText } from './read.ts';

interface DesktopEntry {
  name: string;
  command: string;
  hidden: boolean;
}

/** Reads a file of the Desktop Entry Specification (freedesktop.org). Null if it has no command. */
async function readEntry(path: string): Promise<DesktopEntry | null> {
  const values = readSection((await readText(path)) ?? '', 'Desktop Entry');
  const exec = values.get('Exec');
  if (!exec) return null;
  const hidden = values.get('Hidden') === 'true' || values.get('X-GNOME-Autostart-enabled') === 'false';
  return { name: values.get('Name') ?? basename(path, '.desktop'), command: cleanCommand(exec), hidden };
}

/** Removes a leading `env A=b` and field codes such as `%U` from a command. */
export function cleanCommand(exec: string): string {
  return exec
    .replace(/^(?:\/usr\/bin\/)?env\s+(?:-\S+\s+)*/, '')
    .replace(/^(?:[A-Za-z_]\w*=(?:"[^"]*"|\S*)\s+)+/, '')
    .replace(/\s+%[a-zA-Z](?=\s|$)/g, '');
}

/** Desktop Application Autostart Specification. */
export async function listAutostart(root: string, homes: string[]): Promise<FoundListing['start_up']> {
  const folders = [join(root, 'etc/xdg/autostart'), ...homes.map((home) => join(home, '.config/autostart'))];
  const files = (await Promise.all(folders.map((folder) => listPaths(folder, '.desktop')))).flat();
  const entries = await Promise.all(files.map(async (file) => ({ file, entry: await readEntry(file) })));
  return entries.flatMap(({ file, entry }) =>
    entry && !entry.hidden ? [{ name: entry.name, command: entry.command, place: { file } }] : [],
  );
}

export async function listMenuPrograms(homes: string[]): Promise<FoundListing['programs']> {
  const files = (await Promise.all(homes.map((home) => listPaths(join(home, '.local/share/applications'), '.desktop')))).flat();
  const programLists = await Promise.all(
    files.map(async (file): Promise<FoundListing['programs']> => {
      const entry = await readEntry(file);
      const path = /^"([^"]+)"|^(\S+)/
        .exec(entry?.command ?? '')
        ?.slice(1)
        .find(Boolean);
      if (!entry || !path?.startsWith('/')) return [];
      // A menu entry may name any file, so only files of the entry's owner may be quarantined.
      const isOwned = (await isExecutable(path)) && (await haveSameOwner(path, file));
      return [{ name: entry.name, path, ...(isOwned ? { files: await stampFile(path) } : {}) }];
    }),
  );
  return programLists.flat();
}

async function haveSameOwner(path: string, otherPath: string): Promise<boolean> {
  const [firstStat, secondStat] = await Promise.all([path, otherPath].map((file) => lstat(file).catch(() => null)));
  return firstStat != null && secondStat != null && firstStat.uid === secondStat.uid;
}
