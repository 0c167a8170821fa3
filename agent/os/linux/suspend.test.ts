import { readFileSync, realpathSync } from 'node:fs';
import { expect, it } from 'vitest';
import { idler, ready, run, runningFrom, stat } from '../../testing/programs.ts';
import { until } from '../../testing/until.ts';
import { linux } from './linux.ts';
import { readChildren, readStat } from './proc.ts';

const os = linux({});
const stateOf = (pid: number) => readStat(pid)?.state;

it('a suspended program and all that it started stand still, go on after a resume, and nothing else is touched', async () => {
  const file = await idler('setup-like');
  const bystander = run(file, ['60']);
  const shell = run('/bin/sh', ['-c', `${file} 60 & setsid ${file} 60 & wait`]);
  await until('what it starts', () => (readChildren(shell.pid) ?? []).length === 2 && runningFrom(file).length === 3);
  const suspended = (await os.suspend([stat(shell.pid)])) ?? [];
  expect(suspended).toHaveLength(3);
  expect(suspended.map(({ pid }) => stateOf(pid))).toEqual(['T', 'T', 'T']);
  expect(os.areSuspended(suspended)).toBe(true);
  expect(stateOf(bystander.pid)).toBe('S');
  os.resume(suspended);
  await until('all to go on', () => suspended.every(({ pid }) => stateOf(pid) === 'S'));
  expect(os.areSuspended(suspended)).toBe(false);
});

it('a program that waits for the processor in order to stop counts as suspended, and after a resume it does not', async () => {
  // On one processor a busy program keeps one of the idle class from running, as a busy computer does.
  const processor = /^Cpus_allowed_list:\s*(\d+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '0';
  const busy = ['/bin/sh', '-c', 'while :; do :; done'];
  const waiting = run('taskset', ['-c', processor, 'chrt', '-i', '0', ...busy]);
  await ready(waiting.pid, realpathSync('/bin/sh'));
  run('taskset', ['-c', processor, ...busy]);
  const target = stat(waiting.pid);
  await until('a stop that has to wait for the processor', () => {
    os.resume([target]);
    process.kill(waiting.pid, 'SIGSTOP');
    return stateOf(waiting.pid) === 'R';
  });
  expect(os.areSuspended([target])).toBe(true);
  os.resume([target]);
  expect(os.areSuspended([target])).toBe(false);
});

it('suspended processes are ended, with what they started after somebody let them go on', async () => {
  const file = await idler('setup-like');
  const bystander = run(file, ['60']);
  const shell = run('/bin/bash', ['-c', `trap '${file} 60 &' CONT; ${file} 60 & while :; do :; done`]);
  await until('the first child', () => runningFrom(file).length > 1);
  const suspended = (await os.suspend([stat(shell.pid)])) ?? [];
  const before = runningFrom(file).length;
  process.kill(shell.pid, 'SIGCONT');
  await until('another child', () => runningFrom(file).length > before);
  expect(os.areSuspended(suspended)).toBe(false);
  expect(await os.endSuspended(suspended)).toBe(true);
  await until('the end of all', () => runningFrom(file).length === 1);
  expect(stateOf(bystander.pid)).toBe('S');
});

it('this process is never suspended, and then nothing of the same start is', async () => {
  const file = await idler('setup-like');
  const child = run(file, ['60']);
  await ready(child.pid, file);
  expect(await os.suspend([stat(child.pid), stat(process.pid)])).toBeNull();
  await until('it to run as before', () => stateOf(child.pid) === 'S');
});

it('a process that took over the pid of another is not suspended', async () => {
  const file = await idler('setup-like');
  const child = run(file, ['60']);
  const target = await ready(child.pid, file);
  expect(await os.suspend([{ ...target, started: '1' }])).toEqual([]);
  await until('it to run as before', () => stateOf(child.pid) === 'S');
});
