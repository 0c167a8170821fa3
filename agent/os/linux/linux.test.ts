import { type ChildProcess, spawn } from 'node:child_process';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../../testing/agent.ts';
import { until } from '../../testing/until.ts';
import type { ProcessSeen } from '../port.ts';
import { endTree, isProtected, isSame } from './end-tree.ts';
import { linux } from './linux.ts';
import { childrenOf, type ProcEntry, readStat } from './proc.ts';
import { processOf, watchProc } from './watch.ts';

/** A program of this name that does nothing for a minute. The name is on no list: an agent that runs here must not end it. */
async function idler(name: string): Promise<string> {
  const path = join(await temporaryFolder(), name);
  await copyFile('/bin/sleep', path);
  return path;
}

function run(file: string, args: string[]): ChildProcess & { pid: number } {
  const child = spawn(file, args, { stdio: 'ignore' });
  onTestFinished(() => void child.kill('SIGKILL'));
  if (child.pid === undefined) throw new Error(`${file} did not start`);
  return child as ChildProcess & { pid: number };
}

function stat(pid: number): ProcEntry {
  const entry = readStat(pid);
  if (!entry) throw new Error(`there is no process ${pid}`);
  return entry;
}

/** Once it runs what it was started for, and not the copy of us that it is at first. */
const ready = (pid: number, file: string) =>
  until(`${file} to run`, () => {
    const process = processOf(stat(pid));
    return process.path === file ? process : null;
  });

it('sees a program that starts, under the name of its file, and not twice', async () => {
  const file = await idler('AnyDesk-like');
  const seen: ProcessSeen[] = [];
  const watch = watchProc(20, (processes) => void seen.push(...processes), null);
  onTestFinished(watch.close);
  expect(seen.map(({ pid }) => pid)).toContain(process.pid);

  const child = run(file, ['60']);
  const found = await until('AnyDesk', () => seen.find(({ path }) => path === file));
  expect(found).toEqual({ pid: child.pid, started: stat(child.pid).started, path: file, program: { os: 'linux', name: 'AnyDesk-like' } });
  const next = run(file, ['60']);
  await until('the second one', () => seen.some(({ pid, path }) => pid === next.pid && path === file));
  expect(seen.filter(({ pid, path }) => pid === child.pid && path === file)).toHaveLength(1);
});

it('sees a program that another one has become', async () => {
  const file = await idler('AnyDesk-like');
  const seen: ProcessSeen[] = [];
  const watch = watchProc(20, (processes) => void seen.push(...processes), null);
  onTestFinished(watch.close);
  const child = run('/bin/sh', ['-c', `read line < /dev/null; /bin/sleep 0.2; exec ${file} 60`]);
  await until('the shell', () => seen.some(({ pid }) => pid === child.pid));
  await until('AnyDesk', () => seen.some(({ pid, path }) => pid === child.pid && path === file));
});

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

it('ends what a program has started together with it, and nothing beside it', async () => {
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

it('never ends ourselves, what started us, or the first process', async () => {
  for (const pid of [process.pid, process.ppid, 1]) {
    const before = stat(pid);
    expect(isProtected(pid)).toBe(true);
    expect(await endTree(before)).toBe(false);
    expect(isSame(before)).toBe(true);
    expect(stat(pid).state).not.toBe('T');
  }
});

it('leaves a process alone that only has the number of the one that is meant', async () => {
  const file = await idler('AnyDesk-like');
  const child = run(file, ['60']);
  const target = await ready(child.pid, file);
  expect(await endTree({ ...target, started: String(Number(target.started) - 1) })).toBe(true);
  expect(isSame(target)).toBe(true);
  expect(stat(child.pid).state).not.toBe('T');
});

it('says what it cannot do, and opens nothing where there is no screen', () => {
  const os = linux({ PATH: process.env.PATH });
  expect(os.openWindow('http://127.0.0.1/')).toBe(false);
  expect(os.limitations()).toHaveLength(process.getuid?.() === 0 ? 0 : 1);
  expect(os.info()).toMatchObject({ platform: 'linux' });
});
