import { randomUUID } from 'node:crypto';
import { hour } from '@porchlight/contract/time.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fakeAddress, goodPassword, type TestServer, testServer } from '../../testing/world.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

describe('[P2.7] registrations are limited', () => {
  /** A common password is refused only after the caller was counted, and is not hashed. */
  const tryFrom = async (address: string, password = 'password1234') =>
    (
      await server.call('POST /register', {
        body: { name: 'Ann', email: `${randomUUID()}@example.org`, password },
        headers: { 'x-forwarded-for': address },
      })
    ).status;
  const triesFrom = async (addresses: string[]) => {
    const statuses: number[] = [];
    for (const address of addresses) statuses.push(await tryFrom(address));
    return statuses;
  };

  test('for an IPv6 network of 64 bits, and for one of 48 bits, whose customer has 65,536 of these', async () => {
    const inHome = (network: number, length: number) => Array.from({ length }, (_, host) => `2001:db8:7:${network}::${host + 1}`);
    expect(await triesFrom(inHome(1, 21))).toEqual([...Array(20).fill(422), 429]);
    expect(await triesFrom([...inHome(2, 20), ...inHome(3, 20), ...inHome(4, 20)])).toEqual(Array(60).fill(422));
    expect(await triesFrom(['2001:db8:7:5::1', '2001:db8:7:ffff::1', '2001:db8:8:5::1', '198.51.100.7'])).toEqual([429, 429, 422, 422]);
    server.clock.turn(11 * 60_000);
    expect(await triesFrom(['2001:db8:7:5::1'])).toEqual([422]);
  });

  test('for the whole service, beyond 600 an hour, and refused attempts do not count', async () => {
    expect(await tryFrom(fakeAddress(), goodPassword)).toBe(200);
    const { numUpdatedRows } = await server.db
      .updateTable('rate_counts')
      .set({ count: 599, ends: new Date(server.clock.now().getTime() + hour) })
      .where('key', 'like', 'register-all%')
      .executeTakeFirstOrThrow();
    expect(numUpdatedRows).toBe(1n);
    expect(await tryFrom(fakeAddress())).toBe(422);
    expect(await tryFrom(fakeAddress(), goodPassword)).toBe(200);
    expect(await tryFrom(fakeAddress(), goodPassword)).toBe(429);
    server.clock.turn(hour + 1);
    expect(await tryFrom(fakeAddress(), goodPassword)).toBe(200);
  });
});
