import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, chown, mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../../testing/agent.ts';
import { cronCommand } from './cron.ts';
import { cleanCommand } from './desktop.ts';
import { linuxListing } from './listing.ts';
import { readHeader } from './rpm.ts';

/** A root folder with these files and one user, ann. */
async function createComputer(files: Record<string, string | Buffer>) {
  const root = await temporaryFolder();
  const allFiles = {
    'etc/passwd': 'root:x:0:0::/root:/bin/sh\ndaemon:x:1:1::/usr/sbin:/bin/false\nann:x:1000:1000:Ann,,,:/home/ann:/bin/bash\n',
    ...files,
  };
  for (const [path, content] of Object.entries(allFiles)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), content);
  }
  return { root, scan: (uid = 0) => linuxListing(root, uid), in: (path: string) => join(root, path) };
}
const elf = Buffer.from('\x7fELF\x02\x01\x01', 'latin1');

it('[P4.1] the Linux listing contains the packages of dpkg, flatpak and snap', async () => {
  const pc = await createComputer({
    'var/lib/dpkg/status': [
      'Package: anydesk\nStatus: install ok installed\nMaintainer: AnyDesk Software GmbH <support@anydesk.com>\nVersion: 6.3.2\nDescription: fast\n Package: no\n',
      'Package: gone\nStatus: deinstall ok config-files\nVersion: 1\n',
      'Package: plain\nStatus: install ok installed\n',
    ].join('\n'),
    'var/lib/flatpak/app/com.anydesk.Anydesk/current/active/metadata': '[Application]\nname=com.anydesk.Anydesk\ncommand=anydesk\n',
    'home/ann/.local/share/flatpak/app/org.remmina.Remmina/x': '',
    'var/lib/snapd/snaps/rustdesk_27.snap': '',
    'var/lib/snapd/snaps/rustdesk_x1.snap': '',
  });
  expect((await pc.scan()).programs).toEqual([
    { name: 'anydesk', package: 'dpkg', publisher: 'AnyDesk Software GmbH', version: '6.3.2' },
    { name: 'plain', package: 'dpkg' },
    { name: 'rustdesk', package: 'snap' },
    { name: 'anydesk', bundle_id: 'com.anydesk.Anydesk', package: 'flatpak' },
    { name: 'Remmina', bundle_id: 'org.remmina.Remmina', package: 'flatpak' },
  ]);
});

function rpmHeader(texts: Record<number, string>): Buffer {
  const entries = Object.entries(texts);
  const index = Buffer.alloc(8 + 16 * entries.length);
  const store: Buffer[] = [];
  index.writeUInt32BE(entries.length, 0);
  for (const [at, [tag, text]] of entries.entries()) {
    const offset = Buffer.concat(store).length;
    for (const [field, value] of [Number(tag), 6, offset, 1].entries()) index.writeUInt32BE(value, 8 + at * 16 + field * 4);
    store.push(Buffer.from(`${text}\0`));
  }
  index.writeUInt32BE(Buffer.concat(store).length, 4);
  return Buffer.concat([index, ...store]);
}

it('[P4.1] the Linux listing contains the packages of rpm, and skips damaged headers', async () => {
  const pc = await createComputer({ 'var/lib/rpm/x': '' });
  const db = new DatabaseSync(pc.in('var/lib/rpm/rpmdb.sqlite'));
  db.exec('create table Packages (hnum integer primary key, blob blob not null)');
  const insert = db.prepare('insert into Packages (blob) values (?)');
  insert.run(rpmHeader({ 1000: 'teamviewer', 1001: '15.2', 1011: 'TeamViewer GmbH' }));
  for (const damagedHeader of [Buffer.alloc(3), Buffer.alloc(8, 255), rpmHeader({ 1000: 'cut' }).subarray(0, 26)])
    insert.run(damagedHeader);
  db.close();
  expect((await pc.scan()).programs).toEqual([{ name: 'teamviewer', package: 'rpm', version: '15.2', publisher: 'TeamViewer GmbH' }]);
  expect(readHeader(Buffer.alloc(0)).size).toBe(0);
});

