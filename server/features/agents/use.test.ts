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
  const usage = deviceUse(server.db, server.clock);
  let pendingNote: Promise<unknown> = Promise.resolve();
  await server.db.transaction().execute(async (trx) => {
    await trx.deleteFrom('devices').where('uuid', '=', removedDevice.uuid).execute();
    pendingNote = usage.note(removedDevice.uuid, doNothing);
    const waiting = sql<{
      n: number;
    }>`select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    await expect.poll(async () => (await waiting.execute(trx)).rows[0]?.n, { timeout: 20_000 }).toBeGreaterThan(0);
  });
  expect(await pendingNote).toBe('not yet');
  expect(await usage.note(remainingDevice.uuid, doNothing)).toBe('not yet');
  const rows = await server.db.selectFrom('device_use').select('device').execute();
  expect(rows).toEqual([{ device: remainingDevice.uuid }]);
});

test("when storing a device's completed hour of use fails, the next call completes the hour", async () => {
  const { token } = await person(server);
  const [{ uuid }, otherDevice] = [await linkedDevice(server, token), await linkedDevice(server, token, 'Other PC')];
  const usage = deviceUse(server.db, server.clock);
  await server.db
    .insertInto('device_use')
    .values(
      [uuid, otherDevice.uuid].map((device) => ({ device, connected_ms: serverLimits.pin_hash_after - 1_000, last: server.clock.now() })),
    )
    .execute();
  server.clock.turn(1_000);
  const failOnce = async () => {
    throw new Error('the database stumbles');
  };
  await expect(usage.note(uuid, failOnce)).rejects.toThrow('stumbles');
  let bumpCount = 0;
  const countBump = async () => void (bumpCount += 1);
  expect([await usage.note(uuid, countBump), await usage.note(uuid, countBump), bumpCount]).toEqual(['now', 'before', 1]);
  expect(await usage.note(otherDevice.uuid, doNothing)).toBe('now');
});
