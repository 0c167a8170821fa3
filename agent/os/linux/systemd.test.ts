import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { serverForTest, temporaryFolder } from '../../testing/agent.ts';
import { leaveOut } from '../../testing/left-out.ts';
import { notifySocket } from '../../testing/notify-socket.ts';
import { until } from '../../testing/until.ts';
import { systemd } from './systemd.ts';

const main = fileURLToPath(new URL('../../main.ts', import.meta.url));

test('[P4.7] the agent keeps notifying systemd’s watchdog; a hanging one does not, and is restarted', async (context) => {
  const socket = (await notifySocket()) ?? leaveOut(context, 'koffi is not here.');
  const server = await serverForTest();
  const env = {
    ...{ PATH: process.env.PATH, PORCHLIGHT_SERVER: server.url, AGENT_DATA_DIR: await temporaryFolder(), AGENT_LOOPBACK_PORT: '0' },
    ...{ NOTIFY_SOCKET: socket.path, WATCHDOG_USEC: '300000' },
  };
  const child = spawn(process.execPath, [main, '--free'], { env, stdio: 'ignore' });
  onTestFinished(() => void child.kill('SIGKILL'));
  await until('five words', () => socket.said.length >= 5);
  expect(new Set(socket.said)).toEqual(new Set(['WATCHDOG=1']));
  child.kill('SIGSTOP');
  await until('silence for longer than is allowed', () => socket.silentFor() > 600);
  const heard = socket.said.length;
  child.kill('SIGCONT');
  await until('the next word', () => socket.said.length > heard);
});

test('a successor is named to systemd as the main process', async (context) => {
  const socket = (await notifySocket()) ?? leaveOut(context, 'koffi is not here.');
  const keeper = await systemd({ NOTIFY_SOCKET: socket.path });
  keeper?.successor(4711);
  await until('the number', () => socket.said.includes('MAINPID=4711'));
  keeper?.close();
});

test('without NOTIFY_SOCKET, notifying systemd does nothing', async () => {
  expect(await systemd({})).toBeNull();
  const keeper = await systemd({ NOTIFY_SOCKET: '/nonexistent/notify', WATCHDOG_USEC: '1000' });
  keeper?.successor(1);
  keeper?.close();
});
