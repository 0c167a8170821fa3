import { execFileSync } from 'node:child_process';
import { readFileSync, truncateSync } from 'node:fs';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { unguarded } from '../../../lib/user-file-work.ts';
import { temporaryFolder } from '../../../testing/agent.ts';
import { downloadFolders } from '../origin/download-folders.ts';
import { linuxListing } from './listing.ts';

const autostart = 'home/ann/.config/autostart';
const entry = (exec: string, name = 'Tool') => `[Desktop Entry]\nName=${name}\nExec=${exec}\n`;

/** A computer with one user, ann, whose home has these files. */
async function createComputer(files: Record<string, string> = {}) {
  const root = await temporaryFolder();
  const write = async (path: string, content: string) => {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), content);
  };
  await write('etc/passwd', 'ann:x:1000:1000:Ann,,,:/home/ann:/bin/bash\n');
  await mkdir(join(root, autostart), { recursive: true });
  for (const [path, content] of Object.entries(files)) await write(path, content);
  return { root, write, scan: () => linuxListing(root, 0), in: (path: string) => join(root, path) };
}

/** Seconds of the processor, of which other programs take none. */
const processorTime = () => process.cpuUsage().user / 1_000_000;
/** The work takes a tenth of it, and took five times as long when it grew with the square of a file's size. */
const MAX_SECONDS = 5;
/** Bytes that this process has read so far. */
const bytesRead = () => Number(/^rchar: (\d+)/m.exec(readFileSync('/proc/self/io', 'utf8'))?.[1]);

it('a file of many empty lines does not stop the search for download folders', async () => {
  const text = `XDG_DESKTOP_DIR="$HOME/Desk"\n${'\n'.repeat(160_000)}`;
  const pc = await createComputer({ 'home/ann/.config/user-dirs.dirs': text, 'home/ann/Desk/tool.deb': 'x' });
  const before = processorTime();
  expect(await downloadFolders(pc.root, null, unguarded)).toMatchObject([{ path: pc.in('home/ann/Desk') }]);
  expect((await pc.scan()).downloads).toEqual([]);
  expect(processorTime() - before).toBeLessThan(MAX_SECONDS);
});

it('a command with many blanks and a name with many dashes do not stop the scan', async () => {
  const pc = await createComputer({
    [`${autostart}/a.desktop`]: entry(`tool${' '.repeat(160_000)}x`),
    [`${autostart}/b.desktop`]: entry('tool %U', `${'-'.repeat(80_000)}! 1`),
  });
  const before = processorTime();
  expect((await pc.scan()).start_up).toMatchObject([{ name: 'Tool' }, { name: '-'.repeat(300), command: 'tool' }]);
  expect(processorTime() - before).toBeLessThan(MAX_SECONDS);
});

it('of a huge file only the start is read, however many links there are to it', async () => {
  const pc = await createComputer({ [`${autostart}/huge`]: entry('tool') });
  truncateSync(pc.in(`${autostart}/huge`), 60_000_000);
  for (let n = 0; n < 100; n++) await symlink('huge', pc.in(`${autostart}/${n}.desktop`));
  const before = bytesRead();
  expect((await pc.scan()).start_up).toHaveLength(100);
  expect(bytesRead() - before).toBeLessThan(100 * 300_000);
});

it('a symbolic link that leads out of the home is not followed, one inside is', async () => {
  const pc = await createComputer({
    'home/bob/secret.desktop': entry('bob'),
    'home/bob/units/other.service': '[Service]\nExecStart=/bob\n',
    'home/ann/own.desktop': entry('ann'),
  });
  await symlink(pc.in('home/bob/secret.desktop'), pc.in(`${autostart}/a.desktop`));
  await symlink('../../own.desktop', pc.in(`${autostart}/b.desktop`));
  await mkdir(pc.in('home/ann/.config/systemd'));
  await symlink(pc.in('home/bob/units'), pc.in('home/ann/.config/systemd/user'));
  const { start_up, services } = await pc.scan();
  expect([start_up.map(({ command }) => command), services]).toEqual([['ann'], []]);
});

it('a pipe among the start-up entries does not block the scan', async () => {
  const pc = await createComputer({ [`${autostart}/b.desktop`]: entry('tool') });
  execFileSync('mkfifo', [pc.in(`${autostart}/a.desktop`)]);
  expect((await pc.scan()).start_up).toMatchObject([{ command: 'tool' }]);
});

it('of a folder with 501 start-up entries 500 are read', async () => {
  const pc = await createComputer();
  for (let n = 0; n < 501; n++) await pc.write(`${autostart}/${n}.desktop`, entry('tool'));
  expect((await pc.scan()).start_up).toHaveLength(500);
});
