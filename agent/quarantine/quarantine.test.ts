import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import {
  access,
  appendFile,
  chmod,
  chown,
  link,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { stampAt } from '../lib/stamp.ts';
import { temporaryFolder } from '../testing/agent.ts';
import { fakeSystem } from '../testing/fake-os.ts';
import { openQuarantine } from './quarantine.ts';

const whose = { identifier: 'anydesk', name: 'AnyDesk', category: 'RemoteControl', certainty: 'certain' } as const;
const exists = (path: string) =>
  access(path, constants.F_OK).then(
    () => true,
    () => false,
  );

async function set() {
  const above = await temporaryFolder();
  const [folder, place, clock, os] = [
    join(above, 'quarantine'),
    join(above, 'Downloads'),
    { now: new Date(), up: 1_000_000 },
    fakeSystem(),
  ];
  await mkdir(place);
  const open = () => openQuarantine(folder, os, () => ({ wall: clock.now.getTime(), up: clock.up, boot: 'first' }));
  const file = async (name = 'AnyDesk', content: string | Buffer = '\x7fELF bad', mode = 0o755) => {
    const path = join(place, name);
    await writeFile(path, content);
    await chmod(path, mode);
    return path;
  };
  return { folder, place, clock, os, open, file, quarantine: await open() };
}
const uuidOf = (outcome: Awaited<ReturnType<Awaited<ReturnType<typeof openQuarantine>>['takeFile']>>) => {
  if (!outcome.done) throw new Error(outcome.why);
  return outcome.uuid;
};

it.each([0o755, 0o4755, 0o600, 0o2711])(
  '[P4.1] quarantine makes a file impossible to start, and restoring returns the same bytes with ordinary permissions (%o)',
  async (mode) => {
    const { folder, file, quarantine } = await set();
    const content = Buffer.from(Array.from({ length: 300_000 }, (_, at) => at % 251));
    const path = await file('AnyDesk', content, mode);
    await utimes(path, 1_700_000_000, 1_700_000_000);
    const statBefore = await stat(path);
    const uuid = uuidOf(await quarantine.takeFile({ path, stamp: (await stampAt(path)) ?? '' }, whose));

    expect(await exists(path)).toBe(false);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    expect((await stat(join(folder, `${uuid}.held`))).mode & 0o7777).toBe(0o600);
    expect(await quarantine.quarantined()).toMatchObject([
      { uuid, kind: 'file', path, mode, uid: statBefore.uid, gid: statBefore.gid, name: 'AnyDesk' },
    ]);

    expect(await quarantine.undo(uuid)).toEqual({ done: true, uuid });
    expect((await readFile(path)).equals(content)).toBe(true);
    const { mode: restoredMode, uid, gid, mtimeMs } = await stat(path);
    expect({ mode: restoredMode, uid, gid, mtimeMs }).toEqual({
      mode: statBefore.mode & ~0o7000,
      uid: statBefore.uid,
      gid: statBefore.gid,
      mtimeMs: statBefore.mtimeMs,
    });
    expect(await readdir(folder)).toEqual([]);
    expect(await quarantine.undo(uuid)).toEqual({ done: false, why: 'gone' });
  },
);

it('a restored file keeps its owner where the agent may set the owner', async ({ skip }) => {
  if (process.getuid?.() !== 0) {
    console.warn('needs root: whose file it is can be changed by root alone');
    skip();
  }
  const { file, quarantine } = await set();
  const path = await file('AnyDesk', 'x', 0o4755);
  await chown(path, 1234, 4321);
  await chmod(path, 0o4755);
  await quarantine.undo(uuidOf(await quarantine.takeFile({ path }, whose)));
  expect(await stat(path)).toMatchObject({ uid: 1234, gid: 4321, mode: 0o100755 });
});

it("A1: quarantine restores a user's file in their own folder as theirs, without special permissions, and refuses root's file there", async ({
  skip,
}) => {
  if (process.getuid?.() !== 0) {
    console.warn('needs root: whose file it is can be changed by root alone');
    skip();
  }
  const { place, folder, file, quarantine } = await set();
  const [userFile, rootFile] = [await file('AnyDesk', 'mine', 0o6755), await file('TeamViewer', 'root’s', 0o600)];
  await chmod(join(place, '..'), 0o755);
  for (const path of [place, userFile]) await chown(path, 65_534, 65_534);
  await chmod(userFile, 0o6755);
  expect(await quarantine.takeFile({ path: rootFile }, whose)).toEqual({ done: false, why: 'refused' });
  const uuid = uuidOf(await quarantine.takeFile({ path: userFile }, whose));
  expect([await readdir(place), (await stat(join(folder, `${uuid}.held`))).uid]).toEqual([['TeamViewer'], 0]);
  expect(await quarantine.undo(uuid)).toEqual({ done: true, uuid });
  expect(await stat(userFile)).toMatchObject({ uid: 65_534, gid: 65_534, mode: 0o100755, nlink: 1 });
  expect([await readFile(userFile, 'utf8'), await readdir(folder)]).toEqual(['mine', []]);

  // The folder has another owner by then, who must not receive the former owner's file.
  const secondUuid = uuidOf(await quarantine.takeFile({ path: userFile }, whose));
  await chown(place, 1234, 1234);
  expect(await quarantine.undo(secondUuid)).toEqual({ done: false, why: 'protected' });
  expect(await readdir(place)).toEqual(['TeamViewer']);
});

it('quarantine copies a file across file systems and back', async ({ skip }) => {
  const otherFileSystem = '/dev/shm';
  const { folder, file, quarantine } = await set();
  if (!(await exists(otherFileSystem)) || (await stat(otherFileSystem)).dev === (await stat(folder)).dev) {
    console.warn('needs a second file system at /dev/shm');
    skip();
  }
  const testFolder = join(otherFileSystem, `porchlight-${process.pid}`);
  await mkdir(testFolder);
  onTestFinished(() => rm(testFolder, { recursive: true, force: true }));
  const path = join(testFolder, 'AnyDesk');
  await rename(await file(), path).catch(async () => writeFile(path, '\x7fELF bad', { mode: 0o751 }));
  await chmod(path, 0o751);
  const uuid = uuidOf(await quarantine.takeFile({ path }, whose));
  expect([await exists(path), await readdir(testFolder)]).toEqual([false, []]);
  await quarantine.undo(uuid);
  expect(await readFile(path, 'latin1')).toBe('\x7fELF bad');
  expect((await stat(path)).mode & 0o7777).toBe(0o751);
  expect([await readdir(testFolder), await readdir(folder)]).toEqual([['AnyDesk'], []]);
});

it('another hard link to a quarantined file stays unchanged', async () => {
  const { place, file, quarantine } = await set();
  const path = await file();
  const secondLink = join(place, 'second');
  await link(path, secondLink);
  const uuid = uuidOf(await quarantine.takeFile({ path }, whose));
  expect([await exists(path), (await stat(secondLink)).mode & 0o777]).toEqual([false, 0o755]);
  await quarantine.undo(uuid);
  expect(await readFile(path, 'latin1')).toBe('\x7fELF bad');
});

it('quarantine leaves a file that changed since the scan, with the reason', async () => {
  const { file, quarantine } = await set();
  const path = await file();
  const stamp = (await stampAt(path)) ?? '';
  await appendFile(path, 'more');
  expect(await quarantine.takeFile({ path, stamp }, whose)).toEqual({ done: false, why: 'changed' });
  expect(await quarantine.takeFile({ path, sha256: '0'.repeat(64) }, whose)).toEqual({ done: false, why: 'changed' });
  expect([await exists(path), (await stat(path)).mode & 0o777, await quarantine.quarantined()]).toEqual([true, 0o755, []]);
});

it('quarantine follows no links and accepts only regular files', async () => {
  const { folder, place, file, quarantine } = await set();
  const path = await file('letter');
  await symlink(path, join(place, 'AnyDesk'));
  await mkdir(join(place, 'real'));
  await writeFile(join(place, 'real', 'AnyDesk'), 'x');
  await symlink(join(place, 'real'), join(place, 'linked'));
  execFileSync('sh', ['-c', 'mkfifo "$0"', join(place, 'pipe')]);
  for (const name of ['AnyDesk', 'linked/AnyDesk', 'real', 'pipe']) {
    expect([name, await quarantine.takeFile({ path: join(place, name) }, whose)]).toEqual([name, { done: false, why: 'protected' }]);
  }
  expect(await quarantine.takeFile({ path: join(place, 'nothing') }, whose)).toEqual({ done: false, why: 'gone' });
  expect([await readFile(path, 'latin1'), await readdir(folder)]).toEqual(['\x7fELF bad', []]);
});

it('restoring never overwrites, follows a link, or restores changed content', async () => {
  const { folder, place, file, quarantine } = await set();
  const path = await file();
  const uuid = uuidOf(await quarantine.takeFile({ path }, whose));
  await file('AnyDesk', 'mine');
  expect(await quarantine.undo(uuid)).toEqual({ done: false, why: 'place_taken' });
  expect([await readFile(path, 'utf8'), await readdir(place)]).toEqual(['mine', ['AnyDesk']]);
  expect((await stat(join(folder, `${uuid}.held`))).mode & 0o777).toBe(0o600);

  await rename(place, `${place}-real`);
  await symlink(`${place}-real`, place);
  expect(await quarantine.undo(uuid)).toEqual({ done: false, why: 'protected' });
  await rm(place);
  expect(await quarantine.undo(uuid)).toEqual({ done: false, why: 'gone' });

  await mkdir(place);
  await appendFile(join(folder, `${uuid}.held`), 'worse');
  expect(await quarantine.undo(uuid)).toEqual({ done: false, why: 'damaged' });
  expect([await readdir(place), (await quarantine.quarantined()).length]).toEqual([[], 1]);
});

it('quarantine refuses files of the system', async () => {
  const { quarantine } = await set();
  // Paths that do not exist, so that a failing test cannot remove a system file.
  const none = `porchlight-nothing-${randomUUID()}`;
  for (const path of [`/usr/bin/${none}`, `/etc/${none}`, `/proc/self/${none}`, none, `/tmp/../etc/${none}`, `C:\\Windows\\${none}`]) {
    expect([path, await quarantine.takeFile({ path }, whose)]).toEqual([path, { done: false, why: 'protected' }]);
  }
  expect(await quarantine.takeFile({ path: `/tmp/${none}` }, whose)).toEqual({ done: false, why: 'gone' });
});

it('a crontab line is removed and restored in place', async () => {
  const { place, quarantine } = await set();
  const file = join(place, 'tab');
  const line = '@reboot /home/ann/AnyDesk --tray';
  const content = `# mine\n${line}\n5 4 * * * /bin/true\n`;
  await writeFile(file, content, { mode: 0o640 });
  const outcome = await quarantine.takeStartUp({ name: 'x', command: 'x', place: { file, line } }, whose);
  expect(await readFile(file, 'utf8')).toBe('# mine\n5 4 * * * /bin/true\n');
  expect((await stat(file)).mode & 0o777).toBe(0o640);
  expect(await quarantine.takeStartUp({ name: 'x', command: 'x', place: { file, line } }, whose)).toEqual({ done: false, why: 'gone' });
  await quarantine.undo(uuidOf(outcome));
  expect([await readFile(file, 'utf8'), await readdir(place)]).toEqual([content, ['tab']]);
});

it('a service and a start-up value are disabled and restored', async () => {
  const { os, quarantine } = await set();
  os.services.set('anydesk.service', { running: true, enabled: true });
  os.services.set('idle.service', { running: false, enabled: false });
  const place = { key: 'HKLM\\Run', value: 'AnyDesk' };
  os.values.set('HKLM\\Run\\AnyDesk', 'C:\\AnyDesk.exe');
  const service = uuidOf(await quarantine.stopService({ name: 'anydesk.service' }, whose));
  const value = uuidOf(await quarantine.takeStartUp({ name: 'AnyDesk', command: 'C:\\AnyDesk.exe', place }, whose));
  expect([os.services.get('anydesk.service'), os.values.size]).toEqual([{ running: false, enabled: false }, 0]);
  for (const name of ['idle.service', 'no.service'])
    expect(await quarantine.stopService({ name }, whose)).toEqual({ done: false, why: 'gone' });

  os.values.set('HKLM\\Run\\AnyDesk', 'C:\\other.exe');
  expect(await quarantine.undo(value)).toEqual({ done: false, why: 'place_taken' });
  os.values.clear();
  os.refusesToEnd = true;
  expect(await quarantine.undo(service)).toEqual({ done: false, why: 'refused' });
  os.refusesToEnd = false;
  expect(await Promise.all([quarantine.undo(service), quarantine.undo(value)])).toMatchObject([{ done: true }, { done: true }]);
  expect(os.services.get('anydesk.service')).toEqual({ running: true, enabled: true });
  expect(os.values.get('HKLM\\Run\\AnyDesk')).toBe('C:\\AnyDesk.exe');
});

it('quarantined files are deleted after 30 days and not before', async () => {
  const { folder, file, clock, quarantine } = await set();
  await quarantine.takeFile({ path: await file() }, whose);
  clock.up += 30 * 24 * 3_600_000 - 1;
  await quarantine.deleteOld();
  expect(await quarantine.quarantined()).toHaveLength(1);
  clock.up += 1;
  await quarantine.deleteOld();
  expect(await readdir(folder)).toEqual([]);
});

it('after a crash at any point the next start finishes the quarantine', async () => {
  const { folder, file, open, quarantine } = await set();
  const path = await file();
  const uuid = uuidOf(await quarantine.takeFile({ path }, whose));
  const [manifest, content] = [join(folder, `${uuid}.json`), join(folder, `${uuid}.held`)];
  const entry = JSON.parse(await readFile(manifest, 'utf8')) as object;
  const writeState = async (state: string) => writeFile(manifest, JSON.stringify({ ...entry, state }));

  // The copy was moved, but the removal not yet recorded; the permissions are still the old ones.
  await writeState('taking');
  await chmod(content, 0o755);
  expect(await (await open()).quarantined()).toHaveLength(1);
  expect((await stat(content)).mode & 0o777).toBe(0o600);
  await writeState('undoing');
  expect(await (await open()).quarantined()).toEqual([]);
  expect([await readFile(path, 'latin1'), (await stat(path)).mode & 0o777, await readdir(folder)]).toEqual(['\x7fELF bad', 0o755, []]);
  await writeState('undoing');
  await link(path, content);
  await (await open()).quarantined();
  expect([await exists(path), await readdir(folder)]).toEqual([true, []]);
  // The quarantine was recorded but not begun: the partial copy is deleted.
  await writeState('taking');
  await writeFile(join(folder, `${uuid}.part`), 'ha');
  await (await open()).quarantined();
  expect([await readFile(path, 'latin1'), await readdir(folder)]).toEqual(['\x7fELF bad', []]);
  // The copy differs from the scanned file: nothing is removed, and the copy stays.
  await writeState('taking');
  await writeFile(content, 'other');
  expect(await (await open()).quarantined()).toHaveLength(1);
  expect([await readFile(path, 'latin1'), await readFile(content, 'utf8')]).toEqual(['\x7fELF bad', 'other']);
});
