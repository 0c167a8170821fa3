// Tier: whole. It listens to the kernel of the computer.
import { expect, it, onTestFinished, vi } from 'vitest';
import { idler, run, stat } from '../../testing/programs.ts';
import { until } from '../../testing/until.ts';
import type { ProcessSeen } from '../port.ts';
import { readExecutable } from './proc.ts';
import { watchProc } from './watch.ts';

/** Polling interval, longer than any test. */
const NEVER_MS = 3_600_000;

it('an exec lost by the kernel’s event queue is found by the next scan', async () => {
  const file = await idler('AnyDesk-like');
  const [seenProcesses, now]: [ProcessSeen[], { ahead: number }] = [[], { ahead: 0 }];
  const realNow = performance.now.bind(performance);
  vi.spyOn(performance, 'now').mockImplementation(() => realNow() + now.ahead);
  onTestFinished(() => void vi.restoreAllMocks());
  const shell = run('/bin/sh', ['-c', `read go; exec ${file} 60`], undefined, 'pipe');
  await until('the shell', () => readExecutable(shell.pid) !== readExecutable(process.pid));

  let reportLoss = () => {};
  const watch = watchProc(
    NEVER_MS,
    (processes) => void seenProcesses.push(...processes),
    async (_emit, onOverflow) => {
      reportLoss = onOverflow;
      return { close() {} };
    },
  );
  onTestFinished(watch.close);
  expect(await watch.kernelReports).toBe(true);
  expect(seenProcesses.map(({ pid }) => pid)).toContain(shell.pid);

  now.ahead = 6000;
  shell.stdin?.write('\n');
  await until('the other program', () => readExecutable(shell.pid) === file);
  reportLoss();
  const expectedProcess = { pid: shell.pid, started: stat(shell.pid).started, path: file };
  expect(seenProcesses.filter(({ pid, path }) => pid === shell.pid && path === file)).toMatchObject([expectedProcess]);
  now.ahead += 6000;
  reportLoss();
  expect(seenProcesses.filter(({ path }) => path === file)).toHaveLength(1);
});
