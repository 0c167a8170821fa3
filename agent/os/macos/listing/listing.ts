import { type Dict, readPlist, textIn } from '../../../lib/plist.ts';
import { stampAt } from '../../../lib/stamp.ts';
import type { FoundListing } from '../../port.ts';

/** What the listing reads of a Mac. */
export interface MacReaders {
  /** Whole paths of what lies in a folder; nothing when it cannot be read. */
  entriesIn(folder: string): Promise<string[]>;
  bytes(path: string): Promise<Uint8Array | null>;
  /** Who signed a program, its team, and its hash. */
  program(path: string): Promise<Omit<FoundListing['downloads'][number], 'name' | 'path' | 'stamp'>>;
  people: { user: string; folder: string }[];
}

const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1);

/** What lies on this computer, by the places that macOS itself looks at. */
export async function macListing(readers: MacReaders): Promise<FoundListing> {
  const homes = readers.people.map(({ folder }) => folder);
  const agents = ['/Library/LaunchAgents', ...homes.map((home) => `${home}/Library/LaunchAgents`)];
  return {
    os: 'macos',
    programs: [
      ...(await bundles(readers, ['/Applications', ...homes.map((home) => `${home}/Applications`)])),
      ...(await receipts(readers)),
    ],
    services: (await jobs(readers, ['/Library/LaunchDaemons'])).map(({ label, command }) => ({ name: label, path: command })),
    start_up: (await jobs(readers, agents)).map(({ label, command, file }) => ({ name: label, command, place: { file } })),
    downloads: await downloads(readers),
  };
}

const plistAt = async ({ bytes }: MacReaders, path: string): Promise<Dict> => readPlist((await bytes(path)) ?? new Uint8Array());

/** Bundles, and those one folder further down, as many makers put them. */
async function bundles(readers: MacReaders, folders: string[]): Promise<FoundListing['programs']> {
  const first = (await Promise.all(folders.map(readers.entriesIn))).flat();
  const apps = (paths: string[]) => paths.filter((path) => path.endsWith('.app'));
  const below = await Promise.all(first.filter((path) => !nameOf(path).includes('.')).map(readers.entriesIn));
  return Promise.all([...apps(first), ...apps(below.flat())].map((path) => bundle(readers, path)));
}

async function bundle(readers: MacReaders, path: string): Promise<FoundListing['programs'][number]> {
  const info = await plistAt(readers, `${path}/Contents/Info.plist`);
  const [id, version, executable] = ['CFBundleIdentifier', 'CFBundleShortVersionString', 'CFBundleExecutable'].map((key) =>
    textIn(info, key),
  );
  const file = executable && !executable.includes('/') ? `${path}/Contents/MacOS/${executable}` : null;
  const stamp = file && (await stampAt(file));
  return {
    name: textIn(info, 'CFBundleName') ?? nameOf(path).replace(/\.app$/, ''),
    path,
    ...(id ? { bundle_id: id } : {}),
    ...(version ? { version } : {}),
    ...(file && stamp ? { files: [{ path: file, stamp }] } : {}),
  };
}

/** What installers left in the books of pkgutil(1). */
async function receipts(readers: MacReaders): Promise<FoundListing['programs']> {
  const files = (await readers.entriesIn('/var/db/receipts')).filter((path) => path.endsWith('.plist'));
  return Promise.all(
    files.map(async (file) => {
      const dict = await plistAt(readers, file);
      const id = textIn(dict, 'PackageIdentifier') ?? nameOf(file).replace(/\.plist$/, '');
      const version = textIn(dict, 'PackageVersion');
      return { name: id, bundle_id: id, package: 'pkgutil', ...(version ? { version } : {}) };
    }),
  );
}

/** Jobs of launchd.plist(5), also those that do not run at this moment; not those that are switched off. */
async function jobs(readers: MacReaders, folders: string[]): Promise<{ label: string; command: string; file: string }[]> {
  const files = (await Promise.all(folders.map(readers.entriesIn))).flat().filter((path) => path.endsWith('.plist'));
  const all = await Promise.all(
    files.map(async (file) => {
      const job = await plistAt(readers, file);
      const words = Array.isArray(job.ProgramArguments) ? job.ProgramArguments.map(String) : [];
      const program = textIn(job, 'Program') ?? words[0];
      if (!program || job.Disabled === true) return [];
      const command = [program, ...words.slice(1)].map((word) => (/\s/.test(word) ? `"${word}"` : word)).join(' ');
      return [{ label: textIn(job, 'Label') ?? nameOf(file).replace(/\.plist$/, ''), command, file }];
    }),
  );
  return all.flat();
}

async function downloads({ entriesIn, people, program }: MacReaders): Promise<FoundListing['downloads']> {
  const found: FoundListing['downloads'] = [];
  for (const path of (await Promise.all(people.map(({ folder }) => entriesIn(`${folder}/Downloads`)))).flat()) {
    // A bundle is a folder: what makes it a program lies inside, and is put away from there.
    const stamp = await stampAt(path);
    const more = /\.(dmg|pkg|zip|command|sh|iso)$/i.test(path) || !nameOf(path).includes('.') ? await program(path) : {};
    if (stamp !== null) found.push({ name: nameOf(path), path, stamp, ...more });
  }
  return found;
}
