import { afterAll, beforeAll, expect, test } from 'vitest';
import { linkIn, person, type TestServer, testServer } from '../testing/world.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const hour = 3_600_000;
const day = 24 * hour;
const count = async (table: 'rate_counts' | 'sessions' | 'email_links') =>
  Number(
    (
      await server.db
        .selectFrom(table)
        .select((q) => q.fn.countAll().as('n'))
        .executeTakeFirstOrThrow()
    ).n,
  );

test('the hourly cleanup deletes expired rows and leaves valid ones', async () => {
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
