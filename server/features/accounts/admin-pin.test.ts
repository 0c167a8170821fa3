import { afterAll, beforeAll, expect, test } from 'vitest';
import { person, type TestServer, testServer } from '../../testing/world.ts';
import { isTrivialPin } from './rules.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const pinOf = async (token: string, method = 'GET') =>
  String((await server.call(`${method} /web/bypasspassword`, { token })).body.bypass_password);

test('[7.22] [P2.6] the PIN has six digits and stays the same, also when it is asked for twice at once', async () => {
  const { token } = await person(server);
  const both = await Promise.all([pinOf(token), pinOf(token)]);
  expect(both[0]).toMatch(/^\d{6}$/);
  expect(new Set([...both, await pinOf(token)]).size).toBe(1);
});

test('[7.23] a reset gives another one, and that one stays', async () => {
  const { token } = await person(server);
  const before = await pinOf(token);
  const after = await pinOf(token, 'POST');
  expect(after).toMatch(/^\d{6}$/);
  expect(after).not.toBe(before);
  expect(await pinOf(token)).toBe(after);
});

test('no one else has the same one, and it does not lie open in the database', async () => {
  const [a, b] = [await person(server), await person(server)];
  const pins = [await pinOf(a.token), await pinOf(b.token)];
  expect(pins[0]).not.toBe(pins[1]);
  const rows = JSON.stringify(await server.db.selectFrom('accounts').selectAll().execute());
  for (const pin of pins) expect(rows).not.toContain(`"${pin}"`);
});

test.each(['000000', '121212', '112112', '123123', '123456', '987654', '024680', '890123', '112233', '998877'])(
  '[P2.6] %s is trivial',
  (pin) => {
    expect(isTrivialPin(pin)).toBe(true);
  },
);

test.each(['194735', '135798', '112358', '100293', '123465'])('[P2.6] %s is not', (pin) => {
  expect(isTrivialPin(pin)).toBe(false);
});

test('[P2.6] so few are trivial that guessing does not get easier by leaving them out', () => {
  let trivial = 0;
  for (let i = 0; i < 1_000_000; i++) if (isTrivialPin(String(i).padStart(6, '0'))) trivial++;
  expect(trivial).toBe(3680);
});
