import { minute } from '@porchlight/contract/time.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { activeGuardian, fakeAddress, linkIn, person, type TestServer, testServer } from '../../testing/world.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const requestLink = (email: string, address = fakeAddress()) =>
  server.call('POST /guardian-link', { body: { email }, headers: { 'x-forwarded-for': address } });

test('[P5.1] a lost link is sent again for each account, and stays valid', async () => {
  const email = 'bob.lost@example.org';
  const [ann, eve] = [await person(server, 'Ann Example'), await person(server, 'Eve Other')];
  const [bob] = [await activeGuardian(server, ann.token, 'Bob', email), await activeGuardian(server, eve.token, 'Bob', email)];
  const otherGuardian = await activeGuardian(server, (await person(server, 'Zoe Gone')).token, 'Bob', email);
  await server.call(`POST /guardian/${otherGuardian.uuid}/leave`, { headers: otherGuardian.session });
  expect(await requestLink('BOB.lost@example.org')).toMatchObject({ status: 200, body: {} });
  const mails = await server.mailsTo(email);
  expect(mails.map(({ subject }) => subject).toSorted()).toEqual(['Your link to look out for Ann', 'Your link to look out for Eve']);
  const key = linkIn(
    mails.find(({ subject }) => subject.endsWith('Ann')),
    `/guardian/${bob.uuid}/`,
  );
  expect((await server.call(`POST /guardian/${bob.uuid}/session`, { body: { key } })).status).toBe(200);
  expect((await server.call(`GET /guardian/${bob.uuid}`, { headers: bob.session })).body).toMatchObject({ state: 'active' });
});

test('a lost-link request for an unknown address gets the same answer and sends no email', async () => {
  const { token, email } = await person(server);
  const bob = await activeGuardian(server, token);
  await server.call(`DELETE /web/guardians/${bob.uuid}`, { token });
  const countBefore = (await server.mailsTo(bob.email)).length;
  const [knownReply, removedReply, unknownReply] = [
    await requestLink(email),
    await requestLink(bob.email),
    await requestLink('nobody-at-all@example.org'),
  ];
  for (const reply of [knownReply, removedReply, unknownReply]) expect([reply.status, reply.body]).toEqual([200, {}]);
  expect(await server.mailsTo(bob.email)).toHaveLength(countBefore);
  expect(await server.mailsTo('nobody-at-all@example.org')).toHaveLength(0);
});

test('lost-link requests are limited to five an hour per email address and ten in ten minutes per IP address', async () => {
  const tooMany = { status: 429, body: { code: 'too_many' } };
  for (let i = 0; i < 5; i++) expect((await requestLink('often@example.org')).status).toBe(200);
  expect(await requestLink('OFTEN@example.org')).toMatchObject(tooMany);
  server.clock.turn(60 * minute);
  expect((await requestLink('often@example.org')).status).toBe(200);
  for (let i = 0; i < 10; i++) expect((await requestLink(`from-${i}@example.org`, '198.18.77.1')).status).toBe(200);
  expect(await requestLink('from-11@example.org', '198.18.77.1')).toMatchObject(tooMany);
});
