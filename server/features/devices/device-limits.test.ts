import { afterAll, beforeAll, expect, test } from 'vitest';
import { newcomer, person, type TestServer, testServer } from '../../testing/world.ts';

/** How many devices a plan takes (2.48, 2.58): a plan without a number has no limit. */

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

type Granted = { external?: boolean; lifetime?: boolean; device_limit?: number };
const grant = (email: string, gift: Granted) =>
  server.db
    .updateTable('accounts')
    .set({ external: false, ...gift })
    .where('email', '=', email)
    .execute();
const addSix = async (token: string) => {
  const all = [];
  for (let i = 0; i < 6; i++) all.push(await server.call('POST /web/create-device', { token, body: { name: `PC ${i}`, policy: null } }));
  return all.map(({ status, body }) => body.code ?? status);
};

test.each<[string, Granted, (string | number)[]]>([
  ['managed externally without a number', { external: true }, [200, 200, 200, 200, 200, 200]],
  ['for life without a number', { lifetime: true }, [200, 200, 200, 200, 200, 200]],
  ['managed externally for two', { external: true, device_limit: 2 }, [200, 200, ...Array(4).fill('device_limit')]],
  ['for life for one', { lifetime: true, device_limit: 1 }, [200, ...Array(5).fill('device_limit')]],
  ['a gift of three', { device_limit: 3 }, [200, 200, 200, ...Array(3).fill('device_limit')]],
  ['nothing', {}, Array(6).fill('not_subscribed')],
])('[2.48] [5.33] devices of an account that has a plan: %s', async (_title, gift, answers) => {
  const { token, email } = await newcomer(server);
  await grant(email, gift);
  expect(await addSix(token)).toEqual(answers);
});

test('[2.48] a plan that is paid keeps its number, also where the account is managed externally', async () => {
  const { token, email } = await person(server);
  await grant(email, { external: true });
  expect(await addSix(token)).toEqual([200, 200, 200, 200, 200, 'device_limit']);
});
