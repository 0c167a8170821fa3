import { day, hour } from '@porchlight/contract/time.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newAccount, placedCall } from '../testing/placed-call.ts';
import { linkedDevice, linkIn, person, type TestServer, testServer } from '../testing/world.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const count = async (table: 'rate_counts' | 'sessions' | 'email_links') =>
  Number(
    (
      await server.db
        .selectFrom(table)
        .select((q) => q.fn.countAll().as('n'))
        .executeTakeFirstOrThrow()
    ).n,
  );

test('the hourly job deletes expired rows and leaves valid ones', async () => {
  const { email } = await person(server);
  await server.call('POST /forgot-password', { body: { email } });
  const reset = linkIn((await server.mailsTo(email))[0], '/reset-password/');
  expect(await count('rate_counts')).toBeGreaterThan(0);
  expect([await count('sessions'), await count('email_links')]).toEqual([1, 2]);
  server.clock.turn(2 * day);
  await server.app.worker.idle();
  expect(await count('rate_counts')).toBe(0);
  expect([await count('sessions'), await count('email_links')]).toEqual([1, 2]);
  const expiredReset = { token: reset, password: 'another good password' };
  expect(await server.call('POST /reset-password', { body: expiredReset })).toMatchObject({ body: { code: 'reset_expired' } });
  server.clock.turn(60 * day);
  await server.app.worker.idle();
  expect([await count('rate_counts'), await count('sessions'), await count('email_links')]).toEqual([0, 0, 0]);
});

test('[P10.7] the hourly job deletes one-time codes of more than a day, and leaves later ones', async () => {
  const { token } = await person(server);
  const { uuid: device } = await linkedDevice(server, token);
  const code = { device, purpose: 'pause', program: '', time_window: 0, guardian: device } as const;
  const add = (number: number) =>
    server.db
      .insertInto('one_time_codes')
      .values({ ...code, number, time: server.clock.now() })
      .execute();
  const numbers = async () => {
    await server.app.worker.idle();
    return (await server.db.selectFrom('one_time_codes').select('number').orderBy('number').execute()).map(({ number }) => number);
  };
  await numbers();
  await add(0);
  server.clock.turn(hour);
  await add(1);
  expect(await numbers()).toEqual([0, 1]);
  server.clock.turn(day - hour);
  expect(await numbers()).toEqual([1]);
  server.clock.turn(hour);
  expect(await numbers()).toEqual([]);
});

test('the hourly job deletes calls of more than 90 days with their phone numbers, and leaves later ones', async () => {
  const account = await newAccount(server);
  const numbers = async () => {
    await server.app.worker.idle();
    return (await server.db.selectFrom('calls').select('phone_number').orderBy('created').execute()).map((row) => row.phone_number);
  };
  await placedCall(server, '+12025550143', { account });
  server.clock.turn(hour);
  await placedCall(server, '+12025550144', { account });
  server.clock.turn(90 * day - 2 * hour);
  expect(await numbers()).toEqual(['+12025550143', '+12025550144']);
  server.clock.turn(hour);
  expect(await numbers()).toEqual(['+12025550144']);
  server.clock.turn(hour);
  expect(await numbers()).toEqual([]);
});
