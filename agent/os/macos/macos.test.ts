import { type ChildProcess, spawn } from 'node:child_process';
import { chownSync, copyFileSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { agentForTest, serverForTest, temporaryFolder } from '../../testing/agent.ts';
import { fakeMac } from '../../testing/mac-native.ts';
import { until } from '../../testing/until.ts';
import type { ProcessSeen } from '../port.ts';
import { macos } from './macos.ts';

/** Copies /bin/sleep under this name, optionally into an app bundle. */
async function copyProgram(name: string, bundle?: string): Promise<string> {
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
const waitForEnd = (child: ChildProcess) => until('the end', () => child.signalCode ?? child.exitCode !== null);
const createMac = () => macos(fakeMac(), { root: true });

describe('a Mac', () => {
  test('on a Mac running and starting programs are observed with their bundle’s data', async () => {
    const runningChild = run(await copyProgram('Helper', 'com.example.helper'));
    const seenProcesses: ProcessSeen[] = [];
    const watch = createMac().watchProcesses(20, (processes) => void seenProcesses.push(...processes));
    onTestFinished(() => watch.close());
    const findProcess = (child: { pid: number }) =>
      until('the program', () => seenProcesses.find(({ pid, path }) => pid === child.pid && !path.endsWith('node')));
    expect((await findProcess(runningChild)).program).toMatchObject({ os: 'macos', name: 'Helper', bundle_id: 'com.example.helper' });
    const laterChild = run(await copyProgram('Other Tool'));
    const foundProcess = await findProcess(laterChild);
    expect(foundProcess.program).toMatchObject({ os: 'macos', name: 'Other Tool', path: foundProcess.path });
    expect(foundProcess.program).not.toHaveProperty('bundle_id');
    expect(seenProcesses.filter(({ pid, path }) => pid === laterChild.pid && path === foundProcess.path)).toHaveLength(1);
  });

  test('on a Mac ending a program ends its children and nothing else', async () => {
    const os = createMac();
    const shell = await copyProgram('Tool');
    copyFileSync('/bin/sh', shell);
    const tool = run(shell, ['-c', 'sleep 61 & sleep 62 & wait']);
    const bystander = run(await copyProgram('Bystander'));
    const native = fakeMac();
    const children = () => native.pids().filter((pid) => native.process(pid)?.ppid === tool.pid);
    await until('the children', () => children().length === 2);
    const startTime = native.process(tool.pid)?.started ?? '';
    const [target] = [{ pid: tool.pid, started: startTime, path: shell, program: { os: 'macos' as const, name: 'Tool' } }];
    const childPids = children();
    // A process with another start time reused the pid and is left alone.
    expect(await os.endTree({ ...target, started: '1' })).toBe(true);
    expect(os.isRunning(target)).toBe(true);
    expect(await os.endTree(target)).toBe(true);
    await waitForEnd(tool);
    expect(os.isRunning(target)).toBe(false);
    for (const pid of childPids) await until('a child to end', () => native.process(pid)?.zombie !== false);
    expect(bystander.signalCode).toBeNull();
  });

  test('A8: on a Mac the path of a process that cannot be ended is reported, and the rest of its tree is ended', async () => {
    const shell = '/bin/sh';
    const tool = run(shell, ['-c', 'sleep 61 & sleep 62 & wait']);
    const native = fakeMac();
    const children = () => native.pids().filter((pid) => native.process(pid)?.ppid === tool.pid);
    await until('the children', () => children().length === 2);
    const [protectedPid = 0, otherPid = 0] = children();
    const os = macos({ ...native, signal: (pid, name) => pid !== protectedPid && native.signal(pid, name) }, { root: true });
    const calls: string[] = [];
    const callbacks = { suspended: () => void calls.push('suspended'), remains: (paths: string[]) => void calls.push(...paths) };
    const { started = '' } = native.process(tool.pid) ?? {};
    expect(
      await os.endTree({ pid: tool.pid, started, path: '/Applications/Tool', program: { os: 'macos', name: 'Tool' } }, callbacks),
    ).toBe(false);
    await waitForEnd(tool);
    await until('the other child to end', () => native.process(otherPid)?.zombie !== false);
    expect(native.process(protectedPid)?.zombie).toBe(false);
    expect(calls).toEqual(['suspended', native.path(protectedPid)]);
    process.kill(protectedPid, 'SIGKILL');
  });

  test('on a Mac system processes, this process and its parents are never ended', async () => {
    const os = createMac();
    const native = fakeMac();
    for (const pid of [1, process.pid, process.ppid]) {
      const { started = '' } = native.process(pid) ?? {};
      expect(await os.endTree({ pid, started, path: '/x', program: { os: 'macos', name: 'x' } })).toBe(false);
    }
    const child = run(await copyProgram('launchd'));
    const { started = '' } = native.process(child.pid) ?? {};
    for (const path of ['/System/Library/CoreServices/Dock.app/Contents/MacOS/Dock', '/usr/libexec/x', '/sbin/launchd', '/bin/sh'])
      expect(await os.endTree({ pid: child.pid, started, path, program: { os: 'macos', name: 'x' } })).toBe(false);
    expect(child.signalCode).toBeNull();
    expect(await os.endTree({ pid: child.pid, started, path: '/usr/local/bin/x', program: { os: 'macos', name: 'x' } })).toBe(true);
  });

  test('on a Mac a renamed program is recognized by its bundle identifier, ended and reported', async () => {
    const server = await serverForTest();
    const bundle = `com.example.${Date.now()}`;
    const [anydesk] = server.definitions.definitions.filter(({ identifier }) => identifier === 'anydesk');
    if (!anydesk) throw new Error('the catalogue has no AnyDesk');
    // Matches only the bundle identifier, since a real AnyDesk may run here.
    server.setDefinitions({ definitions: [{ ...anydesk, programs: { ...anydesk.programs, names: [], bundle_ids: [bundle] } }] });
    const agent = await agentForTest(server, { os: createMac() });
    await agent.linked();
    const child = run(await copyProgram('Holiday Photos', bundle));
    await waitForEnd(child);
    expect(child.signalCode).toBe('SIGKILL');
    await until('the report', () => server.sent.length > 0);
    expect(server.sent[0]).toMatchObject({ identifier: 'anydesk', blocked: true, certainty: 'certain' });
  });

  test('on a Mac a shutdown is recognised only by the kernel’s flag', async () => {
    for (const [output, isShuttingDown] of [
      ['1\n', true],
      ['0\n', false],
      ['', false],
    ] as const)
      expect(
        await macos(
          fakeMac(() => ({ out: output })),
          { root: true },
        ).shuttingDown(),
      ).toBe(isShuttingDown);
  });

  test('on a Mac a page is shown through a file that only the user at the screen can read, and not while nobody is logged in', async () => {
    const folder = await temporaryFolder();
    const screenFiles = { console: join(folder, 'console'), show: join(folder, 'show'), dnsFile: join(folder, 'names.json') };
    const native = fakeMac();
    const os = macos(native, { root: true, paths: screenFiles });
    const url = 'http://127.0.0.1:23407/ui/?t=x';
    expect(await os.openWindow(url)).toBe(false);
    writeFileSync(screenFiles.console, '');
    if (statSync(screenFiles.console).uid === 0) {
      expect(await os.openWindow(url)).toBe(false);
      chownSync(screenFiles.console, 501, 20);
    }
    const { uid } = statSync(screenFiles.console);
    expect(native.ran).toEqual([]);
    expect(await os.openWindow(url)).toBe(true);
    expect(native.ran).toEqual([`/bin/launchctl print gui/${uid}/example.porchlight.window`]);
    expect(readFileSync(screenFiles.show, 'utf8')).toBe(`${url}\n`);
    expect(statSync(screenFiles.show)).toMatchObject({ uid });
    expect(statSync(screenFiles.show).mode & 0o777).toBe(0o600);
    expect(existsSync(`${screenFiles.show}.new`)).toBe(false);
  });

  test.each([
    ['is shown in their session by launchd, as them', 0, true],
    ['is not shown when that fails too', 1, false],
  ])('on a Mac without the per-user launchd agent of the user at the screen, a page %s', async (_result, code, isShown) => {
    const folder = await temporaryFolder();
    const screenFiles = { console: join(folder, 'console'), show: join(folder, 'show'), dnsFile: join(folder, 'names.json') };
    writeFileSync(screenFiles.console, '');
    if (statSync(screenFiles.console).uid === 0) chownSync(screenFiles.console, 501, 20);
    const { uid } = statSync(screenFiles.console);
    const native = fakeMac((line) => ({ code: line.includes(' print ') ? 113 : code }));
    const url = 'http://127.0.0.1:23407/ui/?t=x';
    expect(await macos(native, { root: true, paths: screenFiles }).openWindow(url)).toBe(isShown);
    expect(native.ran.at(-1)).toBe(`/bin/launchctl asuser ${uid} /usr/bin/sudo -u #${uid} /usr/bin/osascript -`);
    expect(existsSync(screenFiles.show)).toBe(false);
  });

  test('on a Mac an agent started by hand opens a page itself', async () => {
    const native = fakeMac();
    expect(await macos(native, { root: false }).openWindow('http://127.0.0.1:1/ui/')).toBe(true);
    expect(native.ran).toEqual(['/usr/bin/osascript -']);
  });

  test('on a Mac without root access the limitations are listed', () => {
    expect(macos(fakeMac(), { root: false }).limitations()).toEqual([expect.stringContaining('Without root')]);
    expect(createMac().limitations()).toEqual([]);
  });
});
