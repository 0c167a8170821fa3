import { day, minute } from '@porchlight/contract/time.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fakeAddress, goodPassword, newcomer, person, type TestServer, testServer } from './world.ts';

/** Nobody can make us send unlimited mail to strangers, or mail with a link in a name. */

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

/** Waits the required time before each call. */
async function press(times: number, key: string, token: string): Promise<number[]> {
  const statuses: number[] = [];
  for (let n = 0; n < times; n++) {
    server.clock.turn(61 * minute);
    statuses.push((await server.call(key, { token })).status);
  }
  return statuses;
}

describe('[P2.7] one address gets at most a fixed number of mails a day that its owner did not ask for', () => {
  test('at most five mails a day confirm a change to an address', async () => {
    const { token } = await person(server);
    const email = 'stranger1@example.org';
    await server.call('PATCH /web/profile', { token, body: { email, current_password: goodPassword } });
    expect(await press(6, 'POST /web/verify-email', token)).toEqual([200, 200, 200, 200, 429, 429]);
    expect(await server.mailsTo(email)).toHaveLength(5);
    server.clock.turn(day);
    expect(await press(1, 'POST /web/verify-email', token)).toEqual([200]);
  });

  test('mails that confirm the address of a new account are limited', async () => {
    const email = 'stranger2@example.org';
    const headers = { 'x-forwarded-for': fakeAddress() };
    await server.call('POST /register', { body: { name: 'Ann', email, password: goodPassword }, headers });
    const { body } = await server.call('POST /login/web', { body: { email, password: goodPassword }, headers });
    expect(await press(11, 'POST /web/verify-email', String(body.web_token))).toEqual([...Array(10).fill(200), 429]);
  });

  test('at most five mails a day invite an address as a guardian, even of several holders', async () => {
    const email = 'stranger3@example.org';
    const name = 'Bob';
    const invite = async () => {
      const { token } = await newcomer(server);
      const { body } = await server.call('POST /web/create-guardian', { token, body: { name, email } });
      return { token, uuid: String(body.uuid) };
    };
    const [ann, eve] = [await invite(), await invite()];
    expect(await press(2, `POST /web/guardians/${ann.uuid}/resend`, ann.token)).toEqual([200, 200]);
    expect(await press(3, `POST /web/guardians/${eve.uuid}/resend`, eve.token)).toEqual([200, 429, 429]);
    expect(await server.mailsTo(email)).toHaveLength(5);
  });
});

const links = ['https://evil.example', 'Go to evil.example', 'evil.example/prize', 'a://b', 'Call/me', 'www.Evil.COM now', 'ПРИЗ.рф'];
const refusedReply = { status: 422, body: { code: 'invalid_input', fields: [{ field: 'Name', tag: 'it must not look like a link' }] } };

describe.each(links)('[5.14] the name %s is refused as a link', (name) => {
  test('a name like a link is refused for a holder and for a guardian', async () => {
    const { token } = await newcomer(server);
    const account = { name, email: 'fresh@example.org', password: goodPassword };
    const headers = { 'x-forwarded-for': fakeAddress() };
    expect(await server.call('POST /register', { body: account, headers })).toMatchObject(refusedReply);
    expect(await server.call('PATCH /web/profile', { token, body: { name } })).toMatchObject(refusedReply);
    expect(await server.call('POST /web/create-guardian', { token, body: { name, email: 'g@example.org' } })).toMatchObject(refusedReply);
    expect(await server.mailsTo('g@example.org')).toEqual([]);
  });
});

test('[5.20] usual names are accepted, up to 40 characters for a guardian', async () => {
  const { token } = await newcomer(server);
  const names = [
    'J.R. Smith',
    'Ann B. Example',
    'Dr.Jones',
    'St.John',
    'Ann & Bob',
    'Łucja-Maria O’Neil',
    '李小龍',
    'Bob (son)',
    'x'.repeat(40),
  ];
  for (const name of names) expect((await server.call('PATCH /web/profile', { token, body: { name } })).status, name).toBe(200);
  for (const [n, name] of names.slice(-2).entries()) {
    expect((await server.call('POST /web/create-guardian', { token, body: { name, email: `g${n}@example.net` } })).status).toBe(200);
  }
  expect(await server.call('POST /web/create-guardian', { token, body: { name: 'x'.repeat(41), email: 'g9@example.net' } })).toMatchObject({
    status: 422,
    body: { fields: [{ field: 'Name', tag: 'max' }] },
  });
});
