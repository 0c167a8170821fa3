import { stampAt } from '../../../lib/stamp.ts';
import type { FoundListing } from '../../port.ts';
import { listInstalled } from './installed.ts';
import type { ReadKey, WindowsReaders } from './readers.ts';
import { parseTask } from './tasks.ts';

const runKeys = ['Software\\Microsoft', 'Software\\WOW6432Node\\Microsoft'].flatMap((vendorKey) =>
  ['Run', 'RunOnce'].map((name) => `${vendorKey}\\Windows\\CurrentVersion\\${name}`),
);
const startUpFolder = String.raw`Microsoft\Windows\Start Menu\Programs\Startup`;
const shellFolders = String.raw`Software\Microsoft\Windows\CurrentVersion\Explorer\User Shell Folders`;
const downloadsId = '{374DE290-123F-4565-9164-39C4925E467B}';
const nameOf = (path: string) => path.slice(path.lastIndexOf('\\') + 1);

export async function windowsListing(readers: WindowsReaders): Promise<FoundListing> {
  return {
    os: 'windows',
    programs: await listInstalled(readers),
    services: listServices(readers.key),
    start_up: [...listRunValues(readers), ...(await listStartUpFiles(readers)), ...(await listTasks(readers))],
    downloads: await listDownloads(readers),
  };
}

/** Lists no drivers: no definition has a driver that can be stopped safely. */
function listServices(key: ReadKey): FoundListing['services'] {
  const servicesKey = String.raw`HKLM\SYSTEM\CurrentControlSet\Services`;
  return (key(servicesKey)?.keys ?? []).flatMap((name) => {
    const values = key(`${servicesKey}\\${name}`)?.values ?? {};
    const [serviceType, path, display] = [Number(values.Type), values.ImagePath, values.DisplayName];
    // Service types: 0x10 own process, 0x20 shared process.
    if (!(serviceType & 0x30) || !path) return [];
    // Names such as `@file,-12` are string resources.
    return [{ name, path: path.replace(/^\\\?\?\\/, ''), ...(display && !display.startsWith('@') ? { display } : {}) }];
  });
}

function listRunValues({ key, people }: WindowsReaders): FoundListing['start_up'] {
  const keys = [...runKeys.map((one) => `HKLM\\${one}`), ...people.flatMap(({ sid }) => runKeys.map((one) => `HKU\\${sid}\\${one}`))];
  return keys.flatMap((runKey) =>
    Object.entries(key(runKey)?.values ?? {}).flatMap(([value, command]) =>
      value === '' || command === '' ? [] : [{ name: value, command, place: { key: runKey, value } }],
    ),
  );
}

async function listStartUpFiles({ filesIn, people, program_data }: WindowsReaders): Promise<FoundListing['start_up']> {
  const folders = [`${program_data}\\${startUpFolder}`, ...people.map(({ folder }) => `${folder}\\AppData\\Roaming\\${startUpFolder}`)];
  const files = (await Promise.all(folders.map(filesIn))).flat().filter((path) => !/\\desktop\.ini$/i.test(path));
  return files.map((file) => ({ name: nameOf(file), command: `"${file.replace(/\.lnk$/i, '.exe')}"`, place: { file } }));
}

async function listTasks({ filesIn, text, windows }: WindowsReaders): Promise<FoundListing['start_up']> {
  const files = await filesIn(`${windows}\\System32\\Tasks`);
  const taskLists = await Promise.all(
    files.map(async (file) => parseTask((await text(file)) ?? '').map((command) => ({ name: nameOf(file), command, place: { file } }))),
  );
  return taskLists.flat();
}

async function listDownloads({ key, filesIn, people, program }: WindowsReaders): Promise<FoundListing['downloads']> {
  const files: FoundListing['downloads'] = [];
  for (const { sid, folder } of people) {
    const movedFolder = key(`HKU\\${sid}\\${shellFolders}`)?.values[downloadsId]?.replace(/%USERPROFILE%/i, folder);
    for (const path of await filesIn(movedFolder ?? `${folder}\\Downloads`)) {
      const stamp = await stampAt(path);
      const metadata = /\.(exe|msi|scr|com|bat|cmd|zip|msix|appx)$/i.test(path) ? await program(path) : {};
      if (stamp !== null) files.push({ name: nameOf(path), path, stamp, ...metadata });
    }
  }
  return files;
}
