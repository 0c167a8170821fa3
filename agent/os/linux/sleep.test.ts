import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../testing/agent.ts';
import { requirePrograms } from '../../testing/left-out.ts';
import { until } from '../../testing/until.ts';
import { watchSleep } from './sleep.ts';

const emitterPath = new URL('../../testing/emit-sleep.ts', import.meta.url).pathname;

/** A private system bus with a simulated logind, and a systemd-inhibit that logs when its lock is taken and released. */
async function startSystemBus() {
  const folder = await temporaryFolder();
  const [socket, config, log, inhibitPath] = ['bus', 'bus.conf', 'log', 'systemd-inhibit'].map((name) => join(folder, name)) as [
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
  await writeFile(
    inhibitPath,
    `#!/bin/sh\nwhile [ "\${1#--}" != "$1" ]; do shift; done\necho taken >> ${log}\n"$@"\necho let go >> ${log}\n`,
  );
  await chmod(inhibitPath, 0o755);
  const killAtEnd = (child: ChildProcess) => {
    onTestFinished(() => void child.kill('SIGKILL'));
    return child;
  };
  killAtEnd(spawn('dbus-daemon', ['--nofork', `--config-file=${config}`], { stdio: 'ignore' }));
  await until('the bus', () => existsSync(socket));
  const env = { PATH: process.env.PATH, DBUS_SYSTEM_BUS_ADDRESS: `unix:path=${socket}` };
  /** With the argument `other`: a sender that is not logind. */
  const announcer = async (...args: string[]) => {
    const child = killAtEnd(spawn(process.execPath, [emitterPath, ...args], { env, stdio: ['pipe', 'pipe', 'inherit'] }));
    let reply = '';
    child.stdout?.on('data', (text: Buffer) => (reply += text.toString()));
    await until('the sender', () => reply.includes('ready'));
    return (asleep: boolean) => void child.stdin?.write(`${asleep}\n`);
  };
  const tools = { busctl: '/usr/bin/busctl', 'systemd-inhibit': inhibitPath, cat: '/bin/cat' };
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

test('A8: on Linux sleep is reported while logind waits, the sleep lock is taken again on waking, and signals not from logind are ignored', async (context) => {
  requirePrograms(context, { busctl: 'systemd', 'dbus-daemon': 'dbus' });
  const bus = await startSystemBus();
  const [logindSender, foreignSender] = [await bus.announcer(), await bus.announcer('other')];
  const events: string[] = [];
  let finishCallback = () => {};
  const watch = watchSleep(
    bus.tools,
    {
      beforeSleep: () => {
        events.push('going');
        return new Promise((resolve) => (finishCallback = resolve));
      },
      afterSleep: () => void events.push('back'),
    },
    bus.env,
  );
  onTestFinished(watch.close);
  await until('the lock and the ear', () => watch.works());
  expect(await bus.locks()).toEqual(['taken']);
  foreignSender(true);
  logindSender(true);
  await until('sleep', () => events.length);
  // The lock is released only after the sleep callback.
  expect(await bus.locks()).toEqual(['taken']);
  finishCallback();
  await until('the lock to be let go', async () => (await bus.locks()).length === 2);
  expect(await bus.locks()).toEqual(['taken', 'let go']);
  logindSender(false);
  await until('waking', () => events.length === 2);
  expect(events).toEqual(['going', 'back']);
  await until('the next lock', () => watch.works());
  expect(await bus.locks()).toEqual(['taken', 'let go', 'taken']);
  watch.close();
  await until('the lock to be gone', async () => (await bus.locks()).length === 4);
});

test('A8: on Linux without logind the agent does not promise to report sleep', async () => {
  const callbacks = { beforeSleep: async () => {}, afterSleep: () => {} };
  const watchWithoutTools = watchSleep({ busctl: null, 'systemd-inhibit': null, cat: null }, callbacks);
  onTestFinished(watchWithoutTools.close);
  expect(watchWithoutTools.works()).toBe(false);
  const watchWithoutLogind = watchSleep({ busctl: '/bin/false', 'systemd-inhibit': '/bin/false', cat: '/bin/cat' }, callbacks, {}, 10);
  onTestFinished(watchWithoutLogind.close);
  expect(watchWithoutLogind.works()).toBe(false);
});
