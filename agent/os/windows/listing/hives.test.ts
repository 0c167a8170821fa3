import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../testing/agent.ts';
import { registryInMemory } from '../../../testing/windows-registry.ts';
import { bootId } from '../boot-name.ts';
import { hives } from './hives.ts';
import { peopleOf, windowsReaders } from './readers.ts';

const sid = 'S-1-5-21-1-1001';
const runKey = 'Software\\Microsoft\\Windows\\CurrentVersion\\Run';
const profilesKey = 'SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion\\ProfileList';

function createComputer() {
  const [machine, users] = [registryInMemory(), registryInMemory()];
  return { machine, users, ...hives(machine, users, { SystemDrive: 'C:', PROGRAMFILES: 'C:\\Program Files', USERPROFILE: 'C:\\no' }) };
}

test('[P4.1] registry values are read as text with machine-wide variables expanded', () => {
  const { machine, users, key } = createComputer();
  machine.write('SYSTEM\\Tool', 'ImagePath', '%ProgramFiles%\\Tool\\t.exe');
  machine.write('SYSTEM\\Tool', 'Type', 16);
  machine.write('SYSTEM\\Tool', 'DependOnService', ['a', 'b']);
  machine.write('SYSTEM\\Tool\\Parameters', 'x', 1);
  users.write(`${sid}\\Folders`, 'Downloads', '%USERPROFILE%\\Downloads');
  expect(key('HKLM\\SYSTEM\\Tool')).toEqual({
    values: { ImagePath: 'C:\\Program Files\\Tool\\t.exe', Type: '16' },
    keys: ['Parameters'],
  });
  // Not expanded: the service would insert its own folder.
  expect(key(`HKU\\${sid}\\Folders`)?.values.Downloads).toBe('%USERPROFILE%\\Downloads');
  for (const missingKey of ['HKLM\\SYSTEM\\None', 'HKCU\\SYSTEM\\Tool', 'HKLM', '']) expect(key(missingKey), missingKey).toBeNull();
});

test('[P4.1] a start-up value in the registry is removed and restored unchanged, and other values cannot be changed', async () => {
  const { users, startUpValue, setStartUpValue } = createComputer();
  users.write(`${sid}\\${runKey}`, 'Tool', '"%ProgramFiles%\\t.exe" --tray');
  const location = { key: `HKU\\${sid}\\${runKey}`, value: 'Tool' };
  const content = await startUpValue(location);
  expect(content).toBe('"%ProgramFiles%\\t.exe" --tray');
  expect(await setStartUpValue(location, null)).toBe(true);
  expect(await startUpValue(location)).toBeNull();
  expect(await setStartUpValue(location, content)).toBe(true);
  expect(await startUpValue(location)).toBe(content);
  users.write(`${sid}\\Other`, 'Tool', 'x');
  expect(await setStartUpValue({ key: `HKU\\${sid}\\Other`, value: 'Tool' }, null)).toBe(false);
  expect(users.read(`${sid}\\Other`, 'Tool')).toBe('x');
});

test('[P4.1] the users of a Windows computer are the profiles of people, not of services', () => {
  const { machine, key } = createComputer();
  machine.write(`${profilesKey}\\S-1-5-18`, 'ProfileImagePath', 'C:\\Windows\\system32');
  machine.write(`${profilesKey}\\${sid}`, 'ProfileImagePath', '%SystemDrive%\\Users\\ann');
  machine.write(`${profilesKey}\\S-1-12-1-5`, 'ProfileImagePath', 'C:\\Users\\ben');
  expect(peopleOf(key).map(({ folder }) => folder)).toEqual(['C:\\Users\\ann', 'C:\\Users\\ben']);
});

test('[P4.1] the Windows readers list regular files, read UTF-16 and UTF-8 text, and return a program’s hash and metadata', async () => {
  const folder = await temporaryFolder();
  await mkdir(`${folder}/below`);
  for (const name of ['b.exe', 'a.exe']) await writeFile(`${folder}/${name}`, 'MZ');
  await symlink('/etc/passwd', `${folder}/link`);
  await writeFile(`${folder}/task`, Buffer.from('\ufeff<Task/>', 'utf16le'));
  const readers = windowsReaders(createComputer().key, () => ({ original_name: 'AnyDesk.exe' }), {});
  expect((await readers.filesIn(folder)).map((path) => path.split(/[\\/]/).at(-1))).toEqual(['a.exe', 'b.exe', 'task']);
  expect(await readers.filesIn(`${folder}/none`)).toEqual([]);
  expect([await readers.text(`${folder}/task`), await readers.text(`${folder}/a.exe`), await readers.text(`${folder}/none`)]).toEqual([
    '<Task/>',
    'MZ',
    null,
  ]);
  expect(await readers.program(`${folder}/a.exe`)).toEqual({
    sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    original_name: 'AnyDesk.exe',
  });
  expect(await readers.program(`${folder}/none`)).toEqual({});
});

test('[P4.7] the boot id is stable for a boot, and empty where the registry is read-only', () => {
  const registry = registryInMemory();
  const name = bootId(registry);
  expect(name).not.toBe('');
  expect(bootId(registry)).toBe(name);
  const readOnlyRegistry = {
    read: () => null,
    writeVolatile: () => {
      throw new Error('no');
    },
  };
  expect(bootId(readOnlyRegistry)).toBe('');
});
