import { afterAll, beforeAll, expect, test } from 'vitest';
import { newcomer, person, type TestServer, testServer } from '../../testing/world.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

type Granted = { external?: boolean; lifetime?: boolean; device_limit?: number };
const createGranted = (email: string, gift: Granted) =>
  server.db
    .updateTable('accounts')
    .set({ external: false, ...gift })
    .where('email', '=', email)
    .execute();
const addSix = async (token: string) => {
  const statuses = [];
  for (let i = 0; i < 6; i++)
    statuses.push(await server.call('POST /web/create-device', { token, body: { name: `PC ${i}`, policy: null } }));
  return statuses.map(({ status, body }) => body.code ?? status);
};

test.each<[string, Granted, (string | number)[]]>([
  ['managed externally without a number', { external: true }, [200, 200, 200, 200, 200, 200]],
  ['for life without a number', { lifetime: true }, [200, 200, 200, 200, 200, 200]],
  ['managed externally for two', { external: true, device_limit: 2 }, [200, 200, ...Array(4).fill('device_limit')]],
  ['for life for one', { lifetime: true, device_limit: 1 }, [200, ...Array(5).fill('device_limit')]],
  ['a gift of three', { device_limit: 3 }, [200, 200, 200, ...Array(3).fill('device_limit')]],
  ['nothing', {}, Array(6).fill('not_subscribed')],
])('[2.48] [5.33] an account accepts devices up to the limit of its plan: %s', async (_title, gift, expectedStatuses) => {
  const { token, email } = await newcomer(server);
  await createGranted(email, gift);
  expect(await addSix(token)).toEqual(expectedStatuses);
});

test('[2.48] a paid plan keeps its device limit in an externally managed account', async () => {
  const { token, email } = await person(server);
  await createGranted(email, { external: true });
  expect(await addSix(token)).toEqual([200, 200, 200, 200, 200, 'device_limit']);
});
