import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../../testing/agent.ts';
import { until } from '../../../testing/until.ts';
import { openBridge } from './bridge.ts';

/** A bridge that is closed at the end, and what it heard was kept from starting. */
async function bridgeThatHears() {
  const path = join(await temporaryFolder(), 'bridge');
  const blocked: string[] = [];
  const bridge = await openBridge({ open: () => {}, blocked: (file) => void blocked.push(file), atScreen: () => 1 }, path);
  onTestFinished(() => bridge.close());
  /** Says these lines at once; answers when the bridge has taken it, or has hung up. */
  const say = async (...lines: unknown[]): Promise<Socket> => {
    const socket = connect(path).on('error', () => {});
    onTestFinished(() => void socket.destroy());
    await new Promise((resolve) => socket.write(lines.map((line) => `${JSON.stringify(line)}\n`).join(''), resolve));
    return socket.resume();
  };
  return { bridge, blocked, say };
}
const denied = (path: string) => ({ kind: 'blocked', path });

test('the bridge closes although a silent client stays connected', async () => {
  const { bridge, blocked, say } = await bridgeThatHears();
  const silent = await say();
  await say(denied('C:\\AnyDesk.exe'));
  await until('a line, so that both are there', () => blocked.length);
  await bridge.close();
  await until('the end of the one that said nothing', () => silent.closed);
});

test.each([
  '\\\\203.0.113.9\\x\\AnyDesk.exe',
  '//203.0.113.9/x/AnyDesk.exe',
  '\\\\?\\UNC\\203.0.113.9\\x\\AnyDesk.exe',
  '\\\\.\\pipe\\x',
  '\\Device\\Mup\\203.0.113.9\\x\\AnyDesk.exe',
  'AnyDesk.exe',
  'C:AnyDesk.exe',
])('%s is no file of this computer: whoever says so is hung up on, and nothing is looked at', async (path) => {
  const { blocked, say } = await bridgeThatHears();
  const socket = await say(denied(path));
  await until('the end of the connection', () => socket.closed);
  expect(blocked).toEqual([]);
});

test('a flooding client is disconnected', async () => {
  const { blocked, say } = await bridgeThatHears();
  const socket = await say(...Array.from({ length: 100 }, () => denied('C:\\AnyDesk.exe')));
  await until('the end of the connection', () => socket.closed);
  expect(blocked.length).toBeLessThanOrEqual(5);
});

test('a flood over many connections is logged at most ten times a minute', async () => {
  const { blocked, say } = await bridgeThatHears();
  const sockets = await Promise.all(
    Array.from({ length: 30 }, () => say(denied('C:\\AnyDesk.exe'), 'what makes no sense, so that it hangs up')),
  );
  await until('the end of all', () => sockets.every(({ closed }) => closed));
  expect(blocked).toHaveLength(10);
});
