import { noUnlistedPolicy } from '@porchlight/contract/unlisted-protection.ts';
import { expect, it } from 'vitest';
import { fakeOs } from '../os/fake/fake.ts';
import { agentForTest, serverForTest, type TestAgent } from '../testing/agent.ts';
import { sitesWithoutSystem } from '../testing/dns-command.ts';
import type { TestServer } from '../testing/server.ts';
import { until } from '../testing/until.ts';

const set = async (server: TestServer, doors: 'block' | 'alert' | 'ignore') => {
  server.setPolicy({ unlisted: { ...noUnlistedPolicy, doors } });
  await until('the policy', () => server.policy_in_force === server.policy.version);
};
const reported = (server: TestServer) => [...server.detections.values()];
const isStored = ({ store }: TestAgent, wanted: object) =>
  until('the doors to be stored', async () => {
    const stored = await store.doors.load();
    return (
      stored && Object.entries(wanted).every(([door, state]) => JSON.stringify(stored.state[door as 'proxy']) === JSON.stringify(state))
    );
  });

async function computer(doors: 'block' | 'alert' | 'ignore' = 'block') {
  const [server, os] = [await serverForTest(), fakeOs()];
  const test = await agentForTest(server, { os, sites: sitesWithoutSystem });
  await test.linked();
  await set(server, doors);
  await isStored(test, { remote_desktop: false });
  return { server, os, test };
}

it('[P12.5] Remote Desktop that is switched on is switched off again and reported, each time, and what was on before stays on', async () => {
  const [server, os] = [await serverForTest(), fakeOs()];
  os.openDoor({ screen_sharing: true });
  const test = await agentForTest(server, { os, sites: sitesWithoutSystem });
  await test.linked();
  await set(server, 'block');
  await isStored(test, { screen_sharing: true });
  for (const time of [1, 2]) {
    os.openDoor({ remote_desktop: true });
    await until('the report', () => reported(server).length === time);
    expect(os.doorState).toMatchObject({ remote_desktop: false, screen_sharing: true });
  }
  expect(reported(server)).toMatchObject(
    [1, 2].map(() => ({ category: 'Door', identifier: 'door-remote-desktop', name: 'Remote Desktop', blocked: true })),
  );
});

it('[P12.5] added lines of the hosts file are removed, and the others stay', async () => {
  const { server, os } = await computer();
  os.openDoor({ hosts_file: { entries: ['203.0.113.9 www.chase.com', '192.168.1.5 printer.lan'] } });
  await until('the report', () => reported(server).length === 1);
  expect(os.doorState.hosts_file?.entries).toEqual(['192.168.1.5 printer.lan']);
  expect(reported(server)).toMatchObject([{ identifier: 'door-hosts-file', details: 'www.chase.com', blocked: true }]);
});

it('[P12.5] a new administrator is reported once as not blocked, and keeps the account', async () => {
  const { server, os, test } = await computer();
  os.openDoor({ administrators: ['helper', 'root'] });
  await until('the report', () => reported(server).length === 1);
  await isStored(test, { administrators: ['helper', 'root'] });
  os.openDoor({});
  await set(server, 'block');
  expect(reported(server)).toMatchObject([
    { identifier: 'door-administrator', name: 'A new administrator', details: 'helper', blocked: false },
  ]);
  expect(os.doorState.administrators).toEqual(['helper', 'root']);
});

it('[P12.5] a door that cannot be closed is reported as not blocked', async () => {
  const { server, os } = await computer();
  os.refusesToClose = true;
  os.openDoor({ remote_shell: true });
  await until('the report', () => reported(server).length === 1);
  expect(reported(server)).toMatchObject([{ identifier: 'door-remote-shell', blocked: false }]);
});

it('[P12.5] what was opened while the agent did not run is found when it starts, and nothing is found at its first start', async () => {
  const { server, os, test } = await computer();
  await test.close();
  os.openDoor({ remote_desktop: true });
  await agentForTest(server, { os, sites: sitesWithoutSystem, folder: test.folder, clock: test.clock });
  await until('the report', () => reported(server).length === 1);
  expect(os.doorState.remote_desktop).toBe(false);
});

it('[P12.5] where the profile only alerts a door stays open and is reported; where it is switched off nothing is, also not afterwards', async () => {
  const { server, os, test } = await computer('alert');
  os.openDoor({ remote_desktop: true });
  await until('the report', () => reported(server).length === 1);
  expect([os.doorState.remote_desktop, reported(server)[0]?.blocked]).toEqual([true, false]);
  await set(server, 'ignore');
  os.openDoor({ remote_shell: true });
  await isStored(test, { remote_shell: true });
  await set(server, 'block');
  os.openDoor({ screen_sharing: true });
  await until('the next report', () => reported(server).length === 2);
  expect(reported(server).map(({ identifier }) => identifier)).toEqual(['door-remote-desktop', 'door-screen-sharing']);
});

it('[P12.5] our own files are reported only when they stay changed for two minutes, and not after an update of ours', async () => {
  const { server, os, test } = await computer();
  os.openDoor({ own_files: 'changed', administrators: [] });
  await isStored(test, { own_files: 'ours', administrators: [] });
  expect(reported(server)).toEqual([]);
  test.clock.up += 2 * 60_000;
  os.openDoor({});
  await until('the report', () => reported(server).length === 1);
  expect(reported(server)).toMatchObject([{ identifier: 'door-own-files', blocked: false }]);
  await test.close();
  os.openDoor({ own_files: 'updated' });
  const next = await agentForTest(server, { os, sites: sitesWithoutSystem, folder: test.folder, clock: test.clock, version: '1.2.4' });
  await isStored(next, { own_files: 'updated' });
  expect(reported(server)).toHaveLength(1);
});

it('1,000 announcements of a change are read one at a time, and the last state is found', async () => {
  const { server, os } = await computer();
  for (let n = 0; n < 1000; n++) os.openDoor({ remote_desktop: false });
  os.openDoor({ remote_desktop: true });
  await until('the report', () => reported(server).length === 1);
  expect(os.doorState.remote_desktop).toBe(false);
});
