import { afterAll, beforeAll, expect, test } from 'vitest';
import { person, type TestServer, testServer } from '../../testing/world.ts';
import { supportStore } from './store.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

test('[1.4] support details belong to one person, can be changed and taken away, and stand in the profile', async () => {
  const store = supportStore(server.db);
  const [ann, eve] = [await person(server), await person(server)];
  const { uuid } = await server.db.selectFrom('accounts').select('uuid').where('email', '=', ann.email).executeTakeFirstOrThrow();
  const of = async (who: { token: string }) => (await server.call('GET /web/profile', { token: who.token })).body.third_party_support;
  expect(await of(ann)).toBeNull();

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
  expect(await of(ann)).toEqual(details);
  expect(await of(eve)).toBeNull();

  const less = { ...details, title: null, exclusive: false, link: null, linktext: null };
  await store.set(uuid, less);
  expect(await of(ann)).toEqual(less);

  expect(await store.clear(uuid)).toBe(true);
  expect(await store.clear(uuid)).toBe(false);
  expect(await of(ann)).toBeNull();
});
