import { type ChildProcess, spawn } from 'node:child_process';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from '../../testing/server.ts';
import type { ProcessSeen } from '../port.ts';
import { endTree, isProtected, isSame } from './end-tree.ts';
import { pids, readStat } from './proc.ts';
import { processOf, watchProc } from './watch.ts';

/** Real processes, all of them harmless and all of them started here. */

let folder: string;
const started: ChildProcess[] = [];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'porchlight-proc-'));
  await copyFile('/bin/sleep', join(folder, 'AnyDesk'));
});
afterAll(async () => {
  for (const child of started) child.kill('SIGKILL');
  await rm(folder, { recursive: true, force: true });
});

function run(command: string, ...args: string[]): ChildProcess & { pid: number } {
  const child = spawn(command, args, { stdio: 'ignore' });
  started.push(child);
  return child as ChildProcess & { pid: number };
}
const ended = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null;
const seenOf = (pid: number): ProcessSeen => {
  const stat = readStat(pid);
  if (!stat) throw new Error(`there is no process ${pid}`);
  return processOf(stat);
};

test('a program that starts is seen within a second, by the name of its file, and is ended', async () => {
  const seen: ProcessSeen[] = [];
  const watch = watchProc(100, (processes) => seen.push(...processes));
  const child = run(join(folder, 'AnyDesk'), '300');
  await until('it to be seen', () => seen.some((p) => p.pid === child.pid && p.program.name === 'AnyDesk'), 2000);
  watch.close();
  const process = seen.findLast((p) => p.pid === child.pid) as ProcessSeen;
  expect(process.path).toBe(join(folder, 'AnyDesk'));
  expect(await endTree(process)).toBe(true);
  await until('it to have ended', () => ended(child));
  expect(child.signalCode).toBe('SIGKILL');
  expect(isSame(process)).toBe(false);
});

test('a process that becomes another program is seen as that one', async () => {
  const seen: ProcessSeen[] = [];
  const shell = spawn('/bin/sh', ['-c', `read line; exec '${join(folder, 'AnyDesk')}' 300`], { stdio: ['pipe', 'ignore', 'ignore'] });
  started.push(shell);
  const watch = watchProc(50, (processes) => seen.push(...processes));
  const seenAs = (name: string) => seen.some((p) => p.pid === shell.pid && p.program.name === name);
  await until('the shell to be seen', () => seen.some((p) => p.pid === shell.pid));
  expect(seenAs('AnyDesk')).toBe(false);
  shell.stdin.write('\n');
  await until('the new program to be seen', () => seenAs('AnyDesk'));
  watch.close();
});

test('everything that it started goes with it', async () => {
  const shell = run('/bin/sh', '-c', `'${join(folder, 'AnyDesk')}' 300 & '${join(folder, 'AnyDesk')}' 300 & wait`);
  const children = () => pids().filter((pid) => readStat(pid)?.ppid === shell.pid);
  await until('both children to run', () => children().length === 2);
  const family = children().map(seenOf);
  expect(await endTree(seenOf(shell.pid))).toBe(true);
  for (const process of family) expect(isSame(process)).toBe(false);
});

test('ourselves, what started us, the first process and the kernel are never ended', async () => {
  for (const pid of [1, process.pid, process.ppid]) {
    expect(isProtected(pid)).toBe(true);
    expect(await endTree(seenOf(pid))).toBe(false);
    expect(readStat(pid)).not.toBeNull();
  }
  for (const pid of pids()) if (readStat(pid)?.kernel) expect(isProtected(pid)).toBe(true);
});

test('a pid that belongs to another process by now is left alone', async () => {
  const child = run('/bin/sleep', '300');
  const process = seenOf(child.pid);
  expect(await endTree({ pid: child.pid, started: '1' })).toBe(true);
  expect(isSame(process)).toBe(true);
});
