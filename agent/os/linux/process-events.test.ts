// Tier: whole. It listens to the kernel of the computer.
import { execFile, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { idler, run, runningFrom } from '../../testing/programs.ts';
import { until } from '../../testing/until.ts';
import type { ProcessSeen } from '../port.ts';
import { endTree } from './end-tree.ts';
import { linux } from './linux.ts';
import { messages } from './messages.ts';
import { readChildren } from './proc.ts';
import { processEvents } from './process-events.ts';
import { watchProc } from './watch.ts';

const probe = await processEvents(
  () => {},
  () => {},
);
probe?.close();
if (!probe) console.log('The kernel tells nothing here (it takes CAP_NET_ADMIN, and no container): the tests of its events are skipped.');

/** Polling interval, longer than any test. */
const NEVER_MS = 3_600_000;

async function startWatching(events = processEvents): Promise<ProcessSeen[]> {
  const seenProcesses: ProcessSeen[] = [];
  const watch = watchProc(NEVER_MS, (processes) => void seenProcesses.push(...processes), events);
  onTestFinished(watch.close);
  expect(await watch.kernelReports).toBe(true);
  return seenProcesses;
}

describe.skipIf(!probe)('programs reported by kernel events', () => {
  it('a program reported by a kernel event is observed once, with its file name', async () => {
    const file = await idler('AnyDesk-like');
    const seenProcesses = await startWatching();
    const child = run(file, ['60']);
    await until('AnyDesk', () => seenProcesses.some(({ pid, path }) => pid === child.pid && path === file));
    const secondChild = run(file, ['60']);
    await until('the other', () => seenProcesses.some(({ pid, path }) => pid === secondChild.pid && path === file));
    expect(seenProcesses.filter(({ path }) => path === file).map(({ pid }) => pid)).toEqual([child.pid, secondChild.pid]);
  });

  it('a program that an old process executes is reported by a kernel event', async () => {
    const file = await idler('AnyDesk-like');
    const seenProcesses = await startWatching();
    const child = run('/bin/sh', ['-c', `/bin/sleep 0.1; exec ${file} 60`]);
    await until('AnyDesk', () => seenProcesses.some(({ pid, path }) => pid === child.pid && path === file));
    expect(seenProcesses.some(({ pid, path }) => pid === child.pid && path !== file)).toBe(true);
  });

  it('a program that exits at once is observed through its children', async () => {
    const file = await idler('AnyDesk-like');
    const seenProcesses = await startWatching();
    for (let n = 0; n < 10; n++) run('/bin/sh', ['-c', `(setsid ${file} 60 &)`]);
    await until('all of them', () => seenProcesses.filter(({ path }) => path === file).length === 10);
    for (const process of seenProcesses.filter(({ path }) => path === file)) expect(await endTree(process)).toBe(true);
    expect(runningFrom(file)).toEqual([]);
  });

  it('a forked child of an exited program is observed', async () => {
    const file = await idler('AnyDesk-like', '/bin/sh');
    const pipe = join(dirname(file), 'pipe');
    await promisify(execFile)('mkfifo', [pipe]);
    const seenProcesses = await startWatching();
    const parents = Array.from({ length: 10 }, () => run(file, ['-c', `(read line < ${pipe}) &`]).pid);
    const remainingChildren = () => runningFrom(file).filter(({ pid }) => !parents.includes(pid));
    await until('all that is left', () => remainingChildren().length === parents.length);
    await until('each of it', () =>
      remainingChildren().every(({ pid }) => seenProcesses.some((process) => process.pid === pid && process.path === file)),
    );
    for (const process of remainingChildren()) expect(await endTree(process)).toBe(true);
  });

  it('the children of an exited program are ended', async () => {
    const file = await idler('AnyDesk-like', '/bin/sh');
    const pipe = join(dirname(file), 'pipe');
    await promisify(execFile)('mkfifo', [pipe]);
    const os = linux({});
    const seenProcesses: ProcessSeen[] = [];
    onTestFinished(os.watchProcesses(NEVER_MS, (processes) => void seenProcesses.push(...processes)).close);
    const waitUntilSeen = (pid: number) =>
      until(`process ${pid}`, () => seenProcesses.find((process) => process.pid === pid && process.path === file));
    await waitUntilSeen(run(file, ['-c', `read line < ${pipe}`]).pid);
    const parent = run(file, ['-c', `(read line < ${pipe}) & read line < ${pipe}`]);
    const target = await waitUntilSeen(parent.pid);
    const child = await until('what it split off', () => readChildren(parent.pid)?.[0]);
    parent.kill('SIGKILL');
    await once(parent, 'exit');
    expect(seenProcesses.some(({ pid }) => pid === child)).toBe(false);
    expect(await os.endTree(target)).toBe(true);
    await waitUntilSeen(child);
  });

  it('programs are observed although the buffer for kernel events overflowed, both lost and later ones', async () => {
    const file = await idler('AnyDesk-like');
    let lostCount = 0;
    const seenProcesses = await startWatching((emit, onOverflow) =>
      processEvents(
        emit,
        () => {
          lostCount++;
          onOverflow();
        },
        2048,
      ),
    );
    // Blocks this process, so the event buffer overflows.
    spawnSync('/bin/sh', ['-c', `for n in 1 2 3 4 5 6 7 8 9 10 11 12; do /bin/true; done; ${file} 60 >/dev/null 2>&1 &`]);
    await until('AnyDesk', () => seenProcesses.some(({ path }) => path === file));
    expect(lostCount).toBeGreaterThan(0);
    const laterProgram = run(file, ['60']);
    await until('a later program', () => seenProcesses.some(({ pid, path }) => pid === laterProgram.pid && path === file));
  });

  it('a closed event source emits nothing and lets the process exit', async () => {
    const source = `
      import { processEvents } from '${new URL('./process-events.ts', import.meta.url).href}';
      const events = await processEvents(() => {}, () => {});
      if (process.argv[1] === 'close') events.close();
      else if (process.argv[1] === 'throw') throw new Error('on purpose');
      else process.exit(3);`;
    const runUntilEnd = (action: string) =>
      promisify(execFile)(process.execPath, ['--input-type=module', '-e', source, action], { timeout: 10_000 });
    await runUntilEnd('close');
    await expect(runUntilEnd('exit')).rejects.toMatchObject({ code: 3, killed: false });
    await expect(runUntilEnd('throw')).rejects.toMatchObject({ code: 1, killed: false });
  });

  it('an error in a callback of kernel events ends the process like any other error', async () => {
    const source = `
      import { spawn } from 'node:child_process';
      import { processEvents } from '${new URL('./process-events.ts', import.meta.url).href}';
      await processEvents(() => { throw new Error('on purpose'); }, () => {});
      spawn('/bin/true');`;
    const running = promisify(execFile)(process.execPath, ['--input-type=module', '-e', source], { timeout: 10_000 });
    await expect(running).rejects.toMatchObject({ code: 1, killed: false, stderr: expect.stringContaining('on purpose') });
  });

  it('events are emitted after garbage collections, and by sources opened one after another', async () => {
    const source = `
      import { spawn } from 'node:child_process';
      import { processEvents } from '${new URL('./process-events.ts', import.meta.url).href}';
      for (let round = 0; round < 20; round++) {
        const pids = new Set();
        let observe = () => {};
        const events = await processEvents((started) => {
          for (const pid of started) pids.add(pid);
          observe();
        }, () => {});
        gc();
        const { pid } = spawn('/bin/true');
        await new Promise((resolve) => {
          observe = () => pids.has(pid) && resolve();
          observe();
        });
        events.close();
      }`;
    await promisify(execFile)(process.execPath, ['--expose-gc', '--input-type=module', '-e', source], { timeout: 20_000 });
  });
});

it.skipIf(process.getuid?.() !== 0)(
  'without kernel events programs are found by polling, and a limitation is listed (the test needs root)',
  async () => {
    const file = await idler('AnyDesk-like');
    const source = `
    import { linux } from '${new URL('./linux.ts', import.meta.url).href}';
    import { spawn } from 'node:child_process';
    const os = linux({});
    const watch = os.watchProcesses(20, (seen) => {
      if (!seen.some(({ path }) => path === '${file}') || !os.limitations().length) return;
      console.log(JSON.stringify(os.limitations()));
      process.exit();
    });
    setInterval(() => spawn('${file}', ['60'], { stdio: 'ignore' }), 300);`;
    // A pid namespace has no kernel events.
    const unshareArgs = ['--pid', '--fork', '--kill-child', '--mount-proc', process.execPath, '--input-type=module', '-e', source];
    const { stdout } = await promisify(execFile)('unshare', unshareArgs, { timeout: 20_000 });
    expect(JSON.parse(stdout)).toEqual([messages.late]);
  },
);
