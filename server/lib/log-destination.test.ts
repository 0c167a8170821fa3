import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { logDestination } from './log-destination.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'log-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** One megabyte with its newline. */
const megabyteOf = (sign: string) => `${sign.repeat(1024 * 1024 - 1)}\n`;
const firstSign = async (path: string) => (await readFile(path, 'utf8'))[0];

test('[P7.3] a log file is rotated at its size; so many older ones stay as were set, the newest as number 1, and those of others stay', async () => {
  const path = join(folder, 'logs', 'server.log');
  const log = logDestination({ path, max_mb: 1, older: 2 });
  await writeFile(join(folder, 'logs', 'server.log.old'), 'of the operator');
  for (const sign of ['a', 'b', 'c', 'd']) log.write(megabyteOf(sign));
  expect((await readdir(join(folder, 'logs'))).toSorted()).toEqual(['server.log', 'server.log.1', 'server.log.2', 'server.log.old']);
  expect(await Promise.all(['', '.1', '.2'].map((end) => firstSign(path + end)))).toEqual(['d', 'c', 'b']);
});

test('[P7.3] after a restart the log goes on in the same file, its size counts, and fewer older files stay where that is set', async () => {
  const path = join(folder, 'server.log');
  const settings = { path, max_mb: 1, older: 3 };
  for (const sign of ['a', 'b', 'c', 'd']) logDestination(settings).write(megabyteOf(sign));
  expect((await readdir(folder)).length).toBe(4);
  const later = logDestination({ ...settings, older: 1 });
  later.write('the next line\n');
  expect((await readdir(folder)).toSorted()).toEqual(['server.log', 'server.log.1']);
  expect(await readFile(path, 'utf8')).toBe('the next line\n');
});

test.skipIf(process.platform === 'win32')(
  '[P7.3] only the user of the server may read a log file and a folder that the server made for it',
  async () => {
    const path = join(folder, 'logs', 'server.log');
    const log = logDestination({ path, max_mb: 1, older: 1 });
    log.write(megabyteOf('a'));
    log.write('b\n');
    const modes = await Promise.all([join(folder, 'logs'), path, `${path}.1`].map(async (one) => (await stat(one)).mode & 0o777));
    expect(modes).toEqual([0o700, 0o600, 0o600]);
  },
);

test('[P7.3] a log file that cannot be written is refused with the name of the setting and with what to do', async () => {
  await writeFile(join(folder, 'a-file'), '');
  const path = join(folder, 'a-file', 'server.log');
  expect(() => logDestination({ path, max_mb: 1, older: 1 })).toThrow(
    `LOG_FILE is ${path}, and Porchlight cannot write there (EEXIST). Give its folder to the user who starts Porchlight, or set LOG_FILE to another file.`,
  );
});

test.skipIf(process.platform !== 'linux')('[P7.3] a full disk loses lines of the log and nothing else', () => {
  const log = logDestination({ path: '/dev/full', max_mb: 1, older: 1 });
  for (let n = 0; n < 3; n++) expect(() => log.write('a line\n')).not.toThrow();
});

const canMount =
  process.platform === 'linux' &&
  spawnSync('unshare', ['--mount', '--propagation', 'private', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).status === 0;

test.skipIf(!canMount)(
  '[P7.3] once a full disk has room again the log goes on with how many lines were lost, none of them glued to another',
  async () => {
    const source = fileURLToPath(new URL('./log-destination.ts', import.meta.url));
    const code = `
    const { logDestination } = await import(${JSON.stringify(source)});
    const { rmSync, writeFileSync, readFileSync } = await import('node:fs');
    const log = logDestination({ path: process.argv[1] + '/server.log', max_mb: 1, older: 1 });
    log.write('"first"\\n');
    writeFileSync(process.argv[1] + '/ballast', Buffer.alloc(400_000));
    for (let n = 0; n < 200; n++) log.write(JSON.stringify('x'.repeat(1000)) + '\\n');
    rmSync(process.argv[1] + '/ballast');
    log.write('"last"\\n');
    process.stdout.write(readFileSync(process.argv[1] + '/server.log', 'utf8'));`;
    const script = 'mount -t tmpfs -o size=500k tmpfs "$1" || exit 9; exec "$2" --input-type=module -e "$3" "$1"';
    const result = spawnSync('unshare', ['--mount', '--propagation', 'private', 'sh', '-c', script, '-', folder, process.execPath, code], {
      encoding: 'utf8',
    });
    expect([result.status, result.stderr]).toEqual([0, '']);
    const lines = result.stdout.trim().split('\n');
    expect([lines[0], lines.at(-1)]).toEqual(['"first"', '"last"']);
    const lost = JSON.parse(lines.at(-2) ?? '') as { lost: number; msg: string };
    expect(lost).toMatchObject({ msg: 'lines of this log were lost, because its file could not be written' });
    const whole = lines.filter((line) => line.length === 1002).length;
    expect(whole).toBeGreaterThan(10);
    expect(whole + lost.lost).toBe(200);
  },
);

test.skipIf(process.platform !== 'linux')('[P7.3] standard output on a full disk does not end the server', () => {
  const source = fileURLToPath(new URL('./log-destination.ts', import.meta.url));
  const code = `
    const { logDestination } = await import(${JSON.stringify(source)});
    const log = logDestination(null);
    for (let n = 0; n < 3_000; n++) log.write('x'.repeat(1000) + '\\n');
    setTimeout(() => process.stderr.write('still here'), 10);`;
  const { status, stderr } = spawnSync('sh', ['-c', 'exec "$1" --input-type=module -e "$2" > /dev/full', '-', process.execPath, code], {
    encoding: 'utf8',
  });
  expect([status, stderr]).toEqual([0, 'still here']);
});

test('[P7.3] a rotation that fails loses no line, and says so in the log', async () => {
  const path = join(folder, 'server.log');
  const log = logDestination({ path, max_mb: 1, older: 1 });
  log.write(megabyteOf('a'));
  await mkdir(`${path}.1`);
  log.write('b\n');
  const lines = (await readFile(path, 'utf8')).split('\n');
  expect(JSON.parse(lines[1] ?? '')).toMatchObject({ msg: 'this log could not be rotated, so its file goes on' });
  expect(lines.slice(2)).toEqual(['b', '']);
});

test.skipIf(process.platform === 'win32')(
  '[P7.3] a log file that another program has moved away is made again within seconds, and a file in its place goes on',
  async () => {
    const path = join(folder, 'server.log');
    let time = 0;
    const log = logDestination({ path, max_mb: 1, older: 1 }, () => time);
    log.write('one\n');
    time += 5_000;
    log.write('two\n');
    await rename(path, join(folder, 'moved'));
    time += 5_000;
    log.write('three\n');
    expect([await readFile(join(folder, 'moved'), 'utf8'), await readFile(path, 'utf8')]).toEqual(['one\ntwo\n', 'three\n']);
  },
);
