import { afterAll, beforeAll, expect, test } from 'vitest';
import { linkedDevice, person, type TestServer, testServer } from '../testing/world.ts';

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
])('%s refuses a text with a NUL character', async (key, body, field) => {
  expect(await server.call(key, { token, body })).toMatchObject({
    status: 422,
    body: { code: 'invalid_input', fields: [{ field, tag: 'format' }] },
  });
});

test('a device name with a NUL character is refused', async () => {
  expect(await server.call(`POST /web/devices/${device}`, { token, body: { name: nul, policy: 'strict' } })).toMatchObject({ status: 422 });
});

test('a NUL character in a URL is not a server error', async () => {
  for (const path of ['/promo-code?code=a%00b', '/web/detections?cursor=a%00b']) {
    expect((await server.call(`GET ${path}`, { token })).status, path).toBeLessThan(500);
  }
});

test.each(['99999999999', '-1', '1.5', '1e99'])('the value %s of the parameter known_keys is refused', async (n) => {
  expect((await server.call(`GET /agent/free-plan?known_keys=${n}`)).status).toBe(422);
});
