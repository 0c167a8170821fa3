import { afterAll, beforeAll, expect, test } from 'vitest';
import { activeGuardian, fakeAddress, linkIn, person, type TestServer, testServer } from '../../testing/world.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const minute = 60_000;
const ask = (email: string, from = fakeAddress()) =>
  server.call('POST /guardian-link', { body: { email }, headers: { 'x-forwarded-for': from } });

test('[P5.1] a lost link is sent again, one for each person they look out for, and locks nobody out', async () => {
  const email = 'bob.lost@example.org';
  const [ann, eve] = [await person(server, 'Ann Example'), await person(server, 'Eve Other')];
  const [bob] = [await activeGuardian(server, ann.token, 'Bob', email), await activeGuardian(server, eve.token, 'Bob', email)];
  const gone = await activeGuardian(server, (await person(server, 'Zoe Gone')).token, 'Bob', email);
  await server.call(`POST /guardian/${gone.uuid}/leave`, { headers: gone.session });
  const before = (await server.mailsTo(email)).length;
  expect(await ask('BOB.lost@example.org')).toMatchObject({ status: 200, body: {} });
  const mails = (await server.mailsTo(email)).slice(0, -before);
  expect(mails.map(({ subject }) => subject).toSorted()).toEqual(['Your link to look out for Ann', 'Your link to look out for Eve']);
  const key = linkIn(
    mails.find(({ subject }) => subject.endsWith('Ann')),
    `/guardian/${bob.uuid}/`,
  );
  expect((await server.call(`POST /guardian/${bob.uuid}/session`, { body: { key } })).status).toBe(200);
  expect((await server.call(`GET /guardian/${bob.uuid}`, { headers: bob.session })).body).toMatchObject({ state: 'active' });
});

test('the answer is the same for an address that nobody has, and it writes to nobody', async () => {
  const { token, email } = await person(server);
  const bob = await activeGuardian(server, token);
  await server.call(`DELETE /web/guardians/${bob.uuid}`, { token });
  const before = (await server.mailsTo(bob.email)).length;
  const [known, removed, none] = [await ask(email), await ask(bob.email), await ask('nobody-at-all@example.org')];
  for (const reply of [known, removed, none]) expect([reply.status, reply.body]).toEqual([200, {}]);
  expect(await server.mailsTo(bob.email)).toHaveLength(before);
  expect(await server.mailsTo('nobody-at-all@example.org')).toHaveLength(0);
});

test('five mails an hour to one address, ten tries in ten minutes from one place', async () => {
  const tooMany = { status: 429, body: { code: 'too_many' } };
  for (let i = 0; i < 5; i++) expect((await ask('often@example.org')).status).toBe(200);
  expect(await ask('OFTEN@example.org')).toMatchObject(tooMany);
  server.clock.turn(60 * minute);
  expect((await ask('often@example.org')).status).toBe(200);
  for (let i = 0; i < 10; i++) expect((await ask(`from-${i}@example.org`, '198.18.77.1')).status).toBe(200);
  expect(await ask('from-11@example.org', '198.18.77.1')).toMatchObject(tooMany);
});
