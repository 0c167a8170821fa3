import { serverLimits } from '@porchlight/contract/server-limits.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { linkedDevice, person, type TestServer, testServer } from '../../testing/world.ts';
import { deviceUse } from './use.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const doNothing = async () => {};

test('recording the use of a device that is being removed stores nothing, and the device beside it is unaffected', async () => {
  const { token } = await person(server);
  const [removedDevice, remainingDevice] = [await linkedDevice(server, token), await linkedDevice(server, token, 'Kept PC')];
  const usage = deviceUse(server.db, server.clock, doNothing);
  let pendingNote: Promise<unknown> = Promise.resolve();
  await server.db.transaction().execute(async (trx) => {
    await trx.deleteFrom('devices').where('uuid', '=', removedDevice.uuid).execute();
    pendingNote = usage.note(removedDevice.uuid);
    const waiting = sql<{
      n: number;
    }>`select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    await expect.poll(async () => (await waiting.execute(trx)).rows[0]?.n, { timeout: 20_000 }).toBeGreaterThan(0);
  });
  expect(await pendingNote).toBe('not yet');
  expect(await usage.note(remainingDevice.uuid)).toBe('not yet');
  const rows = await server.db.selectFrom('device_use').select('device').execute();
  expect(rows).toEqual([{ device: remainingDevice.uuid }]);
});

test("when storing a device's completed hour of use fails, the next call completes the hour", async () => {
  const { token } = await person(server);
  const [{ uuid }, otherDevice] = [await linkedDevice(server, token), await linkedDevice(server, token, 'Other PC')];
  let bumpCount = 0;
  const failOnce = async () => {
    if (bumpCount++ === 0) throw new Error('the database stumbles');
  };
  const usage = deviceUse(server.db, server.clock, failOnce);
  await server.db
    .insertInto('device_use')
    .values(
      [uuid, otherDevice.uuid].map((device) => ({ device, connected_ms: serverLimits.pin_hash_after - 1_000, last: server.clock.now() })),
    )
    .execute();
  server.clock.turn(1_000);
  await expect(usage.note(uuid)).rejects.toThrow('stumbles');
  expect([await usage.note(uuid), await usage.note(uuid), bumpCount]).toEqual(['now', 'before', 2]);
  expect(await usage.note(otherDevice.uuid)).toBe('now');
});
