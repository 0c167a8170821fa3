import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { agentForTest, ended, serverForTest, temporaryFolder } from '../testing/agent.ts';
import { browserOf } from '../testing/browser.ts';
import { until } from '../testing/until.ts';
import { askForWindow, openWindowSocket } from './desktop/show-window-socket.ts';

const COUNT = 300;
const MAX_CONNECTIONS = 64;

/** Opens connections that ask for nothing and never end. Returns how many the agent has ended. */
async function idleConnections(open: () => Socket, isWritten = false): Promise<() => number> {
  const sockets = Array.from({ length: COUNT }, () => open().on('error', () => {}));
  onTestFinished(() => sockets.forEach((socket) => void socket.destroy()));
  let [connected, closed] = [0, 0];
  for (const socket of sockets) {
    socket.once('connect', () => connected++).once('close', () => closed++);
    socket.resume();
  }
  await until('the connections', () => connected + closed >= COUNT && connected > 0);
  return () => {
    // Only what is written shows a program that its connection has ended.
    for (const socket of sockets) if (isWritten) socket.write(' ');
    return closed;
  };
}

it('a program with 300 idle connections leaves the agent 64, the window opens, and a listed program is ended', async () => {
  const server = await serverForTest();
  const test = await agentForTest(server);
  await test.linked();
  const closed = await idleConnections(() => connect({ port: test.agent.port ?? 0, host: '127.0.0.1' }));
  await until('the limit', () => COUNT - closed() <= MAX_CONNECTIONS);
  expect(await test.status()).toMatchObject({ status: 200 });
  expect(await (await browserOf(test)).page()).toContain('</html>');
  await ended(test, test.os.start({ name: 'anydesk' }));
  await until('the end of all idle connections', () => closed() === COUNT);
});

it('a program that leaves 300 connections to the socket of the window open does not stop others from opening it', async () => {
  const path = join(await temporaryFolder(), 'window');
  let shown = 0;
  const socket = await openWindowSocket(path, () => void shown++);
  const closed = await idleConnections(() => connect({ path, allowHalfOpen: true }), true);
  await until('the limit', () => COUNT - closed() <= MAX_CONNECTIONS);
  expect(await askForWindow([path])).toBe(true);
  await until('the end of all idle connections', () => closed() === COUNT);
  expect(shown).toBeGreaterThan(0);
  await socket?.close();
});
