import { lstat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { FoundListing } from '../../port.ts';
import { isExecutable, stamped } from './executables.ts';
import { pathsIn, section, textOf } from './read.ts';

interface Entry {
  name: string;
  command: string;
  hidden: boolean;
}

/** A desktop entry (freedesktop.org, Desktop Entry Specification); null when it starts nothing. */
async function entryOf(path: string): Promise<Entry | null> {
  const values = section((await textOf(path)) ?? '', 'Desktop Entry');
  const exec = values.get('Exec');
  if (!exec) return null;
  const hidden = values.get('Hidden') === 'true' || values.get('X-GNOME-Autostart-enabled') === 'false';
  return { name: values.get('Name') ?? basename(path, '.desktop'), command: commandOf(exec), hidden };
}

/** What it really runs: without `env A=b` before it, and without the signs for files (`%U`). */
export function commandOf(exec: string): string {
  return exec
    .replace(/^(?:\/usr\/bin\/)?env\s+(?:-\S+\s+)*/, '')
    .replace(/^(?:[A-Za-z_]\w*=(?:"[^"]*"|\S*)\s+)+/, '')
    .replace(/\s+%[a-zA-Z](?=\s|$)/g, '');
}

/** What starts when somebody logs in, of everyone and of each person: Autostart Specification. */
export async function autostart(root: string, homes: string[]): Promise<FoundListing['start_up']> {
  const folders = [join(root, 'etc/xdg/autostart'), ...homes.map((home) => join(home, '.config/autostart'))];
  const files = (await Promise.all(folders.map((folder) => pathsIn(folder, '.desktop')))).flat();
  const entries = await Promise.all(files.map(async (file) => ({ file, entry: await entryOf(file) })));
  return entries.flatMap(({ file, entry }) =>
    entry && !entry.hidden ? [{ name: entry.name, command: entry.command, place: { file } }] : [],
  );
}

/** Programs that a person put into their own menu, without a package manager: `~/.local/share/applications`. */
export async function menuPrograms(homes: string[]): Promise<FoundListing['programs']> {
  const files = (await Promise.all(homes.map((home) => pathsIn(join(home, '.local/share/applications'), '.desktop')))).flat();
  const found = await Promise.all(
    files.map(async (file): Promise<FoundListing['programs']> => {
      const entry = await entryOf(file);
      const path = /^"([^"]+)"|^(\S+)/
        .exec(entry?.command ?? '')
        ?.slice(1)
        .find(Boolean);
      if (!entry || !path?.startsWith('/')) return [];
      // What a person's own list names is taken away only where it is that person's: it could name anybody's.
      const theirs = (await isExecutable(path)) && (await areOfOne(path, file));
      return [{ name: entry.name, path, ...(theirs ? { files: await stamped(path) } : {}) }];
    }),
  );
  return found.flat();
}

async function areOfOne(path: string, other: string): Promise<boolean> {
  const [one, two] = await Promise.all([path, other].map((file) => lstat(file).catch(() => null)));
  return one != null && two != null && one.uid === two.uid;
}
