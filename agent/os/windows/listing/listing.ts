import { stampAt } from '../../../lib/stamp.ts';
import type { FoundListing } from '../../port.ts';
import { installed } from './installed.ts';
import { parseTask } from './tasks.ts';

/** A key of the registry: its values as text (numbers in decimal), and the names of the keys below it. Null when it is not there. */
export type ReadKey = (key: string) => { values: Record<string, string>; keys: string[] } | null;

/** What the listing reads of a Windows. */
export interface WindowsReaders {
  key: ReadKey;
  /** Whole paths of the files of a folder; nothing when it cannot be read. */
  filesIn(folder: string): Promise<string[]>;
  /** Its text; null when it cannot be read. */
  text(path: string): Promise<string | null>;
  /** What stands in the version information and the signature of a program, and its hash. */
  program(path: string): Promise<Omit<FoundListing['downloads'][number], 'name' | 'path' | 'stamp'>>;
  /** Of each person: the security identifier under HKEY_USERS, and the folder of the profile. */
  people: { sid: string; folder: string }[];
  /** C:\Windows and C:\ProgramData, or wherever they are. */
  windows: string;
  program_data: string;
}

const run = ['Software\\Microsoft', 'Software\\WOW6432Node\\Microsoft'].flatMap((maker) =>
  ['Run', 'RunOnce'].map((name) => `${maker}\\Windows\\CurrentVersion\\${name}`),
);
const startMenu = String.raw`Microsoft\Windows\Start Menu\Programs\Startup`;
const shellFolders = String.raw`Software\Microsoft\Windows\CurrentVersion\Explorer\User Shell Folders`;
/** FOLDERID_Downloads. */
const downloadsId = '{374DE290-123F-4565-9164-39C4925E467B}';
const nameOf = (path: string) => path.slice(path.lastIndexOf('\\') + 1);

/** What lies on this computer, by the lists that Windows itself keeps. */
export async function windowsListing(readers: WindowsReaders): Promise<FoundListing> {
  return {
    os: 'windows',
    programs: await installed(readers),
    services: services(readers.key),
    start_up: [...runValues(readers), ...(await startUpFiles(readers)), ...(await tasks(readers))],
    downloads: await downloads(readers),
  };
}

/** Programs that run as services; drivers are not looked at: a listed family has none that may be stopped while Windows runs. */
function services(key: ReadKey): FoundListing['services'] {
  const all = String.raw`HKLM\SYSTEM\CurrentControlSet\Services`;
  return (key(all)?.keys ?? []).flatMap((name) => {
    const values = key(`${all}\\${name}`)?.values ?? {};
    const [kind, path, display] = [Number(values.Type), values.ImagePath, values.DisplayName];
    // 0x10 and 0x20: a process of its own, or one that is shared.
    if (!(kind & 0x30) || !path) return [];
    // `@file,-12` points to a text in a file.
    return [{ name, path: path.replace(/^\\\?\?\\/, ''), ...(display && !display.startsWith('@') ? { display } : {}) }];
  });
}

function runValues({ key, people }: WindowsReaders): FoundListing['start_up'] {
  const keys = [...run.map((one) => `HKLM\\${one}`), ...people.flatMap(({ sid }) => run.map((one) => `HKU\\${sid}\\${one}`))];
  return keys.flatMap((at) =>
    Object.entries(key(at)?.values ?? {}).flatMap(([value, command]) =>
      value === '' || command === '' ? [] : [{ name: value, command, place: { key: at, value } }],
    ),
  );
}

/** Files in the start-up folders. Of a shortcut only its own name is known. */
async function startUpFiles({ filesIn, people, program_data }: WindowsReaders): Promise<FoundListing['start_up']> {
  const folders = [`${program_data}\\${startMenu}`, ...people.map(({ folder }) => `${folder}\\AppData\\Roaming\\${startMenu}`)];
  const files = (await Promise.all(folders.map(filesIn))).flat().filter((path) => !/\\desktop\.ini$/i.test(path));
  return files.map((file) => ({ name: nameOf(file), command: `"${file.replace(/\.lnk$/i, '.exe')}"`, place: { file } }));
}

/** Scheduled tasks: one file each, without an ending. */
async function tasks({ filesIn, text, windows }: WindowsReaders): Promise<FoundListing['start_up']> {
  const files = await filesIn(`${windows}\\System32\\Tasks`);
  const all = await Promise.all(
    files.map(async (file) => parseTask((await text(file)) ?? '').map((command) => ({ name: nameOf(file), command, place: { file } }))),
  );
  return all.flat();
}

async function downloads({ key, filesIn, people, program }: WindowsReaders): Promise<FoundListing['downloads']> {
  const found: FoundListing['downloads'] = [];
  for (const { sid, folder } of people) {
    const moved = key(`HKU\\${sid}\\${shellFolders}`)?.values[downloadsId]?.replace(/%USERPROFILE%/i, folder);
    for (const path of await filesIn(moved ?? `${folder}\\Downloads`)) {
      const stamp = await stampAt(path);
      const more = /\.(exe|msi|scr|com|bat|cmd|zip|msix|appx)$/i.test(path) ? await program(path) : {};
      if (stamp !== null) found.push({ name: nameOf(path), path, stamp, ...more });
    }
  }
  return found;
}
