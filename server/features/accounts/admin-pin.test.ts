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

test('[7.22] [P2.6] the PIN has six digits and stays the same, also when two requests ask for it at once', async () => {
  const { token } = await person(server);
  const pinPair = await Promise.all([pinOf(token), pinOf(token)]);
  expect(pinPair[0]).toMatch(/^\d{6}$/);
  expect(new Set([...pinPair, await pinOf(token)]).size).toBe(1);
});

test('[7.23] a reset creates a different PIN, which then stays the same', async () => {
  const { token } = await person(server);
  const oldPin = await pinOf(token);
  const newPin = await pinOf(token, 'POST');
  expect(newPin).toMatch(/^\d{6}$/);
  expect(newPin).not.toBe(oldPin);
  expect(await pinOf(token)).toBe(newPin);
});

test('two accounts have different PINs, and the database does not contain them in plain text', async () => {
  const [a, b] = [await person(server), await person(server)];
  const pins = [await pinOf(a.token), await pinOf(b.token)];
  expect(pins[0]).not.toBe(pins[1]);
  const rows = JSON.stringify(await server.db.selectFrom('accounts').selectAll().execute());
  for (const pin of pins) expect(rows).not.toContain(`"${pin}"`);
});

test.each(['000000', '121212', '112112', '123123', '123456', '987654', '024680', '890123', '112233', '998877'])(
  '[P2.6] %s is a trivial PIN',
  (pin) => {
    expect(isTrivialPin(pin)).toBe(true);
  },
);

test.each(['194735', '135798', '112358', '100293', '123465'])('[P2.6] %s is not a trivial PIN', (pin) => {
  expect(isTrivialPin(pin)).toBe(false);
});

test('[P2.6] only 3,680 of a million PINs are trivial, so excluding them hardly helps an attacker', () => {
  let trivial = 0;
  for (let i = 0; i < 1_000_000; i++) if (isTrivialPin(String(i).padStart(6, '0'))) trivial++;
  expect(trivial).toBe(3680);
});
