import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../../testing/agent.ts';
import { windowsListing } from './listing.ts';
import type { ReadKey } from './readers.ts';
import { parseTask } from './tasks.ts';

type Tree = Record<string, Record<string, string>>;

const registry =
  (tree: Tree): ReadKey =>
  (key) => {
    const subKeys = Object.keys(tree).filter((one) => one.startsWith(`${key}\\`));
    const keys = [...new Set(subKeys.map((one) => one.slice(key.length + 1).split('\\')[0] ?? ''))];
    return tree[key] || keys.length ? { values: tree[key] ?? {}, keys } : null;
  };
const ann = { sid: 'S-1-5-21-1-1001', folder: 'C:\\Users\\ann' };
const scan = (tree: Tree, files: Record<string, string[]> = {}, texts: Record<string, string> = {}) =>
  windowsListing({
    key: registry(tree),
    filesIn: async (folder) => files[folder] ?? [],
    text: async (path) => texts[path] ?? null,
    program: async () => ({ original_name: 'AnyDesk.exe', signer: 'AnyDesk Software GmbH' }),
    people: [ann],
    windows: 'C:\\Windows',
    program_data: 'C:\\ProgramData',
  });
const uninstallKey = 'Microsoft\\Windows\\CurrentVersion\\Uninstall';

it('[P4.1] the Windows listing contains 64-bit, 32-bit and per-user programs that can be uninstalled, without components', async () => {
  const iconFile = join(await temporaryFolder(), 'AnyDesk.exe');
  await writeFile(iconFile, 'MZ');
  const { programs } = await scan({
    [`HKLM\\Software\\${uninstallKey}\\AnyDesk`]: {
      ...{ DisplayName: 'AnyDesk', Publisher: 'AnyDesk Software GmbH', DisplayVersion: 'ad 8.0.9' },
      ...{ DisplayIcon: `"${iconFile}",-0`, InstallLocation: '"C:\\Program Files (x86)\\AnyDesk\\"' },
    },
    [`HKLM\\Software\\WOW6432Node\\${uninstallKey}\\{1}`]: { DisplayName: 'TeamViewer', WindowsInstaller: '1', DisplayIcon: iconFile },
    [`HKU\\${ann.sid}\\Software\\${uninstallKey}\\x`]: { DisplayName: 'Own', DisplayIcon: 'C:\\Own\\uninstall.exe' },
    [`HKLM\\Software\\${uninstallKey}\\part`]: { DisplayName: 'Part', SystemComponent: '1' },
    [`HKLM\\Software\\${uninstallKey}\\update`]: { DisplayName: 'Update', ParentKeyName: 'x' },
    [`HKLM\\Software\\${uninstallKey}\\nameless`]: { Publisher: 'x' },
  });
  expect(programs).toEqual([
    {
      ...{ name: 'AnyDesk', publisher: 'AnyDesk Software GmbH', version: 'ad 8.0.9', path: 'C:\\Program Files (x86)\\AnyDesk\\' },
      files: [{ path: iconFile, stamp: expect.stringMatching(/^\d+:\d+:\d+$/) }],
    },
    { name: 'TeamViewer', path: iconFile, package: 'windows' },
    { name: 'Own', path: 'C:\\Own\\uninstall.exe', package: 'windows' },
  ]);
});

it('[P4.1] the Windows listing contains services and no drivers', async () => {
  const servicesKey = 'HKLM\\SYSTEM\\CurrentControlSet\\Services';
  const { services } = await scan({
    [`${servicesKey}\\AnyDesk`]: { Type: '16', ImagePath: '"C:\\AnyDesk\\AnyDesk.exe" --service', DisplayName: 'AnyDesk Service' },
    [`${servicesKey}\\shared`]: { Type: '32', ImagePath: '\\??\\C:\\x.exe', DisplayName: '@x.dll,-1' },
    [`${servicesKey}\\driver`]: { Type: '1', ImagePath: 'system32\\drivers\\d.sys' },
    [`${servicesKey}\\empty`]: { Type: '16' },
  });
  expect(services).toEqual([
    { name: 'AnyDesk', display: 'AnyDesk Service', path: '"C:\\AnyDesk\\AnyDesk.exe" --service' },
    { name: 'shared', path: 'C:\\x.exe' },
  ]);
});

