import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../testing/agent.ts';
import { registryInMemory } from '../../../testing/windows-registry.ts';
import { bootName } from '../boot-name.ts';
import { hives } from './hives.ts';
import { peopleOf, windowsReaders } from './readers.ts';

const sid = 'S-1-5-21-1-1001';
const run = 'Software\\Microsoft\\Windows\\CurrentVersion\\Run';
const profiles = 'SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion\\ProfileList';

function computer() {
  const [machine, users] = [registryInMemory(), registryInMemory()];
  return { machine, users, ...hives(machine, users, { SystemDrive: 'C:', PROGRAMFILES: 'C:\\Program Files', USERPROFILE: 'C:\\no' }) };
}

test('[P4.1] what is written for the computer and for each person is read as text, with the computer’s own places put in', () => {
  const { machine, users, key } = computer();
  machine.write('SYSTEM\\Tool', 'ImagePath', '%ProgramFiles%\\Tool\\t.exe');
  machine.write('SYSTEM\\Tool', 'Type', 16);
  machine.write('SYSTEM\\Tool', 'DependOnService', ['a', 'b']);
  machine.write('SYSTEM\\Tool\\Parameters', 'x', 1);
  users.write(`${sid}\\Folders`, 'Downloads', '%USERPROFILE%\\Downloads');
  expect(key('HKLM\\SYSTEM\\Tool')).toEqual({
    values: { ImagePath: 'C:\\Program Files\\Tool\\t.exe', Type: '16' },
    keys: ['parameters'],
  });
  // A service would put its own folder in here.
  expect(key(`HKU\\${sid}\\Folders`)?.values.Downloads).toBe('%USERPROFILE%\\Downloads');
  for (const other of ['HKLM\\SYSTEM\\None', 'HKCU\\SYSTEM\\Tool', 'HKLM', '']) expect(key(other), other).toBeNull();
});

test('[P4.1] a start-up value is taken away and comes back as it stood there, and nothing else can be', async () => {
  const { users, startUpValue, setStartUpValue } = computer();
  users.write(`${sid}\\${run}`, 'Tool', '"%ProgramFiles%\\t.exe" --tray');
  const place = { key: `HKU\\${sid}\\${run}`, value: 'Tool' };
  const content = await startUpValue(place);
  expect(content).toBe('"%ProgramFiles%\\t.exe" --tray');
  expect(await setStartUpValue(place, null)).toBe(true);
  expect(await startUpValue(place)).toBeNull();
  expect(await setStartUpValue(place, content)).toBe(true);
  expect(await startUpValue(place)).toBe(content);
  users.write(`${sid}\\Other`, 'Tool', 'x');
  expect(await setStartUpValue({ key: `HKU\\${sid}\\Other`, value: 'Tool' }, null)).toBe(false);
  expect(users.read(`${sid}\\Other`, 'Tool')).toBe('x');
});

test('[P4.1] people are those who have logged in; services have no downloads', () => {
  const { machine, key } = computer();
  machine.write(`${profiles}\\S-1-5-18`, 'ProfileImagePath', 'C:\\Windows\\system32');
  machine.write(`${profiles}\\${sid}`, 'ProfileImagePath', '%SystemDrive%\\Users\\ann');
  machine.write(`${profiles}\\S-1-12-1-5`, 'ProfileImagePath', 'C:\\Users\\ben');
  expect(peopleOf(key).map(({ folder }) => folder)).toEqual(['C:\\Users\\ann', 'C:\\Users\\ben']);
});

test('[P4.1] of a folder its plain files are read, of a task its text, of a program its hash and what it says of itself', async () => {
  const folder = await temporaryFolder();
  await mkdir(`${folder}/below`);
  for (const name of ['b.exe', 'a.exe']) await writeFile(`${folder}/${name}`, 'MZ');
  await symlink('/etc/passwd', `${folder}/link`);
  await writeFile(`${folder}/task`, Buffer.from('\ufeff<Task/>', 'utf16le'));
  const readers = windowsReaders(computer().key, () => ({ original_name: 'AnyDesk.exe' }), {});
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
  const name = bootName(registry);
  expect(name).not.toBe('');
  expect(bootName(registry)).toBe(name);
  const refuses = {
    read: () => null,
    writeVolatile: () => {
      throw new Error('no');
    },
  };
  expect(bootName(refuses)).toBe('');
});
