import { minute } from '@porchlight/contract/time.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { activeGuardian, linkedDevice, person, type TestServer, testServer } from '../../testing/world.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

test('people are also notified of an act that a server with a slow clock receives after the email for its time slot was sent', async () => {
  const { token } = await person(server);
  const bob = await activeGuardian(server, token);
  const { uuid } = await linkedDevice(server, token);
  let n = 0;
  const allowSite = () =>
    server.call(`POST /web/devices/${uuid}/v2/exceptions`, {
      token,
      body: { type: 'domain', identifier: `site${++n}.example.com`, lasts: null },
    });
  const texts = async () => (await server.mailsTo(bob.email)).map(({ text }) => text).filter((text) => text.includes('allowed'));
  server.clock.turn(10 * minute - 1 - (server.clock.now().getTime() % (10 * minute)));
  for (let i = 0; i < 7; i++) await allowSite();
  expect(await texts()).toHaveLength(6);
  server.clock.turn(1);
  expect(await texts()).toHaveLength(7);
  server.clock.turn(-300);
  await allowSite();
  server.clock.turn(10 * minute + 300);
  const allTexts = await texts();
  expect(allTexts).toHaveLength(8);
  expect(allTexts.filter((text) => text.includes('site8.example.com'))).toHaveLength(1);
});
