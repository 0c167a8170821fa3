import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../../testing/agent.ts';
import { until } from '../../../testing/until.ts';
import { openBridge } from './bridge.ts';

/** A pipe of the service that records reports of blocked files. */
async function recordingBridge() {
  const path = join(await temporaryFolder(), 'bridge');
  const blocked: string[] = [];
  const bridge = await openBridge({ open: () => {}, help: () => {}, blocked: (file) => void blocked.push(file), atScreen: () => 1 }, path);
  onTestFinished(() => bridge.close());
  const say = async (...lines: unknown[]): Promise<Socket> => {
    const socket = connect(path).on('error', () => {});
    onTestFinished(() => void socket.destroy());
    await new Promise((resolve) => socket.write(lines.map((line) => `${JSON.stringify(line)}\n`).join(''), resolve));
    return socket.resume();
  };
  return { bridge, blocked, say };
}
const blockedReport = (path: string) => ({ kind: 'blocked', path });

test('the pipe of the Windows service closes although a silent client stays connected', async () => {
  const { bridge, blocked, say } = await recordingBridge();
  const silentSocket = await say();
  await say(blockedReport('C:\\AnyDesk.exe'));
  await until('a line, so that both are there', () => blocked.length);
  await bridge.close();
  await until('the end of the one that said nothing', () => silentSocket.closed);
});

test.each([
  '\\\\203.0.113.9\\x\\AnyDesk.exe',
  '//203.0.113.9/x/AnyDesk.exe',
  '\\\\?\\UNC\\203.0.113.9\\x\\AnyDesk.exe',
  '\\\\.\\pipe\\x',
  '\\Device\\Mup\\203.0.113.9\\x\\AnyDesk.exe',
  'AnyDesk.exe',
  'C:AnyDesk.exe',
])('a report of %s, which is not a local file, is ignored and ends the connection', async (path) => {
  const { blocked, say } = await recordingBridge();
  const socket = await say(blockedReport(path));
  await until('the end of the connection', () => socket.closed);
  expect(blocked).toEqual([]);
});

test('a client that sends too many messages to the Windows service is disconnected', async () => {
  const { blocked, say } = await recordingBridge();
  const socket = await say(...Array.from({ length: 100 }, () => blockedReport('C:\\AnyDesk.exe')));
  await until('the end of the connection', () => socket.closed);
  expect(blocked.length).toBeLessThanOrEqual(5);
});

test('blocked files reported over many connections are logged at most ten times a minute', async () => {
  const { blocked, say } = await recordingBridge();
  const sockets = await Promise.all(
    Array.from({ length: 30 }, () => say(blockedReport('C:\\AnyDesk.exe'), 'what makes no sense, so that it hangs up')),
  );
  await until('the end of all', () => sockets.every(({ closed }) => closed));
  expect(blocked).toHaveLength(10);
});
