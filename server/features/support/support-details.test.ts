import { afterAll, beforeAll, expect, test } from 'vitest';
import { person, type TestServer, testServer } from '../../testing/world.ts';
import { supportStore } from './store.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

test('[1.4] support details belong to one account, can be changed and removed, and appear in the profile', async () => {
  const store = supportStore(server.db);
  const [ann, eve] = [await person(server), await person(server)];
  const { uuid } = await server.db.selectFrom('accounts').select('uuid').where('email', '=', ann.email).executeTakeFirstOrThrow();
  const detailsOf = async (user: { token: string }) =>
    (await server.call('GET /web/profile', { token: user.token })).body.third_party_support;
  expect(await detailsOf(ann)).toBeNull();

  const details = {
    email: 'help@bank.example',
    phone: '1-800-555-0199',
    title: 'Your bank',
    description: 'We sit in the branch on Main Street.',
    exclusive: true,
    link: 'https://bank.example/help',
    linktext: 'Ask the bank',
  };
  await store.set(uuid, details);
  expect(await detailsOf(ann)).toEqual(details);
  expect(await detailsOf(eve)).toBeNull();

  const fewerDetails = { ...details, title: null, exclusive: false, link: null, linktext: null };
  await store.set(uuid, fewerDetails);
  expect(await detailsOf(ann)).toEqual(fewerDetails);

  expect(await store.clear(uuid)).toBe(true);
  expect(await store.clear(uuid)).toBe(false);
  expect(await detailsOf(ann)).toBeNull();
});
