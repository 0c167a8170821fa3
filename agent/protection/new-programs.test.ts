import type { ProgramSeen } from '@porchlight/definitions/format.ts';
import { benignProductsSeen, benignPrograms, sharedDataIsThere } from '@porchlight/definitions/testing/shared-data.ts';
import { describe, expect, it, test } from 'vitest';
import { detectNewPrograms, type LaunchSeen } from './detectors/new-programs.ts';

type Origin = NonNullable<LaunchSeen['origin']>['origin'];
const internet = (host: string | null = null): Origin => ({ from: 'internet', host });
const local: Origin = { from: 'local' };
const unknown: Origin = { from: 'unknown' };

interface Launch {
  path: string;
  origin: Origin | undefined;
  /** When an interpreter runs it. */
  file?: string;
  ran_before?: true;
  program?: Partial<ProgramSeen>;
}

function seen({ path, origin, file = path, ran_before, program }: Launch, pid = 100): LaunchSeen {
  const os = /^[a-z]:/i.test(path) ? 'windows' : path.startsWith('/Users') || path.startsWith('/Applications') ? 'macos' : 'linux';
  const name = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
  return {
    process: { pid, started: '1', path, program: { os, name, ...program } },
    origin: origin ? { file, id: `id of ${file}`, origin } : null,
    first_seen: !ran_before,
  };
}

const downloads = 'C:\\Users\\mum\\Downloads';
const windows = 'C:\\Windows\\System32';
test.each<[string, Launch, { file: string; name: string; host?: string } | null]>([
  [
    'a download of Windows',
    { path: `${downloads}\\a.exe`, origin: internet('a.example') },
    { file: `${downloads}\\a.exe`, name: 'a.exe', host: 'a.example' },
  ],
  [
    'a download with a product name',
    { path: `${downloads}\\a.exe`, origin: internet(), program: { product: 'Any Tool' } },
    { file: `${downloads}\\a.exe`, name: 'Any Tool' },
  ],
  [
    'a download with a blank product name',
    { path: `${downloads}\\a.exe`, origin: internet(), program: { product: ' ' } },
    { file: `${downloads}\\a.exe`, name: 'a.exe' },
  ],
  [
    'a download that claims the name of a system program',
    { path: `${downloads}\\svchost.exe`, origin: internet() },
    { file: `${downloads}\\svchost.exe`, name: 'svchost.exe' },
  ],
  [
    'a download that names a signer',
    { path: `${downloads}\\a.exe`, origin: internet(), program: { signer: 'Microsoft Corporation' } },
    { file: `${downloads}\\a.exe`, name: 'a.exe' },
  ],
  [
    'a package that Windows Installer runs',
    { path: `${windows}\\msiexec.exe`, file: 'D:\\a.msi', origin: internet(), program: { product: 'Windows' } },
    { file: 'D:\\a.msi', name: 'a.msi' },
  ],
  [
    'a script that the script host runs',
    { path: `${windows}\\wscript.exe`, file: 'D:\\a.js', origin: internet() },
    { file: 'D:\\a.js', name: 'a.js' },
  ],
  [
    'a batch file',
    { path: `${windows}\\cmd.exe`, file: `${downloads}\\x.bat`, origin: internet() },
    { file: `${downloads}\\x.bat`, name: 'x.bat' },
  ],
  ['a download of Linux', { path: '/home/mum/Downloads/a', origin: internet() }, { file: '/home/mum/Downloads/a', name: 'a' }],
  ['a download that was moved', { path: '/home/mum/bin/a', origin: internet() }, { file: '/home/mum/bin/a', name: 'a' }],
  [
    'a program of an AppImage',
    { path: '/tmp/.mount_a/usr/bin/a', file: '/home/mum/a.AppImage', origin: internet() },
    { file: '/home/mum/a.AppImage', name: 'a.AppImage' },
  ],
  [
    'a package that dpkg installs',
    { path: '/usr/bin/dpkg', file: '/home/mum/a.deb', origin: internet() },
    { file: '/home/mum/a.deb', name: 'a.deb' },
  ],
  ['a script of a shell', { path: '/usr/bin/dash', file: '/tmp/a.sh', origin: internet() }, { file: '/tmp/a.sh', name: 'a.sh' }],
  ['a script of Python', { path: '/usr/bin/python3.11', file: '/tmp/a.py', origin: internet() }, { file: '/tmp/a.py', name: 'a.py' }],
  [
    'a download of macOS',
    { path: '/Users/mum/Downloads/A.app/Contents/MacOS/A', origin: internet('a.example') },
    { file: '/Users/mum/Downloads/A.app/Contents/MacOS/A', name: 'A', host: 'a.example' },
  ],
  ['the same download after it ran', { path: `${downloads}\\a.exe`, origin: internet('a.example'), ran_before: true }, null],
  ['a package that was installed before', { path: '/usr/bin/dpkg', file: '/home/mum/a.deb', origin: internet(), ran_before: true }, null],
  ['a script that was run before', { path: '/usr/bin/dash', file: '/tmp/a.sh', origin: internet(), ran_before: true }, null],
  ['a local program of Windows', { path: `${windows}\\notepad.exe`, origin: local }, null],
  ['a local program in the download folder', { path: `${downloads}\\own.exe`, origin: local }, null],
  ['the script host with a local script', { path: `${windows}\\wscript.exe`, file: 'D:\\own.js', origin: local }, null],
  ['Windows Installer with a local package', { path: `${windows}\\msiexec.exe`, file: 'D:\\own.msi', origin: local }, null],
  ['a shell without a script', { path: '/usr/bin/bash', origin: local }, null],
  ['a local script', { path: '/usr/bin/bash', file: '/home/mum/bin/backup.sh', origin: local }, null],
  ['a system program of Linux', { path: '/usr/bin/gnome-shell', origin: local }, null],
  ['a program of macOS', { path: '/Applications/Safari.app/Contents/MacOS/Safari', origin: local }, null],
  ['a program from a memory stick without marks', { path: 'E:\\setup.exe', origin: unknown }, null],
  ['a program that the user has built', { path: '/home/mum/project/a.out', origin: unknown }, null],
  ['a process whose file cannot be read', { path: 'System', origin: undefined }, null],
])('%s, from where it came and whether it ran before, is found or not', (_what, launch, found) => {
  const launched = seen(launch);
  const expected = found && { kind: 'new_program', process: launched.process, id: `id of ${found.file}`, host: null, ...found };
  expect(detectNewPrograms([launched])).toEqual(expected ? [expected] : []);
});