it('[P4.1] the Linux listing contains the products in /opt and in a user’s own menu, with their program files', async () => {
  const pc = await createComputer({
    'opt/anydesk/anydesk': elf,
    'opt/anydesk/lib/helper': '#!/bin/sh\n',
    'opt/anydesk/readme.txt': 'read me',
    'opt/Packaged/run': elf,
    'var/lib/dpkg/status': 'Package: packaged\nStatus: install ok installed\n',
    'home/ann/apps/Tool.AppImage': elf,
  });
  await mkdir(pc.in('home/ann/.local/share/applications'), { recursive: true });
  const entry = `[Desktop Entry]\nName=Tool\nExec=env A=b "${pc.in('home/ann/apps/Tool.AppImage')}" %U\n`;
  await writeFile(pc.in('home/ann/.local/share/applications/tool.desktop'), entry);
  await symlink(pc.in('opt/anydesk/anydesk'), pc.in('opt/anydesk/link'));
  const { programs } = await pc.scan();
  const stamp = expect.stringMatching(/^\d+:\d+:\d+$/);
  expect(programs.slice(1)).toEqual([
    { name: 'Packaged', path: pc.in('opt/Packaged'), package: 'dpkg' },
    {
      name: 'anydesk',
      path: `${pc.in('opt/anydesk')}/`,
      files: [
        { path: pc.in('opt/anydesk/anydesk'), stamp },
        { path: pc.in('opt/anydesk/lib/helper'), stamp },
      ],
    },
    { name: 'Tool', path: pc.in('home/ann/apps/Tool.AppImage'), files: [{ path: pc.in('home/ann/apps/Tool.AppImage'), stamp }] },
  ]);
});

it('[P4.1] the Linux listing contains the systemd units of the system and of each user; for equal names the first folder counts', async () => {
  const pc = await createComputer({
    'etc/systemd/system/anydesk.service': '[Unit]\nDescription=AnyDesk\n[Service]\nExecStart=-/usr/bin/anydesk --service\n',
    'usr/lib/systemd/system/anydesk.service': '[Service]\nExecStart=/other\n',
    'usr/lib/systemd/system/no.timer': '',
    'home/ann/.config/systemd/user/rustdesk.service': '# [Service]\n[Service]\n;ExecStart=/no\nExecStart=/home/ann/rustdesk\n',
    'usr/lib/systemd/user/pipe.service': '',
  });
  expect((await pc.scan()).services).toEqual([
    { name: 'anydesk.service', display: 'AnyDesk', path: '/usr/bin/anydesk --service' },
    { name: 'pipe.service', user: 'root' },
    { name: 'pipe.service', user: 'ann' },
    { name: 'rustdesk.service', path: '/home/ann/rustdesk', user: 'ann' },
  ]);
});

it('[P4.1] the Linux listing contains the programs that start at login or by cron', async () => {
  const pc = await createComputer({
    'etc/xdg/autostart/anydesk.desktop': '[Desktop Entry]\nName=AnyDesk\nExec=/usr/bin/anydesk --tray\n',
    'home/ann/.config/autostart/a.desktop': '[Desktop Entry]\nExec=rustdesk\n',
    'home/ann/.config/autostart/off.desktop': '[Desktop Entry]\nExec=off\nHidden=true\n',
    'etc/crontab': 'SHELL=/bin/sh\n# m h\n17 * * * * root run-parts\n',
    'var/spool/cron/crontabs/ann': '@reboot /home/ann/anydesk --service\nMAILTO=x\n',
  });
  expect((await pc.scan()).start_up).toEqual([
    { name: 'AnyDesk', command: '/usr/bin/anydesk --tray', place: { file: pc.in('etc/xdg/autostart/anydesk.desktop') } },
    { name: 'a', command: 'rustdesk', place: { file: pc.in('home/ann/.config/autostart/a.desktop') } },
    { name: 'run-parts', command: 'run-parts', place: { file: pc.in('etc/crontab'), line: '17 * * * * root run-parts' } },
    {
      name: '/home/ann/anydesk --service',
      command: '/home/ann/anydesk --service',
      place: { file: pc.in('var/spool/cron/crontabs/ann'), line: '@reboot /home/ann/anydesk --service' },
    },
  ]);
});

it('[P4.1] the Linux listing contains each user’s downloads in localised folders, with hashes of programs only', async () => {
  const pc = await createComputer({
    'home/ann/.config/user-dirs.dirs': 'XDG_DESKTOP_DIR="$HOME/Desktop"\nXDG_DOWNLOAD_DIR="$HOME/Téléchargements"\n',
    'home/ann/Téléchargements/facture.pdf': 'mine',
    'home/ann/Téléchargements/AnyDesk.exe': 'MZ',
    'home/ann/Téléchargements/new/prog': elf,
    'home/ann/Downloads/anydesk.deb': 'deb',
    'root/Downloads/x.txt': '',
    'home/ann/Documents/AnyDesk.exe': 'MZ',
  });
  await symlink(pc.in('home/ann/Documents/AnyDesk.exe'), pc.in('home/ann/Downloads/linked.exe'));
  const sha256 = (content: string | Buffer) => createHash('sha256').update(content).digest('hex');
  const stamp = expect.stringMatching(/^\d+:\d+:\d+$/);
  const downloadsFolder = pc.in('home/ann/Téléchargements');
  const annsDownloads = [
    { name: 'anydesk.deb', path: pc.in('home/ann/Downloads/anydesk.deb'), stamp, sha256: sha256('deb') },
    { name: 'AnyDesk.exe', path: join(downloadsFolder, 'AnyDesk.exe'), stamp, sha256: sha256('MZ') },
    { name: 'facture.pdf', path: join(downloadsFolder, 'facture.pdf'), stamp },
    { name: 'prog', path: join(downloadsFolder, 'new/prog'), stamp, sha256: sha256(elf) },
  ];
  expect((await pc.scan()).downloads).toEqual([{ name: 'x.txt', path: pc.in('root/Downloads/x.txt'), stamp }, ...annsDownloads]);
  expect((await pc.scan(1000)).downloads).toEqual(annsDownloads);
  expect((await pc.scan(4711)).downloads).toEqual([]);
});

