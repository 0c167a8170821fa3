import { execFile, spawnSync } from 'node:child_process';
import { chmod } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { idler, ready, run, runningFrom, stat } from '../../testing/programs.ts';
import { until } from '../../testing/until.ts';
import type { ProcessSeen } from '../port.ts';
import { endTree, isProtected, isSameProcess } from './end-tree.ts';
import { linux } from './linux.ts';
import { messages } from './messages.ts';
import { readChildren, readStat } from './proc.ts';
import { describeProcess } from './watch.ts';

it('ending a program kills its process, and ending it again succeeds', async () => {
  const file = await idler('AnyDesk-like');
  const child = run(file, ['60']);
  const target = await ready(child.pid, file);
  const os = linux({});
  expect(os.isRunning(target)).toBe(true);
  expect(await os.endTree(target)).toBe(true);
  expect(os.isRunning(target)).toBe(false);
  await until('its end', () => child.signalCode === 'SIGKILL');
  expect(await endTree(target)).toBe(true);
});

it('ending a program ends its children and nothing else', async () => {
  const file = await idler('AnyDesk-like');
  const bystander = run(file, ['60']);
  const shell = run('/bin/sh', ['-c', `${file} 60 & /bin/sh -c '${file} 60; true' & wait`]);
  const descendants = await until('the whole tree', () => {
    const children = readChildren(shell.pid) ?? [];
    const processes = [...children, ...children.flatMap((pid) => readChildren(pid) ?? [])].map(stat);
    return processes.filter(({ pid }) => describeProcess(stat(pid)).path === file).length === 2 ? processes : null;
  });
  expect(descendants).toHaveLength(3);
  expect(await endTree(stat(shell.pid))).toBe(true);
  expect(descendants.filter(isSameProcess)).toEqual([]);
  await until('the end of the first one', () => shell.signalCode === 'SIGKILL');
  expect(isSameProcess(await ready(bystander.pid, file))).toBe(true);
  expect(stat(bystander.pid).state).not.toBe('T');
});

it('the agent never ends its own process, its parent processes or process 1', async () => {
  for (const pid of [process.pid, process.ppid, 1]) {
    const protectedProcess = stat(pid);
    expect(isProtected(pid)).toBe(true);
    expect(await endTree(protectedProcess)).toBe(false);
    expect(isSameProcess(protectedProcess)).toBe(true);
    expect(stat(pid).state).not.toBe('T');
  }
});

it('a process that reuses the pid of an ended program is not ended', async () => {
  const file = await idler('AnyDesk-like');
  const child = run(file, ['60']);
  const target = await ready(child.pid, file);
  expect(await endTree({ ...target, started: String(Number(target.started) - 1) })).toBe(true);
  expect(isSameProcess(target)).toBe(true);
  expect(stat(child.pid).state).not.toBe('T');
});

it.each([
  ['ignores every request to end', (file: string) => ['/bin/sh', '-c', `trap '' TERM INT HUP; ${file} 60`]],
  ['has started something in a session of its own', (file: string) => ['/bin/sh', '-c', `setsid ${file} 60; true`]],
  ['has stopped what it started', (file: string) => ['/bin/sh', '-c', `${file} 60 & /bin/sleep 0.1; kill -STOP $!; wait`]],
])('a program that %s is ended with everything it started', async (_behavior, command) => {
  const file = await idler('AnyDesk-like');
  const [shell = '', ...args] = command(file);
  const child = run(shell, args);
  const expectedState = command(file).join(' ').includes('STOP') ? 'T' : 'S';
  await until('what it starts', () => runningFrom(file).some(({ pid }) => readStat(pid)?.state === expectedState));
  expect(await endTree(stat(child.pid))).toBe(true);
  expect(runningFrom(file)).toEqual([]);
});

it('a program that keeps forking is ended with all its children', async () => {
  const file = await idler('AnyDesk-like');
  for (let round = 0; round < 5; round++) {
    const child = run('/bin/sh', ['-c', `while :; do ${file} 60 & ${file} 0.001; done`]);
    await until('some of them', () => runningFrom(file).length > 5);
    expect(await endTree(stat(child.pid))).toBe(true);
    expect(runningFrom(file)).toEqual([]);
  }
});

