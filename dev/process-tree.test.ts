import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { descendantsOf, endDescendants } from './process-tree.ts';
import { root } from './root.ts';
import { until } from './until.ts';

const isRunning = (pid: number) => {
  try {
    process.kill(pid, 0);
    return !readFileSync(`/proc/${pid}/stat`, 'latin1')
      .replace(/^.*\) /s, '')
      .startsWith('Z');
  } catch {
    return false;
  }
};

test.skipIf(process.platform !== 'linux')(
  'ending a process tree also ends a process that ignores SIGTERM and a process in its own process group',
  async () => {
    const script = "trap '' TERM; setsid sleep 300 & sleep 300 & echo ready; while :; do sleep 1; done";
    const shell = spawn('sh', ['-c', `sh -c "${script}"; true`], { stdio: ['ignore', 'pipe', 'ignore'] });
    onTestFinished(() => void shell.kill('SIGKILL'));
    await once(shell.stdout, 'data');
    const descendants = descendantsOf(shell.pid ?? 0).map(({ pid }) => pid);
    expect(descendants.length).toBeGreaterThanOrEqual(3);
    await endDescendants(shell.pid ?? 0, 300);
    await until('all to be gone', () => descendants.every((pid) => !isRunning(pid)), 5_000);
  },
);

const processesWith = (text: string) =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(text);
      } catch {
        return false;
      }
    })
    .map(Number);

test.skipIf(process.platform !== 'linux').each(['SIGINT', 'SIGTERM'] as const)(
  'an npm test stopped by %s ends its tests and their database',
  async (signal) => {
    const child = spawn(process.execPath, [join(root, 'dev', 'test.ts'), 'server/db', 'server/jobs'], {
      cwd: root,
      stdio: 'ignore',
    });
    onTestFinished(async () => {
      await endDescendants(child.pid ?? 0, 100);
      child.kill('SIGKILL');
    });
    const hasEnded = once(child, 'exit');
    const database = () => descendantsOf(child.pid ?? 0).filter(({ pid }) => existsSync(`/proc/${pid}/cwd/PG_VERSION`));
    await until('the database of the tests', () => database().length > 0, 60_000);
    const descendants = descendantsOf(child.pid ?? 0).map(({ pid }) => pid);
    child.kill(signal);
    expect(await hasEnded).toEqual([signal === 'SIGINT' ? 130 : 143, null]);
    expect([...descendants, ...processesWith('server/db')].filter((pid) => pid !== process.pid && isRunning(pid))).toEqual([]);
  },
  120_000,
);
