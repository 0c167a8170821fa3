import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { linux } from '../os/linux/linux.ts';
import { agentForTest, linked, serverForTest, temporaryFolder } from '../testing/agent.ts';
import { until } from '../testing/until.ts';

test.each(['shutdown', 'stopped'] as const)('an agent that ends sends its reason as its last call: %s', async (why) => {
  const { server, test: it } = await linked();
  await it.agent.close(why);
  expect(server.goodbyes).toEqual([{ reason: why }]);
  expect(server.calls.filter((call) => call !== 'GET /agent/policy' && call !== 'POST /agent/changes').at(-1)).toBe('POST /agent/goodbye');
  const callCount = server.calls.length;
  await agentForTest(server, { folder: it.folder });
  await until('it is back', () => server.calls.slice(callCount).includes('POST /agent/check-in'));
});

test('no goodbye is sent by an unlinked agent, or without a reason', async () => {
  const server = await serverForTest();
  const unlinkedAgent = await agentForTest(server);
  await unlinkedAgent.agent.close('stopped');
  const { server: otherServer, test: linkedAgent } = await linked();
  await linkedAgent.agent.close();
  expect([...server.goodbyes, ...otherServer.goodbyes]).toEqual([]);
});

test('a silent server does not delay a shutdown', async () => {
  const { server, test: it } = await linked();
  server.setMood('silent');
  const startedAt = performance.now();
  await it.agent.close('shutdown');
  expect(performance.now() - startedAt).toBeLessThan(10_000);
});

test('A8: an agent sends a goodbye before sleep, no check-in during it, and a check-in on waking', async () => {
  const { server, test: it } = await linked();
  await until('a check-in', () => server.checkIns.length > 0);
  expect(server.checkIns.at(-1)).toEqual({ says_sleep: true, away: undefined });
  const checkInsBefore = server.checkIns.length;
  await it.os.sleepCallbacks?.beforeSleep();
  expect(server.goodbyes).toEqual([{ reason: 'sleep' }]);
  // Waits for a poll after a reconnect, which would otherwise trigger a check-in.
  server.setMood('failing');
  await until('that it notices', () => it.logLines.some((sentence) => sentence.includes('cannot be reached')));
  server.setMood('well');
  await until('that it is back', () => it.logLines.some((sentence) => sentence.includes('can be reached again')));
  const polls = () => server.polls();
  const polled = polls();
  server.setPolicy({ device_name: 'Desk' });
  await until('another poll', () => polls() > polled);
  expect(server.checkIns).toHaveLength(checkInsBefore);
  it.os.sleepCallbacks?.afterSleep();
  await until('the check-in', () => server.checkIns.length === checkInsBefore + 1);
});

test('A8: an agent reports how long it was offline while it ran; after a restart it reports nothing', async () => {
  const { server, test: it } = await linked();
  await until('a check-in', () => server.checkIns.length > 0);
  server.setMood('failing');
  await until('that it notices', () => it.logLines.some((sentence) => sentence.includes('cannot be reached')));
  it.clock.up += 20 * 60_000;
  const checkInsBefore = server.checkIns.length;
  server.setMood('well');
  await until('the next check-in', () => server.checkIns.slice(checkInsBefore).some(({ away }) => away === 1200));
  await it.close();
  const checkInsAfter = server.checkIns.length;
  await agentForTest(server, { folder: it.folder, clock: { ...it.clock, up: it.clock.up + 20 * 60_000 } });
  await until('the check-in of the next run', () => server.checkIns.length > checkInsAfter);
  expect(server.checkIns.at(-1)?.away).toBeUndefined();
});

test.each([
  ['stopping', true],
  ['running', false],
  ['degraded', false],
])('on Linux a systemd state of %s determines whether the computer shuts down', async (state, expected) => {
  const folder = await temporaryFolder();
  const systemctl = join(folder, 'systemctl');
  await writeFile(systemctl, `#!/bin/sh\n[ "$1" = is-system-running ] && echo ${state}\n[ ${state} = running ]\n`);
  await chmod(systemctl, 0o755);
  expect(await linux({ PATH: folder }).shuttingDown()).toBe(expected);
});

test('on Linux without systemd a stop of the agent does not count as a shutdown of the computer', async () => {
  expect(await linux({ PATH: await temporaryFolder() }).shuttingDown()).toBe(false);
});
