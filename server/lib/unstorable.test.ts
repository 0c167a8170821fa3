import { afterAll, beforeAll, expect, test } from 'vitest';
import { linkedDevice, person, type TestServer, testServer } from '../testing/world.ts';

/** What the database cannot keep is the fault of who sent it. */

let server: TestServer;
let token: string;
let device: string;
beforeAll(async () => {
  server = await testServer();
  ({ token } = await person(server));
  device = (await linkedDevice(server, token)).uuid;
});
afterAll(() => server.close());

const nul = 'a\u0000b';
test.each([
  ['POST /login/web', { email: nul, password: 'x' }, 'Email'],
  ['POST /register', { name: nul, email: 'nul@example.org', password: 'a good long password' }, 'Name'],
  ['POST /code', { code: nul }, 'Code'],
  ['POST /web/create-device', { name: nul }, 'Name'],
  ['PATCH /web/profile', { name: nul }, 'Name'],
])('%s refuses a character of no text', async (key, body, field) => {
  expect(await server.call(key, { token, body })).toMatchObject({
    status: 422,
    body: { code: 'invalid_input', fields: [{ field, tag: 'format' }] },
  });
});

test('so does the name of a device that has one', async () => {
  expect(await server.call(`POST /web/devices/${device}`, { token, body: { name: nul, policy: 'strict' } })).toMatchObject({ status: 422 });
});

test('and what stands in an address', async () => {
  for (const path of ['/promo-code?code=a%00b', '/web/detections?cursor=a%00b']) {
    expect((await server.call(`GET ${path}`, { token })).status, path).toBeLessThan(500);
  }
});

test.each(['99999999999', '-1', '1.5', '1e99'])('the number %s of key lists is refused', async (n) => {
  expect((await server.call(`GET /agent/free-plan?known_keys=${n}`)).status).toBe(422);
});
