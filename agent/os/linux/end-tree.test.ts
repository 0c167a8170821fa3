import { execFile, spawnSync } from 'node:child_process';
import { chmod } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { idler, ready, run, runningFrom, stat } from '../../testing/programs.ts';
import { until } from '../../testing/until.ts';
import type { ProcessSeen } from '../port.ts';
import { endTree, isProtected, isSame } from './end-tree.ts';
import { linux } from './linux.ts';
import { messages } from './messages.ts';
import { childrenOf, readStat } from './proc.ts';
import { processOf } from './watch.ts';

it('ends a program', async () => {
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
  const other = run(file, ['60']);
  const tree = run('/bin/sh', ['-c', `${file} 60 & /bin/sh -c '${file} 60; true' & wait`]);
  const below = await until('the whole tree', () => {
    const first = childrenOf(tree.pid) ?? [];
    const all = [...first, ...first.flatMap((pid) => childrenOf(pid) ?? [])].map(stat);
    return all.filter(({ pid }) => processOf(stat(pid)).path === file).length === 2 ? all : null;
  });
  expect(below).toHaveLength(3);
  expect(await endTree(stat(tree.pid))).toBe(true);
  expect(below.filter(isSame)).toEqual([]);
  await until('the end of the first one', () => tree.signalCode === 'SIGKILL');
  expect(isSame(await ready(other.pid, file))).toBe(true);
  expect(stat(other.pid).state).not.toBe('T');
});

it('ending refuses this process, its parents and process 1', async () => {
  for (const pid of [process.pid, process.ppid, 1]) {
    const before = stat(pid);
    expect(isProtected(pid)).toBe(true);
    expect(await endTree(before)).toBe(false);
    expect(isSame(before)).toBe(true);
    expect(stat(pid).state).not.toBe('T');
  }
});

it('ending refuses a process that reuses the pid', async () => {
  const file = await idler('AnyDesk-like');
  const child = run(file, ['60']);
  const target = await ready(child.pid, file);
  expect(await endTree({ ...target, started: String(Number(target.started) - 1) })).toBe(true);
  expect(isSame(target)).toBe(true);
  expect(stat(child.pid).state).not.toBe('T');
});

it.each([
  ['ignores every request to end', (file: string) => ['/bin/sh', '-c', `trap '' TERM INT HUP; ${file} 60`]],
  ['has started something in a session of its own', (file: string) => ['/bin/sh', '-c', `setsid ${file} 60; true`]],
  ['has stopped what it started', (file: string) => ['/bin/sh', '-c', `${file} 60 & /bin/sleep 0.1; kill -STOP $!; wait`]],
])('ends a program that %s', async (_what, command) => {
  const file = await idler('AnyDesk-like');
  const [shell = '', ...args] = command(file);
  const child = run(shell, args);
  const stands = command(file).join(' ').includes('STOP') ? 'T' : 'S';
  await until('what it starts', () => runningFrom(file).some(({ pid }) => readStat(pid)?.state === stands));
  expect(await endTree(stat(child.pid))).toBe(true);
  expect(runningFrom(file)).toEqual([]);
});

it('ending stops a program that keeps forking', async () => {
  const file = await idler('AnyDesk-like');
  for (let round = 0; round < 5; round++) {
    const child = run('/bin/sh', ['-c', `while :; do ${file} 60 & ${file} 0.001; done`]);
    await until('some of them', () => runningFrom(file).length > 5);
    expect(await endTree(stat(child.pid))).toBe(true);
    expect(runningFrom(file)).toEqual([]);
  }
});

it('ending includes children started by a thread', async () => {
  const file = await idler('AnyDesk-like');
  const source = `new (require('worker_threads').Worker)("require('child_process').spawn('${file}', ['60'])", { eval: true })`;
  const child = run(process.execPath, ['-e', source]);
  await until('what it starts', () => runningFrom(file).length === 1);
  expect(await endTree(stat(child.pid))).toBe(true);
  expect(runningFrom(file)).toEqual([]);
});

const nobody = { uid: 65_534, gid: 65_534, env: {} };
/** What a program that is no one's needs to be started here. */
const canBeNobody =
  process.getuid?.() === 0 && spawnSync(process.execPath, ['-e', `fs.readFileSync('${import.meta.filename}')`], nobody).status === 0;
if (!canBeNobody) console.log('Only root can start a program as nobody, and only from a folder that all may read: one test is skipped.');

it.skipIf(!canBeNobody)('ending a program of root without the right fails and stops no part of it (needs root to try)', async () => {
  const file = await idler('AnyDesk-like');
  const child = run(file, ['60']);
  const target = await ready(child.pid, file);
  const { endings, limitations } = await asNobody(target);
  expect(endings).toBe(false);
  expect(limitations).toContain(messages.notRoot);
  expect(stat(child.pid).state).not.toBe('T');
});

it.skipIf(!canBeNobody)(
  'A8: ends what it may of a tree of which one program may not be ended, and says which remains (needs root to try)',
  async () => {
    const [file, others] = [await idler('AnyDesk-like'), await idler('AnyDesk-of-root')];
    for (const folder of [dirname(file), dirname(others)]) await chmod(folder, 0o755);
    const bystander = run(file, ['60'], nobody.uid);
    // It was root's, with a child that still is, and has become nobody's.
    const drop = `exec setpriv --reuid=${nobody.uid} --regid=${nobody.gid} --clear-groups /bin/sh -c '${file} 60 & wait'`;
    const tree = run('/bin/sh', ['-c', `${others} 60 & ${drop}`]);
    const rooted = await until('the child that is root’s', () => runningFrom(others)[0]);
    const child = await until('the other child', () => runningFrom(file).find(({ pid }) => pid !== bystander.pid));
    const { endings, remains } = await asNobody(stat(tree.pid));
    // Whose file it runs may not be asked, so it bears the name of its process.
    expect([endings, remains]).toEqual([false, ['AnyDesk-of-root']]);
    await until('the end of the first one', () => tree.signalCode === 'SIGKILL');
    expect([isSame(child), isSame(rooted), stat(rooted.pid).state !== 'T', isSame(stat(bystander.pid))]).toEqual([false, true, true, true]);
  },
);

it('A8: a whole process tree is suspended before any of it is ended', async () => {
  const file = await idler('AnyDesk-like');
  const tree = run('/bin/sh', ['-c', `${file} 60 & wait`]);
  const child = await until('the child', () => runningFrom(file)[0]);
  const states: (string | undefined)[] = [];
  const suspended = () => void states.push(...[tree.pid, child.pid].map((pid) => readStat(pid)?.state));
  expect(await endTree(stat(tree.pid), { suspended, remains: () => {} })).toBe(true);
  expect(states).toEqual(['T', 'T']);
});

/** Lets a process that is not root try to end it. */
async function asNobody(
  target: Pick<ProcessSeen, 'pid' | 'started'>,
): Promise<{ endings: boolean; limitations: string[]; remains: string[] }> {
  const source = `
    import { linux } from '${new URL('./linux.ts', import.meta.url).href}';
    const os = linux({});
    let remains = [];
    const heard = { suspended: () => {}, remains: (paths) => (remains = paths) };
    console.log(JSON.stringify({ endings: await os.endTree(${JSON.stringify(target)}, heard), limitations: os.limitations(), remains }));`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', source], nobody);
  return JSON.parse(stdout) as { endings: boolean; limitations: string[]; remains: string[] };
}
