import { oneByOne } from '../../../lib/one-by-one.ts';
import { type Dict, readPlist, textIn } from '../../../lib/plist.ts';
import { stampAt } from '../../../lib/stamp.ts';
import type { FoundListing } from '../../port.ts';

export interface MacReaders {
  entriesIn(folder: string): Promise<string[]>;
  /** `largest`: of a file that a user can write. */
  bytes(path: string, largest?: number): Promise<Uint8Array | null>;
  program(path: string): Promise<Omit<FoundListing['downloads'][number], 'name' | 'path' | 'stamp'>>;
  people: { user: string; folder: string }[];
}

/** Files of a folder that a user can write. */
const MAX_USER_FILES = 500;

const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1);

export async function macListing(allReaders: MacReaders): Promise<FoundListing> {
  const homes = allReaders.people.map(({ folder }) => folder);
  const readers: MacReaders = {
    ...allReaders,
    async entriesIn(folder) {
      const entries = await allReaders.entriesIn(folder);
      return homes.some((home) => folder.startsWith(`${home}/`)) ? entries.slice(0, MAX_USER_FILES) : entries;
    },
  };
  const agentFolders = ['/Library/LaunchAgents', ...homes.map((home) => `${home}/Library/LaunchAgents`)];
  return {
    os: 'macos',
    programs: [
      ...(await listBundles(readers, ['/Applications', ...homes.map((home) => `${home}/Applications`)])),
      ...(await listReceipts(readers)),
    ],
    services: (await listJobs(readers, ['/Library/LaunchDaemons'])).map(({ label, command }) => ({ name: label, path: command })),
    start_up: (await listJobs(readers, agentFolders)).map(({ label, command, file }) => ({ name: label, command, place: { file } })),
    downloads: await listDownloads(allReaders),
  };
}

const readPlistAt = async ({ bytes }: MacReaders, path: string): Promise<Dict> => readPlist((await bytes(path)) ?? new Uint8Array());

/** App bundles in these folders and one level below, where some vendors put their apps. */
async function listBundles(readers: MacReaders, folders: string[]): Promise<FoundListing['programs']> {
  const topPaths = (await Promise.all(folders.map(readers.entriesIn))).flat();
  const filterApps = (paths: string[]) => paths.filter((path) => path.endsWith('.app'));
  const nestedPaths = await Promise.all(topPaths.filter((path) => !nameOf(path).includes('.')).map(readers.entriesIn));
  return oneByOne([...filterApps(topPaths), ...filterApps(nestedPaths.flat())], (path) => readBundle(readers, path));
}

async function readBundle(readers: MacReaders, path: string): Promise<FoundListing['programs'][number]> {
  const info = await readPlistAt(readers, `${path}/Contents/Info.plist`);
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

/** Receipts of installers: pkgutil(1). */
async function listReceipts(readers: MacReaders): Promise<FoundListing['programs']> {
  const files = (await readers.entriesIn('/var/db/receipts')).filter((path) => path.endsWith('.plist'));
  return oneByOne(files, async (file) => {
    const dict = await readPlistAt(readers, file);
    const id = textIn(dict, 'PackageIdentifier') ?? nameOf(file).replace(/\.plist$/, '');
    const version = textIn(dict, 'PackageVersion');
    return { name: id, bundle_id: id, package: 'pkgutil', ...(version ? { version } : {}) };
  });
}

/** launchd.plist(5) jobs, running or not, except disabled ones. */
async function listJobs(readers: MacReaders, folders: string[]): Promise<{ label: string; command: string; file: string }[]> {
  const files = (await Promise.all(folders.map(readers.entriesIn))).flat().filter((path) => path.endsWith('.plist'));
  const jobLists = await oneByOne(files, async (file) => {
    const job = await readPlistAt(readers, file);
    const programArgs = Array.isArray(job.ProgramArguments) ? job.ProgramArguments.map(String) : [];
    const program = textIn(job, 'Program') ?? programArgs[0];
    if (!program || job.Disabled === true) return [];
    const command = [program, ...programArgs.slice(1)].map((arg) => (/\s/.test(arg) ? `"${arg}"` : arg)).join(' ');
    return [{ label: textIn(job, 'Label') ?? nameOf(file).replace(/\.plist$/, ''), command, file }];
  });
  return jobLists.flat();
}

async function listDownloads({ entriesIn, people, program }: MacReaders): Promise<FoundListing['downloads']> {
  const files: FoundListing['downloads'] = [];
  for (const path of (await Promise.all(people.map(({ folder }) => entriesIn(`${folder}/Downloads`)))).flat()) {
    // `stampAt` skips folders, and so app bundles: a bundle's executable is quarantined instead.
    const stamp = await stampAt(path);
    const metadata = /\.(dmg|pkg|zip|command|sh|iso)$/i.test(path) || !nameOf(path).includes('.') ? await program(path) : {};
    if (stamp !== null) files.push({ name: nameOf(path), path, stamp, ...metadata });
  }
  return files;
}
