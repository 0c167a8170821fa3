import { serverLimits } from '@porchlight/contract/server-limits.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { tokenHash } from '../../../secrets/tokens.ts';
import { statementsDuring } from '../../../testing/statements-during.ts';
import { detection, linkedDevice, person, type TestServer, testServer } from '../../../testing/world.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const versionsOf = async (agent: string) => {
  const { body } = await server.call('GET /agent/policy', { token: agent });
  const { payload } = body.policy as unknown as { payload: string };
  return {
    known: (JSON.parse(payload) as { version: number }).version,
    known_epoch: 1,
    known_definitions: Number(body.definitions_version),
  };
};
type Body = Awaited<ReturnType<typeof versionsOf>> & { protecting?: boolean; wait: number };
const poll = (agent: string, body: Body) => server.call('POST /agent/changes', { token: agent, body: { protecting: true, ...body } });
const deviceRow = (uuid: string) => server.db.selectFrom('devices').selectAll().where('uuid', '=', uuid).executeTakeFirstOrThrow();
/** A device that is watched and was used for an hour, as most are. */
async function restingDevice(token: string, name?: string) {
  const device = await linkedDevice(server, token, name);
  await server.db
    .insertInto('device_use')
    .values({ device: device.uuid, connected_ms: serverLimits.pin_hash_after, last: server.clock.now() })
    .execute();
  const versions = await versionsOf(device.agent);
  await poll(device.agent, { ...versions, wait: 0 });
  return { ...device, versions };
}
test('[P14.5] a poll without a change takes one statement when it begins, none when it ends, and no signature', async () => {
  const { token } = await person(server);
  const { agent, versions } = await restingDevice(token);
  const statements = await statementsDuring(async () => {
    expect((await poll(agent, { ...versions, wait: 1 })).body).toEqual({ changed: false, again_in: 0 });
  });
  expect(statements).toHaveLength(1);
  expect(statements[0]).toContain('device_tokens');
});

test('[P14.5] a change of a device ends its poll at once, and not the poll of another device', async () => {
  const { token } = await person(server);
  const [a, b] = [await restingDevice(token, 'A'), await restingDevice(token, 'B')];
  const changed = poll(a.agent, { ...a.versions, wait: 240 });
  const unchanged = poll(b.agent, { ...b.versions, wait: 2 });
  await expect.poll(() => server.app.agentsWaiting()).toBe(2);
  await server.call(`POST /web/devices/${a.uuid}`, { token, body: { name: 'A', policy: 'permissive' } });
  expect((await changed).body).toEqual({ changed: true, again_in: 0 });
  expect((await unchanged).body).toEqual({ changed: false, again_in: 0 });
  expect((await poll(a.agent, { ...a.versions, wait: 240 })).body.changed).toBe(true);
  expect((await poll(a.agent, { ...(await versionsOf(a.agent)), wait: 0 })).body.changed).toBe(false);
});

test('[P14.5] newer definitions and a higher epoch end a poll, also of a device whose policy is unchanged', async () => {
  const { token } = await person(server);
  const { agent, versions } = await restingDevice(token);
  expect((await poll(agent, { ...versions, known_definitions: versions.known_definitions - 1, wait: 240 })).body.changed).toBe(true);
  expect((await poll(agent, { ...versions, known_epoch: 2, wait: 0 })).body.changed).toBe(false);
});

test('[P14.5] a removed device learns of it from the poll that waits: its next one is refused', async () => {
  const { token } = await person(server);
  const [removed, other] = [await restingDevice(token, 'A'), await restingDevice(token, 'B')];
  const waiting = poll(removed.agent, { ...removed.versions, wait: 240 });
  await expect.poll(() => server.app.agentsWaiting()).toBe(1);
  await server.call(`DELETE /web/devices/${removed.uuid}`, { token });
  expect((await waiting).body.changed).toBe(true);
  expect(await poll(removed.agent, { ...removed.versions, wait: 240 })).toMatchObject({ status: 410, body: { code: 'device_removed' } });
  expect((await poll(other.agent, { ...other.versions, wait: 0 })).status).toBe(200);
  expect((await poll('x'.repeat(43), { ...other.versions, wait: 0 })).status).toBe(401);
});

