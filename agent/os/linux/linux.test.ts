import { expect, it, onTestFinished } from 'vitest';
import { idler, run, stat } from '../../testing/programs.ts';
import { until } from '../../testing/until.ts';
import type { ProcessSeen } from '../port.ts';
import { linux } from './linux.ts';
import { watchProc } from './watch.ts';

it('a started program is observed once, with its file name', async () => {
  const file = await idler('AnyDesk-like');
  const seenProcesses: ProcessSeen[] = [];
  const watch = watchProc(20, (processes) => void seenProcesses.push(...processes), null);
  onTestFinished(watch.close);
  expect(seenProcesses.map(({ pid }) => pid)).toContain(process.pid);

  const child = run(file, ['60']);
  const observedProcess = await until('AnyDesk', () => seenProcesses.find(({ path }) => path === file));
  expect(observedProcess).toEqual({
    pid: child.pid,
    started: stat(child.pid).started,
    path: file,
    program: { os: 'linux', name: 'AnyDesk-like' },
  });
  const secondChild = run(file, ['60']);
  await until('the second one', () => seenProcesses.some(({ pid, path }) => pid === secondChild.pid && path === file));
  expect(seenProcesses.filter(({ pid, path }) => pid === child.pid && path === file)).toHaveLength(1);
});

it('a program is observed that replaces another program by exec', async () => {
  const file = await idler('AnyDesk-like');
  const seenProcesses: ProcessSeen[] = [];
  const watch = watchProc(20, (processes) => void seenProcesses.push(...processes), null);
  onTestFinished(watch.close);
  const child = run('/bin/sh', ['-c', `read line < /dev/null; /bin/sleep 0.2; exec ${file} 60`]);
  await until('the shell', () => seenProcesses.some(({ pid }) => pid === child.pid));
  await until('AnyDesk', () => seenProcesses.some(({ pid, path }) => pid === child.pid && path === file));
});

it('without root access a limitation is listed, and without a screen no window opens', async () => {
  const os = linux({ PATH: process.env.PATH });
  expect(await os.openWindow('http://127.0.0.1/')).toBe(false);
  expect(os.limitations()).toHaveLength(process.getuid?.() === 0 ? 0 : 1);
  expect(os.info()).toMatchObject({ platform: 'linux' });
});
