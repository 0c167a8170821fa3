import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { serverForTest, temporaryFolder } from '../../testing/agent.ts';
import { skipTest } from '../../testing/left-out.ts';
import { notifySocket } from '../../testing/notify-socket.ts';
import { until } from '../../testing/until.ts';
import { systemd } from './systemd.ts';

const mainPath = fileURLToPath(new URL('../../main.ts', import.meta.url));

test('[P4.7] the agent notifies systemd’s watchdog regularly, but not while it hangs', async (context) => {
  const socket = (await notifySocket()) ?? skipTest(context, 'koffi is not here.');
  const server = await serverForTest();
  const env = {
    ...{ PATH: process.env.PATH, PORCHLIGHT_SERVER: server.url, AGENT_DATA_DIR: await temporaryFolder(), AGENT_LOOPBACK_PORT: '0' },
    ...{ NOTIFY_SOCKET: socket.path, WATCHDOG_USEC: '300000' },
  };
  const child = spawn(process.execPath, [mainPath, '--free'], { env, stdio: 'ignore' });
  onTestFinished(() => void child.kill('SIGKILL'));
  await until('five words', () => socket.messages.length >= 5);
  expect(new Set(socket.messages)).toEqual(new Set(['WATCHDOG=1']));
  child.kill('SIGSTOP');
  await until('silence for longer than is allowed', () => socket.silentFor() > 600);
  const sentBefore = socket.messages.length;
  child.kill('SIGCONT');
  await until('the next word', () => socket.messages.length > sentBefore);
});

test('the pid of a successor process is reported to systemd as the main process', async (context) => {
  const socket = (await notifySocket()) ?? skipTest(context, 'koffi is not here.');
  const manager = await systemd({ NOTIFY_SOCKET: socket.path });
  manager?.successor(4711);
  await until('the number', () => socket.messages.includes('MAINPID=4711'));
  manager?.close();
});

test('without NOTIFY_SOCKET, notifying systemd does nothing', async () => {
  expect(await systemd({})).toBeNull();
  const manager = await systemd({ NOTIFY_SOCKET: '/nonexistent/notify', WATCHDOG_USEC: '1000' });
  manager?.successor(1);
  manager?.close();
});
