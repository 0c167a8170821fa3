import { hour, minute } from '@porchlight/contract/time.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { callerOf } from '../../http/caller-of.ts';
import { sealer } from '../../secrets/seal.ts';
import { fakeAddress, linkedDevice, person, type TestServer, testServer } from '../../testing/world.ts';
import { deviceNetworkStore } from './device-networks.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const keys = () => sealer('a secret key for tests, thirty-two characters');
const near = (account: string, caller: string) => deviceNetworkStore(server.db, server.clock, keys()).isNear(account, caller);

async function accountWithDevices(...names: string[]) {
  const { token, email } = await person(server);
  const { uuid } = await server.db.selectFrom('accounts').select('uuid').where('email', '=', email).executeTakeFirstOrThrow();
  const devices = [];
  for (const name of names) devices.push(await linkedDevice(server, token, name));
  return { account: uuid, token, devices };
}
const checkIn = (agent: string, address: string, target = server) =>
  target.call('POST /agent/goodbye', { token: agent, body: { reason: 'shutdown' }, headers: { 'x-forwarded-for': address } });
/** The rows with the transactions that wrote or locked them last: `xmin` changes with each write. */
const rowsOf = async (device: string) =>
  (
    await sql<{ xmin: string; xmax: string; seen: Date }>`select xmin, xmax, seen from device_networks where device = ${device}`.execute(
      server.db,
    )
  ).rows;

test('a device is near for callers from the networks that it called from, and only in its own account', async () => {
  const { account, devices } = await accountWithDevices('Den PC', 'Attic PC');
  const [den, attic] = devices as [(typeof devices)[0], (typeof devices)[0]];
  const neighbour = await accountWithDevices('Their PC');
  const [home, cafe] = [fakeAddress(), fakeAddress()];
  expect((await checkIn(den.agent, home)).status).toBe(200);
  await checkIn(den.agent, '2001:db8:5:6:1::1');
  await checkIn(attic.agent, cafe);
  await checkIn(neighbour.devices[0]?.agent ?? '', home);
  expect(await near(account, home)).toEqual([den.uuid]);
  expect(await near(account, '2001:db8:5:6::/64')).toEqual([den.uuid]);
  expect(await near(account, cafe)).toEqual([attic.uuid]);
  expect(await near(account, '2001:db8:5:7::/64')).toEqual([]);
  expect(await near(neighbour.account, home)).toEqual([neighbour.devices[0]?.uuid]);
  expect(await near(neighbour.account, cafe)).toEqual([]);
  await checkIn(attic.agent, home);
  expect(await near(account, home)).toEqual([den.uuid, attic.uuid].toSorted());
});

test.each([
  ['192.168.1.20', '192.168.1.77', '192.168.2.20'],
  ['10.1.2.3', '10.1.2.200', '10.1.3.3'],
  ['172.16.0.9', '::ffff:172.16.0.10', '172.17.0.9'],
  ['169.254.3.4', '169.254.3.5', '169.254.4.4'],
  ['fd00:1::1', 'fd00:1::2', 'fd00:2::1'],
  ['fe80::1%eth0', 'fe80::2', 'fd00::2'],
])('[P18.3] where the server is at home, a device at %s is near to a caller at %s, and not to one at %s', async (at, neighbour, other) => {
  const { account, devices } = await accountWithDevices('Den PC');
  await checkIn(devices[0]?.agent ?? '', at);
  expect(await near(account, callerOf(neighbour))).toEqual([devices[0]?.uuid]);
  expect(await near(account, callerOf(other))).toEqual([]);
});

test('[P18.3] an address of the server’s own computer, or an unreadable one, is stored as no network', async () => {
  const { account, devices } = await accountWithDevices('Den PC');
  const agent = devices[0]?.agent ?? '';
  for (const address of ['127.0.0.1', '127.8.0.1', '::1', '::ffff:127.0.0.1', 'unknown', '198.51.100.8:port'])
    expect((await checkIn(agent, address)).status).toBe(200);
  expect(await rowsOf(devices[0]?.uuid ?? '')).toEqual([]);
  expect(await near(account, '127.0.0.1')).toEqual([]);
  const home = fakeAddress();
  await checkIn(agent, home);
  expect(await near(account, home)).toEqual([devices[0]?.uuid]);
});