test('[P14.5] one statement a minute notes all waiting devices as connected, and no others', async () => {
  const { token } = await person(server);
  const [a, b, away] = [await restingDevice(token, 'A'), await restingDevice(token, 'B'), await linkedDevice(server, token, 'Away')];
  const polls = [a, b].map(({ agent, versions }) => poll(agent, { ...versions, wait: 240 }));
  await expect.poll(() => server.app.agentsWaiting()).toBe(2);
  const [before, awayBefore] = [server.clock.now(), await deviceRow(away.uuid)];
  server.clock.turn(7 * 60_000);
  const statements = await statementsDuring(() => server.app.writePresence());
  expect(statements).toHaveLength(1);
  for (const { uuid } of [a, b]) {
    expect((await deviceRow(uuid)).last_seen).toEqual(server.clock.now());
    const { due } = await server.db.selectFrom('device_watch').select('due').where('device', '=', uuid).executeTakeFirstOrThrow();
    expect(due.getTime()).toBe(server.clock.now().getTime() + serverLimits.outage_quiet);
  }
  expect((await deviceRow(away.uuid)).last_seen).toEqual(awayBefore.last_seen);
  expect(awayBefore.last_seen?.getTime()).toBeLessThanOrEqual(before.getTime());
  for (const { uuid } of [a, b]) await server.call(`POST /web/devices/${uuid}`, { token, body: { name: 'X', policy: 'permissive' } });
  await Promise.all(polls);
});

test('[P14.5] a device that something else is changing does not make the statement wait, and is noted right after', async () => {
  const { token } = await person(server);
  const [locked, other] = [await restingDevice(token, 'A'), await restingDevice(token, 'B')];
  const polls = [locked, other].map(({ agent, versions }) => poll(agent, { ...versions, wait: 240 }));
  await expect.poll(() => server.app.agentsWaiting()).toBe(2);
  server.clock.turn(60_000);
  let written: Promise<void> = Promise.resolve();
  await server.db.transaction().execute(async (trx) => {
    await trx.selectFrom('devices').select('uuid').where('uuid', '=', locked.uuid).forUpdate().execute();
    written = server.app.writePresence();
    await expect.poll(async () => (await deviceRow(other.uuid)).last_seen).toEqual(server.clock.now());
    expect((await deviceRow(locked.uuid)).last_seen).not.toEqual(server.clock.now());
  });
  await written;
  expect((await deviceRow(locked.uuid)).last_seen).toEqual(server.clock.now());
  for (const { uuid } of [locked, other])
    await server.call(`POST /web/devices/${uuid}`, { token, body: { name: 'X', policy: 'permissive' } });
  await Promise.all(polls);
});

test('[P14.5] a device that was away is noted when its poll begins, and one whose protection changed as well', async () => {
  const { token } = await person(server);
  const { agent, uuid, versions } = await restingDevice(token);
  server.clock.turn(20 * 60_000);
  await poll(agent, { ...versions, wait: 0 });
  expect((await deviceRow(uuid)).last_seen).toEqual(server.clock.now());
  const seen = server.clock.now();
  server.clock.turn(10_000);
  await poll(agent, { ...versions, wait: 0 });
  expect((await deviceRow(uuid)).last_seen).toEqual(seen);
  await poll(agent, { ...versions, wait: 0, protecting: false });
  expect(await deviceRow(uuid)).toMatchObject({ last_seen: server.clock.now(), protecting: false });
});

test('[P12.7] after a detection a device polls in short rounds, so that its silence is noticed within minutes; another one does not', async () => {
  const { token } = await person(server);
  const [troubled, calm] = [await restingDevice(token, 'A'), await restingDevice(token, 'B')];
  await server.call('POST /agent/detections', { token: troubled.agent, body: { detections: [detection(server)] } });
  const start = { protecting: true, steady: true };
  const waits = [];
  for (const { agent } of [troubled, calm]) waits.push((await server.app.polls.begin(tokenHash(agent), '127.0.0.1', start)).wait_max);
  expect(waits).toEqual([serverLimits.agent_wait_seconds, serverLimits.poll_seconds]);
});

test('[P10.2] a poll notes the network of its device once an hour, and not an address that identifies none', async () => {
  const { token } = await person(server);
  const [far, near] = [await restingDevice(token, 'A'), await restingDevice(token, 'B')];
  const begin = (agent: string, caller: string) => server.app.polls.begin(tokenHash(agent), caller, { protecting: true, steady: true });
  const seenOf = async ({ uuid }: { uuid: string }) =>
    (await server.db.selectFrom('device_networks').select('seen').where('device', '=', uuid).execute()).map(({ seen }) => seen);
  const first = server.clock.now();
  for (let call = 0; call < 3; call++) {
    await begin(far.agent, '203.0.113.9');
    await begin(near.agent, '127.0.0.1');
    expect([await seenOf(far), await seenOf(near)]).toEqual([[first], []]);
    server.clock.turn(25 * 60_000);
  }
  await begin(far.agent, '203.0.113.9');
  expect(await seenOf(far)).toEqual([server.clock.now()]);
});
