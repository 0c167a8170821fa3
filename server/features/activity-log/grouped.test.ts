import { afterAll, beforeAll, expect, test } from 'vitest';
import { activeGuardian, linkedDevice, person, type TestServer, testServer } from '../../testing/world.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const minute = 60_000;

test('an act by a server whose clock is behind is told too, after the mail for its ten minutes has gone', async () => {
  const { token } = await person(server);
  const bob = await activeGuardian(server, token);
  const { uuid } = await linkedDevice(server, token);
  let n = 0;
  const allow = () =>
    server.call(`POST /web/devices/${uuid}/v2/exceptions`, {
      token,
      body: { type: 'domain', identifier: `site${++n}.example.com`, lasts: null },
    });
  const texts = async () => (await server.mailsTo(bob.email)).map(({ text }) => text).filter((text) => text.includes('allowed'));
  // One millisecond before ten minutes of the clock are over.
  server.clock.turn(10 * minute - 1 - (server.clock.now().getTime() % (10 * minute)));
  for (let i = 0; i < 7; i++) await allow();
  // Five, and the alarm that there are too many.
  expect(await texts()).toHaveLength(6);
  server.clock.turn(1);
  expect(await texts()).toHaveLength(7);
  server.clock.turn(-300);
  await allow();
  server.clock.turn(10 * minute + 300);
  const all = await texts();
  expect(all).toHaveLength(8);
  expect(all.filter((text) => text.includes('site8.example.com'))).toHaveLength(1);
});
