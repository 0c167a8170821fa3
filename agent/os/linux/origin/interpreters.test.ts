import { execFileSync } from 'node:child_process';
import { chownSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../testing/agent.ts';
import { idler, ready, run } from '../../../testing/programs.ts';
import { until } from '../../../testing/until.ts';
import { readChildren, readCommand, readExecutable } from '../proc.ts';
import type { LinuxOrigin } from './program-origin.ts';
import { computer, internet, isRoot, uid } from './trial-computer.ts';

/** The origin of a running copy of `sleep`. */
async function originOf(origin: LinuxOrigin, file: string) {
  const child = run(file, ['60']);
  const found = origin.of(await ready(child.pid, file));
  child.kill('SIGKILL');
  return found;
}

/** The origin of `file`, which this program runs in this working folder. */
async function originRunBy(origin: LinuxOrigin, file: string, program: string, args: string[], folder: string) {
  const child = run('/usr/bin/env', ['-C', folder, program, ...args]);
  const path = realpathSync(args.length ? program : '/bin/sh');
  const launched = await until(`${program} to run ${file}`, () => {
    const found = origin.of({ pid: child.pid, path });
    return found?.file === file ? found : null;
  });
  child.kill('SIGKILL');
  return launched.origin;
}

describe('interpreters', () => {
  it.each([
    ['a shell', '/bin/sh', (file: string) => [file]],
    ['a shell with options', '/bin/bash', (file: string) => ['-u', file]],
  ])('%s runs a downloaded script by a relative path', async (_what, interpreter, args) => {
    const { start, text, home } = await computer(await temporaryFolder());
    const origin = await start();
    execFileSync('mkfifo', [join(home, 'wait')]);
    const [script, own] = [text('Downloads/setup.sh', 'read line < ../wait\n'), text('bin/own.sh', 'read line < ../wait\n')];
    expect(await originRunBy(origin, script, interpreter, args('./setup.sh'), join(home, 'Downloads'))).toEqual(internet);
    expect(await originRunBy(origin, own, interpreter, args('./own.sh'), join(home, 'bin'))).toEqual({ from: 'unknown' });
  });

  it('a script that the kernel starts by its first line is the file', async () => {
    const { start, text, home } = await computer(await temporaryFolder());
    const origin = await start();
    execFileSync('mkfifo', [join(home, 'wait')]);
    const script = text('Downloads/setup', `#!/bin/sh\nread line < ${home}/wait\n`);
    expect(await originRunBy(origin, script, script, [], home)).toEqual(internet);
  });

  it('a script that the shell of BusyBox runs is the file, whatever else BusyBox is', async () => {
    const { start, text, home } = await computer(await temporaryFolder());
    const origin = await start();
    execFileSync('mkfifo', [join(home, 'wait')]);
    const [script, own] = [text('Downloads/setup', `read line < ${home}/wait\n`), text('bin/own', `read line < ${home}/wait\n`)];
    const busybox = await idler('busybox', '/bin/bash');
    for (const [file, expected] of [
      [script, internet],
      [own, { from: 'unknown' }],
    ] as const) {
      const { pid } = run('/bin/bash', ['-c', `exec -a /bin/sh ${busybox} ${file}`]);
      await ready(pid, busybox);
      expect(origin.of({ pid, path: busybox })).toMatchObject({ file, origin: expected });
    }
  });

  it('a script in the standard input of a shell is the file', async () => {
    const { start, text, home } = await computer(await temporaryFolder());
    const origin = await start();
    execFileSync('mkfifo', [join(home, 'wait')]);
    const script = text('Downloads/setup', `read line < ${home}/wait\n`);
    const child = run('/bin/sh', ['-c', `exec /bin/sh < ${script}`]);
    await until('the script', () => origin.of({ pid: child.pid, path: '/bin/sh' })?.file === script);
  });

  it('the program of a downloaded script is the script, and a system program that it starts is local', async () => {
    const { start, text, program } = await computer(await temporaryFolder());
    const origin = await start();
    const payload = program('bin/payload');
    const script = text('Downloads/setup.sh', `${payload} 60 &\n/bin/sleep 60 &\nwait\n`);
    const shell = run('/bin/sh', [script]);
    const launched = await until('the script', () => {
      const found = origin.of({ pid: shell.pid, path: '/bin/sh' });
      return found?.file === script ? found : null;
    });
    expect(launched.origin).toEqual(internet);
    const childOf = (path: string) => until(path, () => readChildren(shell.pid)?.find((pid) => readExecutable(pid) === path));
    const systemSleep = realpathSync('/bin/sleep');
    const [payloadPid, sleepPid] = [await childOf(payload), await childOf(systemSleep)];
    expect(origin.of({ pid: payloadPid, path: payload })).toEqual(launched);
    expect(origin.of({ pid: sleepPid, path: systemSleep })?.origin).toEqual({ from: 'local' });
    for (const pid of [payloadPid, sleepPid]) process.kill(pid, 'SIGKILL');
    expect((await originOf(origin, payload))?.origin).toEqual({ from: 'unknown' });
  });
});

it('programs that are extracted from a downloaded archive elsewhere are from the internet, those of a local archive are not', async () => {
  const { start, program, text, folder, home } = await computer(await temporaryFolder());
  const origin = await start();
  program('bin/tool');
  execFileSync('mkfifo', [join(home, 'go')]);
  const unpack = text('unpack', `#!/bin/sh\nread line < ${home}/go\nexec gzip -d\n`);
  for (const [place, expected] of Object.entries({ Downloads: internet, bin: { from: 'unknown' } })) {
    const [archive, target] = [join(home, place, 'a.tgz'), folder(`work/${place}`)];
    execFileSync('tar', ['-czf', archive, '-C', join(home, 'bin'), 'tool']);
    if (isRoot) chownSync(archive, uid, uid);
    const tar = run('tar', ['-I', unpack, '-C', target, '-xf', archive]);
    const ended = new Promise((resolve) => tar.once('exit', resolve));
    await until('tar', () => readCommand(tar.pid)[0] === 'tar');
    expect(origin.of({ pid: tar.pid, path: '/usr/bin/tar' })?.origin).toEqual({ from: 'local' });
    writeFileSync(join(home, 'go'), 'go\n');
    await ended;
    // The second time, its own mark counts.
    for (let n = 0; n < 2; n++) expect((await originOf(origin, join(target, 'tool')))?.origin).toEqual(expected);
  }
});
