import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../testing/agent.ts';
import { needs } from '../../testing/left-out.ts';
import { until } from '../../testing/until.ts';
import { watchSleep } from './sleep.ts';

const emitter = new URL('../../testing/emit-sleep.ts', import.meta.url).pathname;

/** A system bus of its own, on which the test is logind, and a systemd-inhibit that only says when its lock is taken and let go. */
async function systemBus() {
  const folder = await temporaryFolder();
  const [socket, config, log, inhibit] = ['bus', 'bus.conf', 'log', 'systemd-inhibit'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
    string,
  ];
  const policy = '<allow own="*"/><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/>';
  await writeFile(
    config,
    `<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN" "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig><type>system</type><listen>unix:path=${socket}</listen><auth>EXTERNAL</auth><policy context="default">${policy}</policy></busconfig>`,
  );
  await writeFile(inhibit, `#!/bin/sh\nwhile [ "\${1#--}" != "$1" ]; do shift; done\necho taken >> ${log}\n"$@"\necho let go >> ${log}\n`);
  await chmod(inhibit, 0o755);
  const started = (child: ChildProcess) => {
    onTestFinished(() => void child.kill('SIGKILL'));
    return child;
  };
  started(spawn('dbus-daemon', ['--nofork', `--config-file=${config}`], { stdio: 'ignore' }));
  await until('the bus', () => existsSync(socket));
  const env = { PATH: process.env.PATH, DBUS_SYSTEM_BUS_ADDRESS: `unix:path=${socket}` };
  /** Announces sleep and waking. `other`: it is not logind. */
  const announcer = async (...args: string[]) => {
    const child = started(spawn(process.execPath, [emitter, ...args], { env, stdio: ['pipe', 'pipe', 'inherit'] }));
    let said = '';
    child.stdout?.on('data', (text: Buffer) => (said += text.toString()));
    await until('the sender', () => said.includes('ready'));
    return (asleep: boolean) => void child.stdin?.write(`${asleep}\n`);
  };
  const tools = { busctl: '/usr/bin/busctl', 'systemd-inhibit': inhibit, cat: '/bin/cat' };
  return {
    env,
    tools,
    announcer,
    locks: () =>
      readFile(log, 'utf8').then(
        (text) => text.trim().split('\n'),
        () => [],
      ),
  };
}

test('A8: on Linux the sleep goodbye is sent while logind waits, its lock is taken again on waking, and foreign signals are ignored', async (context) => {
  needs(context, { busctl: 'systemd', 'dbus-daemon': 'dbus' });
  const bus = await systemBus();
  const [logind, other] = [await bus.announcer(), await bus.announcer('other')];
  const heard: string[] = [];
  let said = () => {};
  const watch = watchSleep(
    bus.tools,
    {
      going: () => {
        heard.push('going');
        return new Promise((resolve) => (said = resolve));
      },
      back: () => void heard.push('back'),
    },
    bus.env,
  );
  onTestFinished(watch.close);
  await until('the lock and the ear', () => watch.works());
  expect(await bus.locks()).toEqual(['taken']);
  other(true);
  logind(true);
  await until('sleep', () => heard.length);
  // It still waits: nobody has said goodbye yet.
  expect(await bus.locks()).toEqual(['taken']);
  said();
  await until('the lock to be let go', async () => (await bus.locks()).length === 2);
  expect(await bus.locks()).toEqual(['taken', 'let go']);
  logind(false);
  await until('waking', () => heard.length === 2);
  expect(heard).toEqual(['going', 'back']);
  await until('the next lock', () => watch.works());
  expect(await bus.locks()).toEqual(['taken', 'let go', 'taken']);
  watch.close();
  await until('the lock to be gone', async () => (await bus.locks()).length === 4);
});

test('A8: on Linux without logind no sleep reports are promised', async () => {
  const heard = { going: async () => {}, back: () => {} };
  const none = watchSleep({ busctl: null, 'systemd-inhibit': null, cat: null }, heard);
  onTestFinished(none.close);
  expect(none.works()).toBe(false);
  const away = watchSleep({ busctl: '/bin/false', 'systemd-inhibit': '/bin/false', cat: '/bin/cat' }, heard, {}, 10);
  onTestFinished(away.close);
  expect(away.works()).toBe(false);
});
