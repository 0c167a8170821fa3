import { type ChildProcess, spawn } from 'node:child_process';
import { chownSync, copyFileSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { agentForTest, serverForTest, temporaryFolder } from '../../testing/agent.ts';
import { standInMac } from '../../testing/mac-native.ts';
import { until } from '../../testing/until.ts';
import type { ProcessSeen } from '../port.ts';
import { macos } from './macos.ts';

/** A program of this test alone: the one that is here, under another name, in a bundle of a Mac. */
async function program(name: string, bundle?: string): Promise<string> {
  const folder = await temporaryFolder();
  const path = bundle ? join(folder, `${name}.app`, 'Contents', 'MacOS', name) : join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  copyFileSync('/bin/sleep', path);
  const plist = `<plist version="1.0"><dict><key>CFBundleIdentifier</key><string>${bundle}</string></dict></plist>`;
  if (bundle) writeFileSync(join(dirname(dirname(path)), 'Info.plist'), plist);
  return path;
}
function run(path: string, args: string[] = ['60']): ChildProcess & { pid: number } {
  const child = spawn(path, args, { stdio: 'ignore' });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child as ChildProcess & { pid: number };
}
const ended = (child: ChildProcess) => until('the end', () => child.signalCode ?? child.exitCode !== null);
const mac = () => macos(standInMac(), { root: true });

describe('a Mac', () => {
  test('on a Mac running and starting programs are observed with their bundle’s data', async () => {
    const before = run(await program('Helper', 'com.example.helper'));
    const seen: ProcessSeen[] = [];
    const watch = mac().watchProcesses(20, (processes) => void seen.push(...processes));
    onTestFinished(() => watch.close());
    const find = (child: { pid: number }) =>
      until('the program', () => seen.find(({ pid, path }) => pid === child.pid && !path.endsWith('node')));
    expect((await find(before)).program).toMatchObject({ os: 'macos', name: 'Helper', bundle_id: 'com.example.helper' });
    const later = run(await program('Other Tool'));
    const found = await find(later);
    expect(found.program).toMatchObject({ os: 'macos', name: 'Other Tool', path: found.path });
    expect(found.program).not.toHaveProperty('bundle_id');
    // Told once.
    expect(seen.filter(({ pid, path }) => pid === later.pid && path === found.path)).toHaveLength(1);
  });

  test('on a Mac ending a program ends its children and nothing else', async () => {
    const os = mac();
    const shell = await program('Tool');
    copyFileSync('/bin/sh', shell);
    const tool = run(shell, ['-c', 'sleep 61 & sleep 62 & wait']);
    const bystander = run(await program('Bystander'));
    const native = standInMac();
    const children = () => native.pids().filter((pid) => native.process(pid)?.ppid === tool.pid);
    await until('the children', () => children().length === 2);
    const started = native.process(tool.pid)?.started ?? '';
    const [target] = [{ pid: tool.pid, started, path: shell, program: { os: 'macos' as const, name: 'Tool' } }];
    const below = children();
    // Another process that had this number before: nothing is done to this one.
    expect(await os.endTree({ ...target, started: '1' })).toBe(true);
    expect(os.isRunning(target)).toBe(true);
    expect(await os.endTree(target)).toBe(true);
    await ended(tool);
    expect(os.isRunning(target)).toBe(false);
    for (const pid of below) await until('a child to end', () => native.process(pid)?.zombie !== false);
    expect(bystander.signalCode).toBeNull();
  });

  test('A8: on a Mac the protected part of a tree is named and the rest ended', async () => {
    const shell = '/bin/sh';
    const tool = run(shell, ['-c', 'sleep 61 & sleep 62 & wait']);
    const native = standInMac();
    const children = () => native.pids().filter((pid) => native.process(pid)?.ppid === tool.pid);
    await until('the children', () => children().length === 2);
    const [kept = 0, other = 0] = children();
    const os = macos({ ...native, signal: (pid, name) => pid !== kept && native.signal(pid, name) }, { root: true });
    const said: string[] = [];
    const heard = { suspended: () => void said.push('suspended'), remains: (paths: string[]) => void said.push(...paths) };
    const { started = '' } = native.process(tool.pid) ?? {};
    expect(await os.endTree({ pid: tool.pid, started, path: '/Applications/Tool', program: { os: 'macos', name: 'Tool' } }, heard)).toBe(
      false,
    );
    await ended(tool);
    await until('the other child to end', () => native.process(other)?.zombie !== false);
    expect(native.process(kept)?.zombie).toBe(false);
    expect(said).toEqual(['suspended', native.path(kept)]);
    process.kill(kept, 'SIGKILL');
  });

  test('on a Mac system processes, this process and its parents are never ended', async () => {
    const os = mac();
    const native = standInMac();
    for (const pid of [1, process.pid, process.ppid]) {
      const { started = '' } = native.process(pid) ?? {};
      expect(await os.endTree({ pid, started, path: '/x', program: { os: 'macos', name: 'x' } })).toBe(false);
    }
    const child = run(await program('launchd'));
    const { started = '' } = native.process(child.pid) ?? {};
    for (const path of ['/System/Library/CoreServices/Dock.app/Contents/MacOS/Dock', '/usr/libexec/x', '/sbin/launchd', '/bin/sh'])
      expect(await os.endTree({ pid: child.pid, started, path, program: { os: 'macos', name: 'x' } })).toBe(false);
    expect(child.signalCode).toBeNull();
    expect(await os.endTree({ pid: child.pid, started, path: '/usr/local/bin/x', program: { os: 'macos', name: 'x' } })).toBe(true);
  });

  test('on a Mac a renamed program is ended by its bundle identifier, and reported', async () => {
    const server = await serverForTest();
    const bundle = `com.example.${Date.now()}`;
    const [first] = server.definitions.definitions.filter(({ identifier }) => identifier === 'anydesk');
    if (!first) throw new Error('the catalogue has no AnyDesk');
    // By nothing else: somebody may run a real one on this computer.
    server.setDefinitions({ definitions: [{ ...first, programs: { ...first.programs, names: [], bundle_ids: [bundle] } }] });
    const test = await agentForTest(server, { os: mac() });
    await test.linked();
    const child = run(await program('Holiday Photos', bundle));
    await ended(child);
    expect(child.signalCode).toBe('SIGKILL');
    await until('the report', () => server.sent.length > 0);
    expect(server.sent[0]).toMatchObject({ identifier: 'anydesk', blocked: true, certainty: 'certain' });
  });

  test('on a Mac a shutdown is recognised only by the kernel’s word', async () => {
    for (const [out, down] of [
      ['1\n', true],
      ['0\n', false],
      ['', false],
    ] as const)
      expect(
        await macos(
          standInMac(() => ({ out })),
          { root: true },
        ).shuttingDown(),
      ).toBe(down);
  });

  test('a page is shown through a file that only the person at the screen can read, and not while nobody is there', async () => {
    const folder = await temporaryFolder();
    const places = { console: join(folder, 'console'), show: join(folder, 'show'), names: join(folder, 'names.json') };
    const native = standInMac();
    const os = macos(native, { root: true, places });
    const url = 'http://127.0.0.1:23407/ui/?t=x';
    expect(await os.openWindow(url)).toBe(false);
    writeFileSync(places.console, '');
    if (statSync(places.console).uid === 0) {
      expect(await os.openWindow(url)).toBe(false);
      chownSync(places.console, 501, 20);
    }
    const { uid } = statSync(places.console);
    expect(native.ran).toEqual([]);
    expect(await os.openWindow(url)).toBe(true);
    expect(native.ran).toEqual([`/bin/launchctl print gui/${uid}/example.porchlight.window`]);
    expect(readFileSync(places.show, 'utf8')).toBe(`${url}\n`);
    expect(statSync(places.show)).toMatchObject({ uid });
    expect(statSync(places.show).mode & 0o777).toBe(0o600);
    expect(existsSync(`${places.show}.new`)).toBe(false);
  });

  test.each([
    ['is shown in their session by launchd, as them', 0, true],
    ['is not shown when that fails too', 1, false],
  ])('where nothing of ours runs for the person at the screen a page %s', async (_how, code, shown) => {
    const folder = await temporaryFolder();
    const places = { console: join(folder, 'console'), show: join(folder, 'show'), names: join(folder, 'names.json') };
    writeFileSync(places.console, '');
    if (statSync(places.console).uid === 0) chownSync(places.console, 501, 20);
    const { uid } = statSync(places.console);
    const native = standInMac((line) => ({ code: line.includes(' print ') ? 113 : code }));
    const url = 'http://127.0.0.1:23407/ui/?t=x';
    expect(await macos(native, { root: true, places }).openWindow(url)).toBe(shown);
    expect(native.ran.at(-1)).toBe(`/bin/launchctl asuser ${uid} /usr/bin/sudo -u #${uid} /usr/bin/osascript -`);
    expect(existsSync(places.show)).toBe(false);
  });

  test('an agent that was started by hand shows it itself', async () => {
    const native = standInMac();
    expect(await macos(native, { root: false }).openWindow('http://127.0.0.1:1/ui/')).toBe(true);
    expect(native.ran).toEqual(['/usr/bin/osascript -']);
  });

  test('without root it says what it cannot do', () => {
    expect(macos(standInMac(), { root: false }).limitations()).toEqual([expect.stringContaining('Without root')]);
    expect(mac().limitations()).toEqual([]);
  });
});
