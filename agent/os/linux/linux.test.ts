import { expect, it, onTestFinished } from 'vitest';
import { idler, run, stat } from '../../testing/programs.ts';
import { until } from '../../testing/until.ts';
import type { ProcessSeen } from '../port.ts';
import { linux } from './linux.ts';
import { watchProc } from './watch.ts';

it('a started program is observed once, by its file name', async () => {
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

it('a program is observed after exec replaced another one', async () => {
  const file = await idler('AnyDesk-like');
  const seen: ProcessSeen[] = [];
  const watch = watchProc(20, (processes) => void seen.push(...processes), null);
  onTestFinished(watch.close);
  const child = run('/bin/sh', ['-c', `read line < /dev/null; /bin/sleep 0.2; exec ${file} 60`]);
  await until('the shell', () => seen.some(({ pid }) => pid === child.pid));
  await until('AnyDesk', () => seen.some(({ pid, path }) => pid === child.pid && path === file));
});

it('without rights or a screen, limitations are listed and no window opens', async () => {
  const os = linux({ PATH: process.env.PATH });
  expect(await os.openWindow('http://127.0.0.1/')).toBe(false);
  expect(os.limitations()).toHaveLength(process.getuid?.() === 0 ? 0 : 1);
  expect(os.info()).toMatchObject({ platform: 'linux' });
});