it('[P4.1] the Windows listing contains Run values, start-up folders and scheduled tasks, each with its location', async () => {
  const runKey = 'Software\\Microsoft\\Windows\\CurrentVersion\\Run';
  const folder = 'C:\\Users\\ann\\AppData\\Roaming\\Microsoft\\Windows\\Start Menu\\Programs\\Startup';
  const taskFile = 'C:\\Windows\\System32\\Tasks\\AnyDesk';
  const { start_up } = await scan(
    { [`HKLM\\${runKey}`]: { AnyDesk: '"C:\\AnyDesk.exe" --tray' }, [`HKU\\${ann.sid}\\${runKey}Once`]: { once: 'x.exe', none: '' } },
    { [folder]: [`${folder}\\AnyDesk.lnk`, `${folder}\\desktop.ini`], 'C:\\Windows\\System32\\Tasks': [taskFile] },
    { [taskFile]: '<Task><Actions><Exec><Command>C:\\a &amp; b\\x.exe</Command><Arguments>-q</Arguments></Exec></Actions></Task>' },
  );
  expect(start_up).toEqual([
    { name: 'AnyDesk', command: '"C:\\AnyDesk.exe" --tray', place: { key: `HKLM\\${runKey}`, value: 'AnyDesk' } },
    { name: 'once', command: 'x.exe', place: { key: `HKU\\${ann.sid}\\${runKey}Once`, value: 'once' } },
    { name: 'AnyDesk.lnk', command: `"${folder}\\AnyDesk.exe"`, place: { file: `${folder}\\AnyDesk.lnk` } },
    { name: 'AnyDesk', command: '"C:\\a & b\\x.exe" -q', place: { file: taskFile } },
  ]);
});

it('[P4.1] the Windows listing contains the user’s downloads folder, with the metadata of programs', async () => {
  const folder = await temporaryFolder();
  const [program, document] = [join(folder, 'x.exe'), join(folder, 'x.txt')];
  for (const path of [program, document]) await writeFile(path, 'MZ');
  const key = `HKU\\${ann.sid}\\Software\\Microsoft\\Windows\\CurrentVersion\\Explorer\\User Shell Folders`;
  const { downloads } = await scan(
    { [key]: { '{374DE290-123F-4565-9164-39C4925E467B}': 'D:\\Mine' } },
    { 'D:\\Mine': [program, document] },
  );
  const stamp = expect.stringMatching(/^\d+:\d+:\d+$/);
  expect(downloads).toMatchObject([
    { path: program, stamp, original_name: 'AnyDesk.exe', signer: 'AnyDesk Software GmbH' },
    { path: document, stamp },
  ]);
  expect(downloads[1]).not.toHaveProperty('signer');
  expect((await scan({}, { 'C:\\Users\\ann\\Downloads': [document] })).downloads).toHaveLength(1);
});

it.each([
  ['<Task><Settings><Enabled>false</Enabled></Settings><Exec><Command>x</Command></Exec></Task>', []],
  [
    '<Task><Triggers><Enabled>false</Enabled></Triggers><Exec><Command>"x y"</Command></Exec><Exec><Command>z</Command></Exec></Task>',
    ['"x y"', '"z"'],
  ],
  ['<!-- <Exec><Command>x</Command></Exec> -->', []],
  ['<Exec><Command></Command></Exec>', []],
  ['<Executable><Exec id="a"><Command>x</Command></Exec></Executable>', ['"x"']],
  ['<Exec><Command>x</Command></Exec><!-- never closed <Exec><Command>y</Command></Exec>', ['"x"']],
  ['<Exec><Command>x</Command></Exec><Exec><Command>y', ['"x"']],
  ['', []],
])('the commands of the scheduled task %j are parsed', (xml, commands) => expect(parseTask(xml)).toEqual(commands));

// A parser that looks for the end of each of them would take minutes for each of these.
it.each(['<!--', '<Exec>', '<Exec ', '<Execx', '<Exec><Command>'])('a task of two million characters %j has no commands', (opening) => {
  const text = opening.repeat(2_000_000 / opening.length);
  for (const end of ['', '>', '-->']) expect(parseTask(`${text}${end}`)).toEqual([]);
});
