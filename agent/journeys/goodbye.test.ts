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
  expect(server.calls.filter((call) => call !== 'GET /agent/policy').at(-1)).toBe('POST /agent/goodbye');
  const after = server.calls.length;
  await agentForTest(server, { folder: it.folder });
  await until('it is back', () => server.calls.slice(after).includes('POST /agent/check-in'));
});

test('no goodbye is sent by an unlinked agent, or without a reason', async () => {
  const server = await serverForTest();
  const none = await agentForTest(server);
  await none.agent.close('stopped');
  const { server: other, test: it } = await linked();
  await it.agent.close();
  expect([...server.goodbyes, ...other.goodbyes]).toEqual([]);
});

test('a silent server does not delay a shutdown', async () => {
  const { server, test: it } = await linked();
  server.be('silent');
  const began = performance.now();
  await it.agent.close('shutdown');
  expect(performance.now() - began).toBeLessThan(10_000);
});

test('A8: an agent sends a goodbye before sleep, no check-in during it, and a check-in on waking', async () => {
  const { server, test: it } = await linked();
  await until('a check-in', () => server.said.length > 0);
  expect(server.said.at(-1)).toEqual({ says_sleep: true, away: undefined });
  const before = server.said.length;
  await it.os.sleeper?.going();
  expect(server.goodbyes).toEqual([{ reason: 'sleep' }]);
  // What would make it check in at any other time.
  server.be('failing');
  await until('that it notices', () => it.said.some((sentence) => sentence.includes('cannot be reached')));
  server.be('well');
  await until('that it is back', () => it.said.some((sentence) => sentence.includes('can be reached again')));
  const polls = () => server.calls.filter((call) => call === 'GET /agent/policy').length;
  const polled = polls();
  server.setPolicy({ device_name: 'Desk' });
  await until('two more polls', () => polls() >= polled + 2);
  expect(server.said).toHaveLength(before);
  it.os.sleeper?.back();
  await until('the check-in', () => server.said.length === before + 1);
});

test('A8: an agent that ran offline reports for how long; one restarted since does not', async () => {
  const { server, test: it } = await linked();
  await until('a check-in', () => server.said.length > 0);
  server.be('failing');
  await until('that it notices', () => it.said.some((sentence) => sentence.includes('cannot be reached')));
  it.clock.up += 20 * 60_000;
  const before = server.said.length;
  server.be('well');
  await until('the next check-in', () => server.said.slice(before).some(({ away }) => away === 1200));
  await it.close();
  const second = server.said.length;
  await agentForTest(server, { folder: it.folder, clock: { ...it.clock, up: it.clock.up + 20 * 60_000 } });
  await until('the check-in of the next run', () => server.said.length > second);
  expect(server.said.at(-1)?.away).toBeUndefined();
});

test.each([
  ['stopping', true],
  ['running', false],
  ['degraded', false],
])('Linux: systemd that says %s', async (state, expected) => {
  const folder = await temporaryFolder();
  const systemctl = join(folder, 'systemctl');
  await writeFile(systemctl, `#!/bin/sh\n[ "$1" = is-system-running ] && echo ${state}\n[ ${state} = running ]\n`);
  await chmod(systemctl, 0o755);
  expect(await linux({ PATH: folder }).shuttingDown()).toBe(expected);
});

test('on Linux without systemd a stop counts as the program’s own', async () => {
  expect(await linux({ PATH: await temporaryFolder() }).shuttingDown()).toBe(false);
});
