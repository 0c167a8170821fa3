import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../../testing/agent.ts';
import { type ReadKey, windowsListing } from './listing.ts';
import { parseTask } from './tasks.ts';

type Tree = Record<string, Record<string, string>>;

/** A registry of these keys; the names below a key come from the longer ones. */
const registry =
  (tree: Tree): ReadKey =>
  (key) => {
    const below = Object.keys(tree).filter((one) => one.startsWith(`${key}\\`));
    const keys = [...new Set(below.map((one) => one.slice(key.length + 1).split('\\')[0] ?? ''))];
    return tree[key] || keys.length ? { values: tree[key] ?? {}, keys } : null;
  };
const ann = { sid: 'S-1-5-21-1-1001', folder: 'C:\\Users\\ann' };
const look = (tree: Tree, files: Record<string, string[]> = {}, texts: Record<string, string> = {}) =>
  windowsListing({
    key: registry(tree),
    filesIn: async (folder) => files[folder] ?? [],
    text: async (path) => texts[path] ?? null,
    program: async () => ({ original_name: 'AnyDesk.exe', signer: 'AnyDesk Software GmbH' }),
    people: [ann],
    windows: 'C:\\Windows',
    program_data: 'C:\\ProgramData',
  });
const uninstall = 'Microsoft\\Windows\\CurrentVersion\\Uninstall';

it('[P4.1] lists what can be uninstalled: 64-bit, 32-bit and of each person, without parts of others', async () => {
  const icon = join(await temporaryFolder(), 'AnyDesk.exe');
  await writeFile(icon, 'MZ');
  const { programs } = await look({
    [`HKLM\\Software\\${uninstall}\\AnyDesk`]: {
      ...{ DisplayName: 'AnyDesk', Publisher: 'AnyDesk Software GmbH', DisplayVersion: 'ad 8.0.9' },
      ...{ DisplayIcon: `"${icon}",-0`, InstallLocation: '"C:\\Program Files (x86)\\AnyDesk\\"' },
    },
    [`HKLM\\Software\\WOW6432Node\\${uninstall}\\{1}`]: { DisplayName: 'TeamViewer', WindowsInstaller: '1', DisplayIcon: icon },
    [`HKU\\${ann.sid}\\Software\\${uninstall}\\x`]: { DisplayName: 'Own', DisplayIcon: 'C:\\Own\\uninstall.exe' },
    [`HKLM\\Software\\${uninstall}\\part`]: { DisplayName: 'Part', SystemComponent: '1' },
    [`HKLM\\Software\\${uninstall}\\update`]: { DisplayName: 'Update', ParentKeyName: 'x' },
    [`HKLM\\Software\\${uninstall}\\nameless`]: { Publisher: 'x' },
  });
  expect(programs).toEqual([
    {
      ...{ name: 'AnyDesk', publisher: 'AnyDesk Software GmbH', version: 'ad 8.0.9', path: 'C:\\Program Files (x86)\\AnyDesk\\' },
      files: [{ path: icon, stamp: expect.stringMatching(/^\d+:\d+:\d+$/) }],
    },
    { name: 'TeamViewer', path: icon, package: 'windows' },
    { name: 'Own', path: 'C:\\Own\\uninstall.exe', package: 'windows' },
  ]);
});

it('[P4.1] lists services and no drivers', async () => {
  const all = 'HKLM\\SYSTEM\\CurrentControlSet\\Services';
  const { services } = await look({
    [`${all}\\AnyDesk`]: { Type: '16', ImagePath: '"C:\\AnyDesk\\AnyDesk.exe" --service', DisplayName: 'AnyDesk Service' },
    [`${all}\\shared`]: { Type: '32', ImagePath: '\\??\\C:\\x.exe', DisplayName: '@x.dll,-1' },
    [`${all}\\driver`]: { Type: '1', ImagePath: 'system32\\drivers\\d.sys' },
    [`${all}\\empty`]: { Type: '16' },
  });
  expect(services).toEqual([
    { name: 'AnyDesk', display: 'AnyDesk Service', path: '"C:\\AnyDesk\\AnyDesk.exe" --service' },
    { name: 'shared', path: 'C:\\x.exe' },
  ]);
});

it('[P4.1] lists Run values, start-up folders and scheduled tasks, each with its place', async () => {
  const run = 'Software\\Microsoft\\Windows\\CurrentVersion\\Run';
  const folder = 'C:\\Users\\ann\\AppData\\Roaming\\Microsoft\\Windows\\Start Menu\\Programs\\Startup';
  const task = 'C:\\Windows\\System32\\Tasks\\AnyDesk';
  const { start_up } = await look(
    { [`HKLM\\${run}`]: { AnyDesk: '"C:\\AnyDesk.exe" --tray' }, [`HKU\\${ann.sid}\\${run}Once`]: { once: 'x.exe', none: '' } },
    { [folder]: [`${folder}\\AnyDesk.lnk`, `${folder}\\desktop.ini`], 'C:\\Windows\\System32\\Tasks': [task] },
    { [task]: '<Task><Actions><Exec><Command>C:\\a &amp; b\\x.exe</Command><Arguments>-q</Arguments></Exec></Actions></Task>' },
  );
  expect(start_up).toEqual([
    { name: 'AnyDesk', command: '"C:\\AnyDesk.exe" --tray', place: { key: `HKLM\\${run}`, value: 'AnyDesk' } },
    { name: 'once', command: 'x.exe', place: { key: `HKU\\${ann.sid}\\${run}Once`, value: 'once' } },
    { name: 'AnyDesk.lnk', command: `"${folder}\\AnyDesk.exe"`, place: { file: `${folder}\\AnyDesk.lnk` } },
    { name: 'AnyDesk', command: '"C:\\a & b\\x.exe" -q', place: { file: task } },
  ]);
});

it('[P4.1] lists downloads where the person has them, with what a program says of itself', async () => {
  const folder = await temporaryFolder();
  const [program, letter] = [join(folder, 'x.exe'), join(folder, 'x.txt')];
  for (const path of [program, letter]) await writeFile(path, 'MZ');
  const key = `HKU\\${ann.sid}\\Software\\Microsoft\\Windows\\CurrentVersion\\Explorer\\User Shell Folders`;
  const { downloads } = await look({ [key]: { '{374DE290-123F-4565-9164-39C4925E467B}': 'D:\\Mine' } }, { 'D:\\Mine': [program, letter] });
  const stamp = expect.stringMatching(/^\d+:\d+:\d+$/);
  expect(downloads).toMatchObject([
    { path: program, stamp, original_name: 'AnyDesk.exe', signer: 'AnyDesk Software GmbH' },
    { path: letter, stamp },
  ]);
  expect(downloads[1]).not.toHaveProperty('signer');
  expect((await look({}, { 'C:\\Users\\ann\\Downloads': [letter] })).downloads).toHaveLength(1);
});

it.each([
  ['<Task><Settings><Enabled>false</Enabled></Settings><Exec><Command>x</Command></Exec></Task>', []],
  [
    '<Task><Triggers><Enabled>false</Enabled></Triggers><Exec><Command>"x y"</Command></Exec><Exec><Command>z</Command></Exec></Task>',
    ['"x y"', '"z"'],
  ],
  ['<!-- <Exec><Command>x</Command></Exec> -->', []],
  ['<Exec><Command></Command></Exec>', []],
  ['', []],
])('the commands of the task %j', (xml, commands) => expect(parseTask(xml)).toEqual(commands));
