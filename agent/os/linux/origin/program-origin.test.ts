import { execFileSync } from 'node:child_process';
import { copyFileSync, linkSync, mkdirSync, readlinkSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../testing/agent.ts';
import { ready, run } from '../../../testing/programs.ts';
import { until } from '../../../testing/until.ts';
import type { LinuxOrigin } from './program-origin.ts';
import { computer, internet, isRoot } from './trial-computer.ts';

if (!isRoot) console.log('skipped: only root can set trusted attributes and change the owner of files');

/** The origin of a running copy of `sleep`. */
async function originOf(origin: LinuxOrigin, file: string) {
  const child = run(file, ['60']);
  const found = origin.of(await ready(child.pid, file));
  child.kill('SIGKILL');
  return found;
}

/** A test closes the watch of the downloads before it reads marks alone: only `since: null` leaves no other evidence. */
const byMarksAlone = { since: null };

describe.each([
  ['crdownload', 'Chromium'],
  ['part', 'Firefox'],
])('a download that has the ending .%s until %s finishes it', (ending) => {
  it('is from the internet after it was moved elsewhere and after a restart, and a program beside it is not', async () => {
    const { start, program, home } = await computer(await temporaryFolder());
    const origin = await start();
    const temporary = program(`Downloads/tool.${ending}`);
    renameSync(temporary, join(home, 'Downloads/tool'));
    await origin.refresh();
    renameSync(join(home, 'Downloads/tool'), join(home, 'bin/tool'));
    const other = program('bin/other');
    expect(await originOf(origin, join(home, 'bin/tool'))).toMatchObject({ file: join(home, 'bin/tool'), origin: internet });
    expect(await originOf(origin, other)).toMatchObject({ file: other, origin: { from: 'unknown' } });
    origin.close();
    const again = await start(byMarksAlone);
    expect((await originOf(again, join(home, 'bin/tool')))?.origin).toEqual(internet);
    expect((await originOf(again, other))?.origin).toEqual({ from: 'unknown' });
  });
});

describe('download folders', () => {
  it('a download is marked by its event, without a scan', async () => {
    const { start, program, home } = await computer(await temporaryFolder());
    const origin = await start();
    const file = program('Downloads/tool');
    const copy = join(home, 'bin/tool');
    // A hard link has the mark of the file, and no download folder.
    linkSync(file, copy);
    await until('the mark', async () => (await originOf(origin, copy))?.origin.from === 'internet');
  });

  it('where the file system has no attributes, marks are stored and survive a restart', async () => {
    const { start, program, home } = await computer(await temporaryFolder());
    const origin = await start({ attributes: null });
    program('Downloads/tool');
    const other = program('bin/other');
    await origin.refresh();
    renameSync(join(home, 'Downloads/tool'), join(home, 'bin/tool'));
    origin.close();
    const again = await start({ attributes: null, ...byMarksAlone });
    expect((await originOf(again, join(home, 'bin/tool')))?.origin).toEqual(internet);
    expect((await originOf(again, other))?.origin).toEqual({ from: 'unknown' });
  });

  it('damaged stored marks are reported, and new ones are stored', async () => {
    const { start, program, root, home, errors } = await computer(await temporaryFolder());
    writeFileSync(join(root, 'state/origins.json'), '[{');
    const origin = await start({ attributes: null });
    expect(errors).toHaveLength(1);
    program('Downloads/tool');
    await origin.refresh();
    renameSync(join(home, 'Downloads/tool'), join(home, 'bin/tool'));
    const again = await start({ attributes: null, ...byMarksAlone });
    expect((await originOf(again, join(home, 'bin/tool')))?.origin).toEqual(internet);
    expect(errors).toHaveLength(1);
  });

  it.each([
    ['while the agent did not run', 0, internet],
    ['before the agent was first started', 60_000, { from: 'unknown' }],
  ])('a file that arrived %s is from the internet or not by its time of birth', async (_when, offset, expected) => {
    const { start, program, home } = await computer(await temporaryFolder());
    const file = program('Downloads/tool');
    const origin = await start(offset ? { since: Date.now() + offset } : {});
    expect((await originOf(origin, file))?.origin).toEqual(expected);
    renameSync(file, join(home, 'bin/tool'));
    expect((await originOf(origin, join(home, 'bin/tool')))?.origin).toEqual(expected);
  });

  it('a program that was started before its event was read is from the internet', async () => {
    const { start, program, home } = await computer(await temporaryFolder());
    const origin = await start();
    const file = program('Downloads/tool');
    const child = run(file, ['60']);
    expect(origin.of({ pid: child.pid, path: file })?.origin).toEqual(internet);
    // The mark was set meanwhile.
    renameSync(file, join(home, 'bin/tool'));
    expect(origin.of({ pid: child.pid, path: file })).toMatchObject({ file: join(home, 'bin/tool'), origin: internet });
  });

  it('files that an archive program extracts below a download folder are from the internet, deeper ones are not', async () => {
    const { start, program, folder } = await computer(await temporaryFolder());
    const origin = await start();
    folder('Downloads/a/b/c/d');
    const [near, far] = [program('Downloads/a/b/c/tool'), program('Downloads/a/b/c/d/tool')];
    expect((await originOf(origin, near))?.origin).toEqual(internet);
    expect((await originOf(origin, far))?.origin).toEqual({ from: 'unknown' });
  });

  it('a file in a new folder is marked by events', async () => {
    const { start, program, folder, home } = await computer(await temporaryFolder());
    const origin = await start();
    folder('Downloads/a/b');
    linkSync(program('Downloads/a/b/tool'), join(home, 'bin/tool'));
    await until('the mark', async () => (await originOf(origin, join(home, 'bin/tool')))?.origin.from === 'internet');
  });

  it('the folders of user-dirs and a download folder that is created later are watched, the home is not', async () => {
    const { start, program, folder, text, home } = await computer(await temporaryFolder());
    folder('.config');
    text('.config/user-dirs.dirs', 'XDG_DOWNLOAD_DIR="$HOME/Herunterladen"\nXDG_DESKTOP_DIR="$HOME"\n');
    const origin = await start();
    folder('Herunterladen');
    folder('Desktop');
    await origin.refresh();
    const [configured, desktop, direct] = [program('Herunterladen/tool'), program('Desktop/tool'), program('tool')];
    expect((await originOf(origin, configured))?.origin).toEqual(internet);
    expect((await originOf(origin, desktop))?.origin).toEqual(internet);
    expect((await originOf(origin, direct))?.origin).toEqual({ from: 'unknown' });
    expect(home).toBe(dirname(direct));
  });

  it('a symbolic link, a pipe and a folder in a download folder are not marked, and block nothing', async () => {
    const { start, program, home } = await computer(await temporaryFolder());
    const target = program('bin/target');
    symlinkSync(target, join(home, 'Downloads/link'));
    execFileSync('mkfifo', [join(home, 'Downloads/pipe')]);
    const origin = await start();
    symlinkSync(target, join(home, 'Downloads/later'));
    const file = program('Downloads/tool');
    linkSync(file, join(home, 'bin/tool'));
    // Events come in order.
    await until('the mark', async () => (await originOf(origin, join(home, 'bin/tool')))?.origin.from === 'internet');
    await origin.refresh();
    expect((await originOf(origin, target))?.origin).toEqual({ from: 'unknown' });
    expect((await originOf(origin, file))?.origin).toEqual(internet);
  });

  it.skipIf(!isRoot)('a hard link to the file of another user is not marked, the own file is', async () => {
    const { start, program, home, root } = await computer(await temporaryFolder());
    const foreign = join(root, 'foreign');
    copyFileSync('/bin/sleep', foreign);
    const origin = await start();
    linkSync(foreign, join(home, 'Downloads/foreign'));
    linkSync(program('bin/tool'), join(home, 'Downloads/tool'));
    await origin.refresh();
    expect((await originOf(origin, foreign))?.origin).toEqual({ from: 'local' });
    expect((await originOf(origin, join(home, 'Downloads/foreign')))?.origin).toEqual({ from: 'local' });
    expect((await originOf(origin, join(home, 'bin/tool')))?.origin).toEqual(internet);
  });

  it.skipIf(!isRoot)('a download folder that links to the folder of another user is not watched', async () => {
    const { start, home, root } = await computer(await temporaryFolder());
    rmSync(join(home, 'Downloads'), { recursive: true });
    mkdirSync(join(root, 'other'));
    symlinkSync(join(root, 'other'), join(home, 'Downloads'));
    const origin = await start();
    copyFileSync('/bin/sleep', join(root, 'other/tool'));
    await origin.refresh();
    expect((await originOf(origin, join(root, 'other/tool')))?.origin).toEqual({ from: 'local' });
  });
});

describe('ids', () => {
  it('the id of a file stays when it is renamed, and differs between copies', async () => {
    const { start, program, home } = await computer(await temporaryFolder());
    const origin = await start();
    const first = await originOf(origin, program('Downloads/tool'));
    renameSync(join(home, 'Downloads/tool'), join(home, 'bin/renamed'));
    expect((await originOf(origin, join(home, 'bin/renamed')))?.id).toBe(first?.id);
    expect((await originOf(origin, program('Downloads/tool')))?.id).not.toBe(first?.id);
  });

  it('a new file that has the inode of a deleted one has another id', async () => {
    const { start, program } = await computer(await temporaryFolder());
    const origin = await start();
    const ids = new Set<string | undefined>();
    for (let n = 0; n < 5; n++) {
      const file = program('Downloads/tool');
      ids.add((await originOf(origin, file))?.id);
      rmSync(file);
    }
    expect(ids.size).toBe(5);
  });
});

it('a process that has ended has no origin', async () => {
  const { start } = await computer(await temporaryFolder());
  const origin = await start();
  expect(origin.of({ pid: 2 ** 22 + 1, path: '/nothing' })).toBeNull();
});

it('[P15.3] a connection file is found from the folder of the process, through links, and has its own origin', async () => {
  const { start, text, folder, home } = await computer(await temporaryFolder());
  const origin = await start();
  const [sent, own] = [text('Downloads/sent.vnc', ''), text('bin/own.vnc', '')];
  symlinkSync(sent, join(folder('links'), 'linked.vnc'));
  await origin.refresh();
  const process = run('/bin/sh', ['-c', 'cd "$0" && exec sleep 60', home]);
  await until('its folder', () => readlinkSync(`/proc/${process.pid}/cwd`) === home);
  expect(origin.ofFile(process, 'Downloads/sent.vnc')).toMatchObject({ file: sent, origin: internet });
  expect(origin.ofFile(process, join(home, 'links/linked.vnc'))).toMatchObject({ file: sent, origin: internet });
  expect(origin.ofFile(process, 'bin/own.vnc')).toMatchObject({ file: own, origin: { from: 'unknown' } });
  expect(origin.ofFile(process, 'bin/missing.vnc')).toBeNull();
});
