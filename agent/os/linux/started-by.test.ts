import { spawnSync } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished, test } from 'vitest';
import { idler, ready, run, runningFrom, stat } from '../../testing/programs.ts';
import { until } from '../../testing/until.ts';
import { linux } from './linux.ts';
import { type StartChain, startedByOf } from './started-by.ts';
import { describeProcess } from './watch.ts';

const anydesk = '/usr/bin/anydesk';
const systemd = '/usr/lib/systemd/systemd';
const service = '/system.slice/anydesk.service';
const user = '/user.slice/user-1000.slice/user@1000.service/app.slice';
const chain = (paths: (string | null)[], group: string | null, oldest: string | null = anydesk): StartChain => ({
  path: anydesk,
  ancestors: paths.map((path, n) => ({ pid: paths.length - n, path })),
  group,
  oldest,
});

test.each<[string, StartChain, string]>([
  ['a service', chain([systemd], service), 'service_manager'],
  ['a process that a service started from its own file', chain([anydesk, systemd], service), 'service_manager'],
  ['a service of a user', chain([systemd, systemd], `${user}/anydesk.service`), 'service_manager'],
  ['an orphan of a terminal', chain([systemd, systemd], `${user}/app-org.gnome.Terminal.slice/vte-spawn-1.scope`), 'other'],
  ['an orphan of a log-in', chain([systemd], '/user.slice/user-1000.slice/session-2.scope'), 'other'],
  ['an orphan of another service', chain([systemd], '/system.slice/ssh.service', '/usr/sbin/sshd'), 'other'],
  ['a service of which nothing is known', chain([systemd], service, null), 'other'],
  ['a program of a shell in a service', chain(['/usr/bin/bash', systemd], service), 'other'],
  ['a program that a desktop opened', chain([systemd, systemd], `${user}/app-anydesk@4f2a.service`), 'other'],
  ['a program that D-Bus opened', chain([systemd, systemd], `${user}/dbus-:1.2-com.anydesk@0.service`), 'other'],
  ['a program of systemd-run', chain([systemd], '/system.slice/run-u7.service'), 'other'],
  ['a start-up entry of a user', chain([systemd, systemd], `${user}/app-anydesk@autostart.service`), 'session_manager'],
  ['a start-up entry of a session', chain(['/usr/libexec/gnome-session-binary', systemd], null), 'session_manager'],
  ['a program named like a session manager', chain(['/home/ann/gnome-session-binary', systemd], service), 'other'],
  ['a job of cron', chain(['/usr/sbin/cron', '/usr/sbin/cron', systemd], '/system.slice/cron.service'), 'scheduler'],
  ['a job of cron in a shell', chain(['/usr/bin/dash', '/usr/sbin/cron', systemd], '/system.slice/cron.service'), 'scheduler'],
  ['a program of a shell', chain(['/usr/bin/bash', '/usr/bin/gnome-terminal-server', systemd], null), 'other'],
  ['a program of a file manager', chain(['/usr/bin/nautilus', systemd], null), 'other'],
  ['a program with an unknown parent', chain([null, systemd], service), 'other'],
  ['a program without systemd', chain(['/sbin/init'], null), 'other'],
  ['a program without parents', chain([], service), 'other'],
])('what started %s is recognized', (_what, facts, startedBy) => {
  expect(startedByOf(facts)).toBe(startedBy);
});

describe('a real process', () => {
  const os = linux({ PATH: process.env.PATH });

  it('a shell is not taken for the system, and the file of its program has a time', async () => {
    const file = await idler('AnyDesk-like');
    const shell = run('/bin/sh', ['-c', `${file} 60 & wait`]);
    const program = await until('the program', () => runningFrom(file)[0]);
    expect(stat(program.pid).ppid).toBe(shell.pid);
    expect(os.fileChanged(program)).toBeLessThan(Date.now() + 1000);
    expect(os.startedBy(program)).toBe('other');
  });

  it('a program whose shell has ended is not taken for a service', async () => {
    const file = await idler('AnyDesk-like');
    const shell = run('/bin/sh', ['-c', `setsid ${file} 60 &`]);
    const program = await until('the program', () => runningFrom(file)[0]);
    await until('the end of its shell', () => stat(program.pid).ppid !== shell.pid && shell.exitCode !== null);
    expect(os.startedBy(program)).toBe('other');
  });

  it('the time of a file that was set to the past does not count', async () => {
    const file = await idler('AnyDesk-like');
    const before = Date.now() - 60_000;
    spawnSync('touch', ['-d', '2020-01-01', file]);
    const program = await ready(run(file, ['60']).pid, file);
    expect(os.fileChanged(program)).toBeGreaterThan(before);
    expect(os.fileChanged({ ...program, started: '1' })).toBeNull();
    expect(os.startedBy({ ...program, started: '1' })).toBe('other');
  });

  it('the last change of a script counts as well as that of its interpreter, and a script that is gone has no time', async () => {
    const file = await idler('AnyDesk-like', '/bin/sh');
    writeFileSync(file, '#!/bin/sh\nread line\n');
    const before = Date.now() - 60_000;
    const { pid } = run(file, [], undefined, 'pipe');
    const script = await until('the script', () => {
      const seen = describeProcess(stat(pid));
      return seen.runs?.path === file ? seen : null;
    });
    expect(os.fileChanged(script)).toBeGreaterThan(before);
    const { runs: _script, ...shell } = script;
    expect(os.fileChanged(shell)).toBeLessThan(before);
    rmSync(file);
    expect(os.fileChanged(script)).toBeNull();
  });

  it.runIf(process.getuid?.() === 0 && existsSync('/run/systemd/system'))('a service of systemd is recognized', async () => {
    const file = await idler('AnyDesk-like');
    const unit = 'porchlight-test-start.service';
    onTestFinished(() => void spawnSync('systemctl', ['stop', unit]));
    expect(spawnSync('systemd-run', ['--unit', unit, file, '60']).status).toBe(0);
    const program = await until('the program', () => runningFrom(file)[0]);
    expect(os.startedBy(program)).toBe('service_manager');
  });
});
