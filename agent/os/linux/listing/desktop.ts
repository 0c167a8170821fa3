import { lstat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { oneByOne } from '../../../lib/one-by-one.ts';
import type { GuardUserFiles } from '../../../lib/user-file-work.ts';
import type { FoundListing } from '../../port.ts';
import { isExecutable, stampFile } from './executables.ts';
import type { Home } from './homes.ts';
import { readSection, systemFiles, type TextFiles, textFiles } from './read.ts';

const MAX_NAME = 300;

interface DesktopEntry {
  name: string;
  command: string;
  hidden: boolean;
}

/** Reads a file of the Desktop Entry Specification (freedesktop.org). Null if it has no command. */
function parseEntry(path: string, lines: string[]): DesktopEntry | null {
  const values = readSection(lines, 'Desktop Entry');
  const exec = values.get('Exec');
  if (!exec) return null;
  const hidden = values.get('Hidden') === 'true' || values.get('X-GNOME-Autostart-enabled') === 'false';
  const name = (values.get('Name') ?? basename(path, '.desktop')).slice(0, MAX_NAME);
  return { name, command: cleanCommand(exec), hidden };
}

/** Removes a leading `env A=b` and field codes such as `%U` from a command. */
export function cleanCommand(exec: string): string {
  return exec
    .replace(/^(?:\/usr\/bin\/)?env\s+(?:-\S+\s+)*/, '')
    .replace(/^(?:[A-Za-z_]\w*=(?:"[^"]*"|\S*)\s+)+/, '')
    .replace(/(?<!\s)\s+%[a-zA-Z](?=\s|$)/g, '');
}

/** Desktop Application Autostart Specification. */
export async function listAutostart(root: string, homes: Home[], guard: GuardUserFiles): Promise<FoundListing['start_up']> {
  const folders = [
    { files: systemFiles, folder: join(root, 'etc/xdg/autostart') },
    ...homes.map(({ user, folder }) => ({ files: textFiles(folder, guard('autostart', user)), folder: join(folder, '.config/autostart') })),
  ];
  const entries = (await oneByOne(folders, ({ files, folder }) => entriesIn(files, folder))).flat();
  return entries.flatMap(({ name, command, hidden, file }) => (hidden ? [] : [{ name, command, place: { file } }]));
}

export async function listMenuPrograms(homes: Home[], guard: GuardUserFiles): Promise<FoundListing['programs']> {
  const programs: FoundListing['programs'] = [];
  for (const { user, folder } of homes) {
    for (const { name, command, file } of await entriesIn(
      textFiles(folder, guard('menu', user)),
      join(folder, '.local/share/applications'),
    )) {
      const path = /^"([^"]+)"|^(\S+)/.exec(command)?.slice(1).find(Boolean);
      if (!path?.startsWith('/')) continue;
      // A menu entry may name any file, so only files of the entry's owner may be quarantined.
      const isOwned = (await isExecutable(path)) && (await haveSameOwner(path, file));
      programs.push({ name, path, ...(isOwned ? { files: await stampFile(path) } : {}) });
    }
  }
  return programs;
}

async function entriesIn(files: TextFiles, folder: string): Promise<(DesktopEntry & { file: string })[]> {
  const entries = await oneByOne(await files.paths(folder, '.desktop'), async (file) => {
    const entry = await files.read(file, (lines) => parseEntry(file, lines));
    return entry ? [{ ...entry, file }] : [];
  });
  return entries.flat();
}

async function haveSameOwner(path: string, otherPath: string): Promise<boolean> {
  const [firstStat, secondStat] = await Promise.all([path, otherPath].map((file) => lstat(file).catch(() => null)));
  return firstStat != null && secondStat != null && firstStat.uid === secondStat.uid;
}