it('a home folder that is set as downloads folder is not listed', async () => {
  const pc = await createComputer({ 'home/ann/.config/user-dirs.dirs': 'XDG_DOWNLOAD_DIR="$HOME/"\n', 'home/ann/AnyDesk.exe': 'MZ' });
  expect((await pc.scan()).downloads).toEqual([]);
});

it('the listing of an empty Linux system is empty', async () => {
  const pc = await createComputer({});
  await chmod(pc.root, 0o755);
  expect(await pc.scan()).toEqual({ os: 'linux', programs: [], services: [], start_up: [], downloads: [] });
});

it.each([
  ['env A=b C="d e" /opt/x/run --tray %U', '/opt/x/run --tray'],
  ['/usr/bin/env -i X=y prog', 'prog'],
  ['"/opt/a b/run" %f --more', '"/opt/a b/run" --more'],
  ['plain', 'plain'],
])('the command of the desktop entry %j is extracted without variables and field codes', (exec, command) =>
  expect(cleanCommand(exec)).toBe(command),
);

it.each([
  ['@reboot root /x --a', true, '/x --a'],
  ['*/5 1-3 * jan mon ann /x', true, '/x'],
  ['0 0 * * * /x', false, '/x'],
  ['# 0 0 * * * /x', false, null],
  ['PATH=/bin', false, null],
  ['', false, null],
])('the command of the cron line %j is extracted', (line, hasUserName, command) => expect(cronCommand(line, hasUserName)).toBe(command));

it('A1: a named pipe in a user’s own menu does not block the listing, and cannot be quarantined', async () => {
  const pc = await createComputer({
    'home/ann/.local/share/applications/pipe.desktop': '',
    'home/ann/.local/share/applications/real.desktop': '',
    'home/ann/bin/AnyDesk': elf,
  });
  for (const [name, path] of [
    ['pipe', 'home/ann/pipe'],
    ['real', 'home/ann/bin/AnyDesk'],
  ] as const)
    await writeFile(pc.in(`home/ann/.local/share/applications/${name}.desktop`), `[Desktop Entry]\nName=${name}\nExec=${pc.in(path)}\n`);
  execFileSync('mkfifo', [pc.in('home/ann/pipe'), pc.in('home/ann/.config-pipe')]);
  expect((await pc.scan()).programs).toEqual([
    { name: 'pipe', path: pc.in('home/ann/pipe') },
    { name: 'real', path: pc.in('home/ann/bin/AnyDesk'), files: [{ path: pc.in('home/ann/bin/AnyDesk'), stamp: expect.any(String) }] },
  ]);
});

it('A1: a user’s own menu or downloads setting cannot make another user’s file subject to quarantine', async ({ skip }) => {
  if (process.getuid?.() !== 0) {
    console.warn('needs root: whose file it is can be changed by root alone');
    skip();
  }
  const userDirsFile = 'home/ann/.config/user-dirs.dirs';
  const menuEntry = 'home/ann/.local/share/applications/x.desktop';
  const pc = await createComputer({
    [userDirsFile]: '',
    [menuEntry]: '',
    'home/ann/Downloads/mine.sh': '#!/bin/sh\n',
    'srv/data/AnyDesk': elf,
  });
  await writeFile(pc.in(userDirsFile), `XDG_DOWNLOAD_DIR="${pc.in('srv/data')}"\n`);
  await writeFile(pc.in(menuEntry), `[Desktop Entry]\nName=AnyDesk\nExec=${pc.in('srv/data/AnyDesk')}\n`);
  for (const path of ['home/ann', 'home/ann/Downloads', menuEntry]) await chown(pc.in(path), 1000, 1000);
  const { programs, downloads } = await pc.scan();
  expect(programs).toEqual([{ name: 'AnyDesk', path: pc.in('srv/data/AnyDesk') }]);
  expect(downloads.map(({ name }) => name)).toEqual(['mine.sh']);
});