test('a call with a wrong token, or of a removed device, makes no network near', async () => {
  const { account, token, devices } = await accountWithDevices('Den PC', 'Attic PC');
  const [den, attic] = devices as [(typeof devices)[0], (typeof devices)[0]];
  const [home, cafe] = [fakeAddress(), fakeAddress()];
  await checkIn(den.agent, home);
  await checkIn(attic.agent, home);
  expect((await checkIn(`${den.agent.slice(0, -1)}_`, cafe)).status).toBe(401);
  await server.call(`DELETE /web/devices/${attic.uuid}`, { token });
  expect((await checkIn(attic.agent, cafe)).status).toBe(410);
  // The call of a device that is removed while it runs.
  await deviceNetworkStore(server.db, server.clock, keys()).noteNetwork(attic.uuid, cafe);
  expect(await near(account, cafe)).toEqual([]);
  expect(await near(account, home)).toEqual([den.uuid]);
});

test('a network stays near for 24 hours after the last call, and its row is deleted later', async () => {
  const { account, devices } = await accountWithDevices('Den PC', 'Attic PC');
  const [den, attic] = devices as [(typeof devices)[0], (typeof devices)[0]];
  const [home, cafe] = [fakeAddress(), fakeAddress()];
  await checkIn(den.agent, home);
  await checkIn(attic.agent, cafe);
  // This call is not written, and counts nevertheless.
  server.clock.turn(59 * minute);
  await checkIn(den.agent, home);
  server.clock.turn(24 * hour - 1);
  expect(await near(account, home)).toEqual([den.uuid]);
  await checkIn(attic.agent, cafe);
  server.clock.turn(minute + 1);
  expect(await near(account, home)).toEqual([]);
  expect(await near(account, cafe)).toEqual([attic.uuid]);
  server.clock.turn(hour);
  await server.app.worker.idle();
  expect(await rowsOf(den.uuid)).toEqual([]);
  expect(await rowsOf(attic.uuid)).toHaveLength(1);
});

test('a thousand polls of a device within a minute are one write, also when two servers share them', async () => {
  const { devices } = await accountWithDevices('Den PC', 'Attic PC');
  const [den, attic] = devices as [(typeof devices)[0], (typeof devices)[0]];
  const home = fakeAddress();
  const otherServer = await testServer({}, undefined, { otherServer: server });
  otherServer.clock.turn(server.clock.now().getTime() - otherServer.clock.now().getTime());
  try {
    // A call that the gate lets pass and whose query is invalid, which is quick.
    const poll = (target: TestServer) =>
      target.call('GET /agent/definitions?known_keys=none', { token: den.agent, headers: { 'x-forwarded-for': home } });
    expect((await poll(server)).status).toBe(422);
    const firstWrite = await rowsOf(den.uuid);
    expect(firstWrite).toHaveLength(1);
    await checkIn(attic.agent, home);
    for (let i = 0; i < 50; i++) {
      for (const { clock } of [server, otherServer]) clock.turn(minute / 50);
      await Promise.all(Array.from({ length: 20 }, (_, n) => poll(n % 2 ? server : otherServer)));
    }
    expect(await rowsOf(den.uuid)).toEqual(firstWrite);
    server.clock.turn(59 * minute);
    await poll(server);
    const [secondWrite] = await rowsOf(den.uuid);
    expect(secondWrite?.seen).toEqual(server.clock.now());
    expect((await rowsOf(attic.uuid))[0]?.seen).toEqual(firstWrite[0]?.seen);
  } finally {
    await otherServer.close();
  }
});

test('networks are stored as keyed hashes', async () => {
  const { devices } = await accountWithDevices('Den PC');
  const home = fakeAddress();
  await checkIn(devices[0]?.agent ?? '', home);
  const rows = await server.db
    .selectFrom('device_networks')
    .selectAll()
    .where('device', '=', devices[0]?.uuid ?? '')
    .execute();
  expect(rows.map(({ network_hash }) => network_hash.toString('base64url'))).toEqual([keys().mac('device-network', home)]);
});
