import { expect, it, onTestFinished, vi } from 'vitest';
import { idler, run, stat } from '../../testing/programs.ts';
import { until } from '../../testing/until.ts';
import type { ProcessSeen } from '../port.ts';
import { executableOf } from './proc.ts';
import { watchProc } from './watch.ts';

/** Longer than any test: nothing is found by looking. */
const never = 3_600_000;

it('an exec lost by the kernel’s event queue is found by the next scan', async () => {
  const file = await idler('AnyDesk-like');
  const [seen, now]: [ProcessSeen[], { ahead: number }] = [[], { ahead: 0 }];
  const real = performance.now.bind(performance);
  vi.spyOn(performance, 'now').mockImplementation(() => real() + now.ahead);
  onTestFinished(() => void vi.restoreAllMocks());
  const shell = run('/bin/sh', ['-c', `read go; exec ${file} 60`], undefined, 'pipe');
  await until('the shell', () => executableOf(shell.pid) !== executableOf(process.pid));

  let lost = () => {};
  const watch = watchProc(
    never,
    (processes) => void seen.push(...processes),
    async (_tell, overrun) => {
      lost = overrun;
      return { close() {} };
    },
  );
  onTestFinished(watch.close);
  expect(await watch.told).toBe(true);
  expect(seen.map(({ pid }) => pid)).toContain(shell.pid);

  now.ahead = 6000;
  shell.stdin?.write('\n');
  await until('the other program', () => executableOf(shell.pid) === file);
  lost();
  const found = { pid: shell.pid, started: stat(shell.pid).started, path: file };
  expect(seen.filter(({ pid, path }) => pid === shell.pid && path === file)).toMatchObject([found]);
  now.ahead += 6000;
  lost();
  expect(seen.filter(({ path }) => path === file)).toHaveLength(1);
});
