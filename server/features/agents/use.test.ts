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

const nothing = async () => {};

test('that a device is connected is noted for none that is being removed at that moment, and for the one beside it', async () => {
  const { token } = await person(server);
  const [going, kept] = [await linkedDevice(server, token), await linkedDevice(server, token, 'Kept PC')];
  const use = deviceUse(server.db, server.clock);
  let noting: Promise<unknown> = Promise.resolve();
  await server.db.transaction().execute(async (trx) => {
    await trx.deleteFrom('devices').where('uuid', '=', going.uuid).execute();
    noting = use.note(going.uuid, nothing);
    const waiting = sql<{
      n: number;
    }>`select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    await expect.poll(async () => (await waiting.execute(trx)).rows[0]?.n, { timeout: 20_000 }).toBeGreaterThan(0);
  });
  expect(await noting).toBe('not yet');
  expect(await use.note(kept.uuid, nothing)).toBe('not yet');
  const rows = await server.db.selectFrom('device_use').select('device').execute();
  expect(rows).toEqual([{ device: kept.uuid }]);
});

test('a device whose hour could not be written down together with its new policy comes to it with the next call', async () => {
  const { token } = await person(server);
  const [{ uuid }, other] = [await linkedDevice(server, token), await linkedDevice(server, token, 'Other PC')];
  const use = deviceUse(server.db, server.clock);
  await server.db
    .insertInto('device_use')
    .values([uuid, other.uuid].map((device) => ({ device, connected_ms: serverLimits.pin_hash_after - 1_000, last: server.clock.now() })))
    .execute();
  server.clock.turn(1_000);
  const stumble = async () => {
    throw new Error('the database stumbles');
  };
  await expect(use.note(uuid, stumble)).rejects.toThrow('stumbles');
  let bumped = 0;
  const bump = async () => void (bumped += 1);
  expect([await use.note(uuid, bump), await use.note(uuid, bump), bumped]).toEqual(['now', 'before', 1]);
  expect(await use.note(other.uuid, nothing)).toBe('now');
});