it('each process of a new program is found, and its neighbors are not', () => {
  const wasRunBefore = (id: string) => id === 'id of /home/mum/Downloads/b';
  const launches = [
    seen({ path: '/home/mum/Downloads/a', origin: internet() }, 1),
    seen({ path: '/usr/bin/ls', origin: local }, 2),
    seen({ path: '/home/mum/Downloads/a', origin: internet() }, 3),
    seen({ path: '/home/mum/Downloads/b', origin: internet() }, 4),
  ].map((launch) => ({ ...launch, first_seen: !wasRunBefore(launch.origin?.id ?? '') }));
  expect(detectNewPrograms(launches).map(({ process }) => process.pid)).toEqual([1, 3]);
});

describe.skipIf(!sharedDataIsThere)('benign programs', () => {
  it('of local or unknown origin, none is found; as downloads that never ran, all are', () => {
    const programs = [...benignPrograms(), ...benignProductsSeen()];
    expect(programs.length).toBeGreaterThan(9000);
    const launches = (origin: Origin) => programs.map((program) => ({ ...seen({ path: `/x/${program.name}`, origin, program }) }));
    expect(detectNewPrograms(launches(local))).toEqual([]);
    expect(detectNewPrograms(launches(unknown))).toEqual([]);
    expect(detectNewPrograms(launches(internet()))).toHaveLength(programs.length);
  });
});