it('ending a program also ends children that one of its threads started', async () => {
  const file = await idler('AnyDesk-like');
  const source = `new (require('worker_threads').Worker)("require('child_process').spawn('${file}', ['60'])", { eval: true })`;
  const child = run(process.execPath, ['-e', source]);
  await until('what it starts', () => runningFrom(file).length === 1);
  expect(await endTree(stat(child.pid))).toBe(true);
  expect(runningFrom(file)).toEqual([]);
});

const nobody = { uid: 65_534, gid: 65_534, env: {} };
const canBeNobody =
  process.getuid?.() === 0 && spawnSync(process.execPath, ['-e', `fs.readFileSync('${import.meta.filename}')`], nobody).status === 0;
if (!canBeNobody) console.log('Only root can start a program as nobody, and only from a folder that all may read: one test is skipped.');

it.skipIf(!canBeNobody)('an agent without root access neither ends nor suspends a program of root (the test needs root)', async () => {
  const file = await idler('AnyDesk-like');
  const child = run(file, ['60']);
  const target = await ready(child.pid, file);
  const { endings, limitations } = await endAsNobody(target);
  expect(endings).toBe(false);
  expect(limitations).toContain(messages.notRoot);
  expect(stat(child.pid).state).not.toBe('T');
});

it.skipIf(!canBeNobody)(
  'A8: when one process of a tree may not be ended, the other processes are ended and its name is reported (the test needs root)',
  async () => {
    const [file, rootFile] = [await idler('AnyDesk-like'), await idler('AnyDesk-of-root')];
    for (const folder of [dirname(file), dirname(rootFile)]) await chmod(folder, 0o755);
    const bystander = run(file, ['60'], nobody.uid);
    // A shell that starts a child as root, then becomes `nobody`.
    const shellCommand = `exec setpriv --reuid=${nobody.uid} --regid=${nobody.gid} --clear-groups /bin/sh -c '${file} 60 & wait'`;
    const shell = run('/bin/sh', ['-c', `${rootFile} 60 & ${shellCommand}`]);
    const rootChild = await until('the child that is root’s', () => runningFrom(rootFile)[0]);
    const child = await until('the other child', () => runningFrom(file).find(({ pid }) => pid !== bystander.pid));
    const { endings, remains } = await endAsNobody(stat(shell.pid));
    // The agent may not read the path of root's program, only its name.
    expect([endings, remains]).toEqual([false, ['AnyDesk-of-root']]);
    await until('the end of the first one', () => shell.signalCode === 'SIGKILL');
    expect([isSameProcess(child), isSameProcess(rootChild), stat(rootChild.pid).state !== 'T', isSameProcess(stat(bystander.pid))]).toEqual(
      [false, true, true, true],
    );
  },
);

it('A8: all processes of a tree are suspended before the first is ended', async () => {
  const file = await idler('AnyDesk-like');
  const shell = run('/bin/sh', ['-c', `${file} 60 & wait`]);
  const child = await until('the child', () => runningFrom(file)[0]);
  const states: (string | undefined)[] = [];
  const recordStates = () => void states.push(...[shell.pid, child.pid].map((pid) => readStat(pid)?.state));
  expect(await endTree(stat(shell.pid), { suspended: recordStates, remains: () => {} })).toBe(true);
  expect(states).toEqual(['T', 'T']);
});

/** Ends the target from a process without root access. */
async function endAsNobody(
  target: Pick<ProcessSeen, 'pid' | 'started'>,
): Promise<{ endings: boolean; limitations: string[]; remains: string[] }> {
  const source = `
    import { linux } from '${new URL('./linux.ts', import.meta.url).href}';
    const os = linux({});
    let remains = [];
    const callbacks = { suspended: () => {}, remains: (paths) => (remains = paths) };
    console.log(JSON.stringify({ endings: await os.endTree(${JSON.stringify(target)}, callbacks), limitations: os.limitations(), remains }));`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', source], nobody);
  return JSON.parse(stdout) as { endings: boolean; limitations: string[]; remains: string[] };
}
