import { afterAll, beforeAll, expect, test } from 'vitest';
import { incidentFamily } from '../../testing/incident-family.ts';
import { type TestServer, testServer } from '../../testing/world.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

async function family(may_isolate: boolean | null, { mums = false } = {}) {
  const ann = await incidentFamily(server);
  const choose = (choice: boolean | null, uuid = ann.bob?.uuid) => ann.call(`PATCH /web/guardians/${uuid}`, { may_isolate: choice });
  if (may_isolate !== null) await choose(may_isolate);
  const device = { name: 'Den PC', policy: 'strict', person: { name: 'Mum', is_holder: false } };
  if (mums) await ann.call(`POST /web/devices/${ann.device.uuid}`, device);
  await ann.stops();
  return {
    ...ann,
    choose,
    stored: async () => {
      const { guardians } = (await ann.call('GET /web/guardians')).body as unknown as { guardians: { may_isolate: boolean | null }[] };
      return guardians.map((one) => one.may_isolate);
    },
    logged: async () => {
      const { items } = (await ann.call('GET /web/acts')).body as unknown as { items: { kind: string; words: string; undo: unknown }[] };
      return items.filter(({ kind }) => kind === 'isolation_off').map(({ words, undo }) => ({ words, undo }));
    },
  };
}

test('[P10.1] [P10.6] in an incident, taking the internet switch from a guardian waits for their yes; giving it passes at once', async () => {
  const ann = await family(true);
  const refused = await ann.choose(false);
  expect(refused).toMatchObject({ status: 409, body: { code: 'held', asked: ['Bob'] } });
  expect([await ann.stored(), await ann.logged()]).toEqual([[true], []]);
  expect((await ann.asBob('GET /guardian/:id')).body.requests).toMatchObject([
    { uuid: refused.body.request, wants: ['Ann wants to stop letting Bob Example cut the internet.'] },
  ]);

  await ann.answer(refused.body.request, 'yes');
  expect(await ann.stored()).toEqual([true]);
  expect(await ann.choose(false)).toMatchObject({ status: 200, body: { may_isolate: false } });
  expect(await ann.logged()).toMatchObject([{ words: 'Ann no longer lets Bob Example cut the internet.' }]);

  expect(await ann.choose(true)).toMatchObject({ status: 200, body: { may_isolate: true } });
  expect(await ann.stored()).toEqual([true]);
});

test.each([
  ['the holder allowed it', true, {}],
  ['the holder had not chosen, and someone else uses the computer', null, { mums: true }],
] as const)('[P10.1] a later no gives the internet switch back to a guardian, where %s', async (_title, before, options) => {
  const ann = await family(before, options);
  const { request } = (await ann.choose(false)).body;
  await ann.answer(request, 'yes');
  expect((await ann.choose(false)).status).toBe(200);
  expect(await ann.stored()).toEqual([false]);
  expect((await ann.answer(request, 'no')).body).toMatchObject({ state: 'undone' });
  expect(await ann.stored()).toEqual([before]);
  expect(await ann.logged()).toMatchObject([{ undo: null }]);
});

test('[P10.1] the internet switch that the holder had not chosen can be restored by one call in the same incident', async () => {
  const ann = await family(null, { mums: true });
  const { request } = (await ann.choose(false)).body;
  await ann.answer(request, 'yes');
  await ann.choose(false);
  expect(await ann.logged()).toMatchObject([{ undo: { way: 'isolation', guardian: ann.bob?.uuid, may_isolate: null } }]);
  expect(await ann.choose(null)).toMatchObject({ status: 200, body: { may_isolate: null } });
  expect(await ann.logged()).toMatchObject([{ undo: null }]);
});

test.each([
  ['the holder had forbidden it', false, [false, null, true]],
  ['the holder had not chosen, and only the holder has a computer', null, [null, false]],
] as const)(
  '[P10.6] in an incident, the internet switch passes at once where nothing is taken away, since %s',
  async (_title, before, choices) => {
    const ann = await family(before);
    for (const choice of choices) {
      expect(await ann.choose(choice)).toMatchObject({ status: 200, body: { may_isolate: choice } });
    }
    expect(await ann.logged()).toEqual([]);
  },
);

test('[P10.6] with the internet switch on, the former choice waits too, since it allows less', async () => {
  const ann = await family(true);
  expect((await ann.choose(null)).body.code).toBe('held');
  expect(await ann.stored()).toEqual([true]);
});

test('the internet switch of a guardian of another account is not found, and does not change', async () => {
  const [ann, eve] = [await family(true), await family(null)];
  for (const choice of [true, false]) {
    expect(await eve.choose(choice, ann.bob?.uuid)).toMatchObject({ status: 404, body: { code: 'not_found' } });
  }
  expect(await ann.stored()).toEqual([true]);
});
