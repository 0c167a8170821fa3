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
import { childrenOf } from './proc.ts';
import { processEvents } from './process-events.ts';
import { watchProc } from './watch.ts';

const probe = await processEvents(
  () => {},
  () => {},
);
probe?.close();
if (!probe) console.log('The kernel tells nothing here (it takes CAP_NET_ADMIN, and no container): the tests of its events are skipped.');

/** Longer than any test: nothing is found by looking. */
const never = 3_600_000;

async function watching(events = processEvents): Promise<ProcessSeen[]> {
  const seen: ProcessSeen[] = [];
  const watch = watchProc(never, (processes) => void seen.push(...processes), events);
  onTestFinished(watch.close);
  expect(await watch.told).toBe(true);
  return seen;
}

describe.skipIf(!probe)('a program that the kernel tells of', () => {
  it('a program from a kernel event is observed once, by its file name', async () => {
    const file = await idler('AnyDesk-like');
    const seen = await watching();
    const child = run(file, ['60']);
    await until('AnyDesk', () => seen.some(({ pid, path }) => pid === child.pid && path === file));
    const other = run(file, ['60']);
    await until('the other', () => seen.some(({ pid, path }) => pid === other.pid && path === file));
    expect(seen.filter(({ path }) => path === file).map(({ pid }) => pid)).toEqual([child.pid, other.pid]);
  });

  it('a kernel event shows an exec in an old process', async () => {
    const file = await idler('AnyDesk-like');
    const seen = await watching();
    const child = run('/bin/sh', ['-c', `/bin/sleep 0.1; exec ${file} 60`]);
    await until('AnyDesk', () => seen.some(({ pid, path }) => pid === child.pid && path === file));
    expect(seen.some(({ pid, path }) => pid === child.pid && path !== file)).toBe(true);
  });

  it('a program that exits at once is observed through its children', async () => {
    const file = await idler('AnyDesk-like');
    const seen = await watching();
    for (let n = 0; n < 10; n++) run('/bin/sh', ['-c', `(setsid ${file} 60 &)`]);
    await until('all of them', () => seen.filter(({ path }) => path === file).length === 10);
    for (const process of seen.filter(({ path }) => path === file)) expect(await endTree(process)).toBe(true);
    expect(runningFrom(file)).toEqual([]);
  });

  it('a forked child of an exited program is observed', async () => {
    const file = await idler('AnyDesk-like', '/bin/sh');
    const pipe = join(dirname(file), 'pipe');
    await promisify(execFile)('mkfifo', [pipe]);
    const seen = await watching();
    const parents = Array.from({ length: 10 }, () => run(file, ['-c', `(read line < ${pipe}) &`]).pid);
    const left = () => runningFrom(file).filter(({ pid }) => !parents.includes(pid));
    await until('all that is left', () => left().length === parents.length);
    await until('each of it', () => left().every(({ pid }) => seen.some((process) => process.pid === pid && process.path === file)));
    for (const process of left()) expect(await endTree(process)).toBe(true);
  });

  it('the children of an exited program are ended', async () => {
    const file = await idler('AnyDesk-like', '/bin/sh');
    const pipe = join(dirname(file), 'pipe');
    await promisify(execFile)('mkfifo', [pipe]);
    const os = linux({});
    const seen: ProcessSeen[] = [];
    onTestFinished(os.watchProcesses(never, (processes) => void seen.push(...processes)).close);
    const sight = (pid: number) => until(`process ${pid}`, () => seen.find((process) => process.pid === pid && process.path === file));
    // Until the kernel tells.
    await sight(run(file, ['-c', `read line < ${pipe}`]).pid);
    const parent = run(file, ['-c', `(read line < ${pipe}) & read line < ${pipe}`]);
    const target = await sight(parent.pid);
    const child = await until('what it split off', () => childrenOf(parent.pid)?.[0]);
    parent.kill('SIGKILL');
    await once(parent, 'exit');
    expect(seen.some(({ pid }) => pid === child)).toBe(false);
    expect(await os.endTree(target)).toBe(true);
    await sight(child);
  });

  it('programs are observed although kernel events overflowed', async () => {
    const file = await idler('AnyDesk-like');
    let lost = 0;
    const seen = await watching((emit, overflow) =>
      processEvents(
        emit,
        () => {
          lost++;
          overflow();
        },
        2048,
      ),
    );
    // While this runs we cannot listen.
    spawnSync('/bin/sh', ['-c', `for n in 1 2 3 4 5 6 7 8 9 10 11 12; do /bin/true; done; ${file} 60 >/dev/null 2>&1 &`]);
    await until('AnyDesk', () => seen.some(({ path }) => path === file));
    expect(lost).toBeGreaterThan(0);
  });

  it('a closed event source emits nothing and lets the process exit', async () => {
    const source = `
      import { processEvents } from '${new URL('./process-events.ts', import.meta.url).href}';
      const events = await processEvents(() => {}, () => {});
      if (process.argv[1] === 'close') events.close();
      else if (process.argv[1] === 'throw') throw new Error('on purpose');
      else process.exit(3);`;
    const end = (how: string) => promisify(execFile)(process.execPath, ['--input-type=module', '-e', source, how], { timeout: 10_000 });
    await end('close');
    await expect(end('exit')).rejects.toMatchObject({ code: 3, killed: false });
    await expect(end('throw')).rejects.toMatchObject({ code: 1, killed: false });
  });

  it('the event wait never writes to released memory', async () => {
    // What the thread that waits writes to must outlive a collection; each buffer that was put in its place would show it, or the process crash.
    const source = `
      import { processEvents } from '${new URL('./process-events.ts', import.meta.url).href}';
      for (let round = 0; round < 20; round++) {
        const events = await processEvents(() => {}, () => {});
        gc();
        const others = Array.from({ length: 2000 }, () => Buffer.alloc(16, 0xff));
        events.close();
        await new Promise((resolve) => setTimeout(resolve, 5));
        if (others.some((other) => other.some((byte) => byte !== 0xff))) throw new Error('another buffer was written to');
      }`;
    await promisify(execFile)(process.execPath, ['--expose-gc', '--input-type=module', '-e', source], { timeout: 20_000 });
  });
});

it.skipIf(process.getuid?.() !== 0)('without kernel events programs are polled, and that is logged (needs root to try)', async () => {
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
  // With process numbers of its own the kernel tells it nothing.
  const own = ['--pid', '--fork', '--kill-child', '--mount-proc', process.execPath, '--input-type=module', '-e', source];
  const { stdout } = await promisify(execFile)('unshare', own, { timeout: 20_000 });
  expect(JSON.parse(stdout)).toEqual([messages.late]);
});
