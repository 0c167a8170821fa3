import { limits } from '@porchlight/contract/limits.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { person, type TestServer, testServer } from '../../testing/world.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const actions = { RemoteControl: 'block', DeceptiveUtility: 'alert', ScamWebsite: 'ignore' } as const;
const make = (token: string, name: string, does: object = actions) =>
  server.call('POST /web/policies', { token, body: { name, actions: does } });
const change = (token: string, uuid: unknown, name: string, does: object = actions) =>
  server.call(`PATCH /web/policies/${uuid}`, { token, body: { name, actions: does } });
const remove = (token: string, uuid: unknown) => server.call(`DELETE /web/policies/${uuid}`, { token });
const listed = async (token: string) => (await server.call('GET /web/policies', { token })).body as unknown as Listed;
interface Listed {
  default_policies: { uuid: string }[];
  custom_policies: { uuid: string; name: string; description: string; actions: object }[];
}

test('[7.13] [3.4] [P4.1] a profile of one’s own says block, alert or ignore for each category, and is listed with what it does in words', async () => {
  const { token } = await person(server);
  const made = await make(token, ' Grandson helps ');
  const expected = {
    uuid: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
    name: 'Grandson helps',
    description: 'Stops remote-control programs. Tells you about deceptive programs. Leaves scam websites alone.',
    actions,
  };
  expect([made.status, made.body]).toEqual([200, expected]);
  server.clock.turn(1000);
  const second = await make(token, 'A quiet one', { RemoteControl: 'ignore', DeceptiveUtility: 'ignore', ScamWebsite: 'block' });
  expect((await listed(token)).custom_policies).toEqual([expected, second.body]);
  for (const category of Object.keys(actions)) {
    const missing: Record<string, string> = { ...actions };
    delete missing[category];
    expect((await make(token, 'Bad', missing)).body).toMatchObject({ code: 'invalid_input', fields: [{ field: category }] });
    expect((await make(token, 'Bad', { ...actions, [category]: 'maybe' })).body).toMatchObject({
      fields: [{ field: category, tag: 'oneof' }],
    });
  }
  expect((await listed(token)).custom_policies).toHaveLength(2);
});

test('[P4.0] two profiles are always there, the one of the free plan never; without a choice it is strict', async () => {
  const { token } = await person(server);
  await make(token, 'Mine');
  expect((await listed(token)).default_policies.map(({ uuid }) => uuid)).toEqual(['strict', 'permissive']);
  expect(JSON.stringify(await listed(token))).not.toMatch(/free/i);
  const { uuid } = (await server.call('POST /web/create-device', { token, body: { name: 'Den PC', policy: null } })).body;
  expect((await server.call(`GET /web/devices/${uuid}`, { token })).body).toMatchObject({ policy: 'strict' });
});

test('a profile is changed, and removed', async () => {
  const { token } = await person(server);
  const { uuid } = (await make(token, 'Mine')).body;
  const does = { RemoteControl: 'ignore', DeceptiveUtility: 'block', ScamWebsite: 'alert' };
  const changed = {
    uuid,
    name: 'Ours',
    description: 'Leaves remote-control programs alone. Stops deceptive programs. Tells you about scam websites.',
    actions: does,
  };
  expect((await change(token, uuid, 'Ours', does)).body).toEqual(changed);
  expect((await listed(token)).custom_policies).toEqual([changed]);
  expect((await change(token, uuid, 'OURS', does)).status).toBe(200);
  expect(await remove(token, uuid)).toMatchObject({ status: 200, body: {} });
  expect((await listed(token)).custom_policies).toEqual([]);
  for (const gone of [await change(token, uuid, 'Ours'), await remove(token, uuid)])
    expect(gone).toMatchObject({ status: 404, body: { code: 'not_found' } });
});

test('a name belongs to one profile of the account, however it is written; another account has names of its own', async () => {
  const [a, b] = [await person(server), await person(server)];
  await make(a.token, 'Grandson helps');
  const { uuid } = (await make(a.token, 'Quiet')).body;
  const taken = { status: 409, body: { code: 'policy_exists' } };
  for (const name of ['Grandson helps', 'GRANDSON HELPS ', 'Strict', 'permissive']) {
    expect(await make(a.token, name), name).toMatchObject(taken);
    expect(await change(a.token, uuid, name), name).toMatchObject(taken);
  }
  expect((await listed(a.token)).custom_policies.map(({ name }) => name).sort()).toEqual(['Grandson helps', 'Quiet']);
  expect((await make(b.token, 'Grandson helps')).status).toBe(200);
});

test('a name is 1 to 40 characters and does not end with the mark of the default', async () => {
  const { token } = await person(server);
  const { uuid } = (await make(token, 'Mine')).body;
  for (const [name, tag] of [
    ['', 'required'],
    ['   ', 'required'],
    ['x'.repeat(41), 'max'],
    ['Mine (Default)', 'custom'],
    ['Mine (default) ', 'custom'],
    ['(Default)', 'custom'],
  ] as const) {
    const refused = { status: 422, body: { code: 'invalid_input', fields: [{ field: 'Name', tag }] } };
    expect(await make(token, name), name).toMatchObject(refused);
    expect(await change(token, uuid, name), name).toMatchObject(refused);
  }
  for (const name of ['x', 'x'.repeat(40), 'Default', 'The (Default) of ours']) expect((await make(token, name)).status, name).toBe(200);
});

test('the twenty-first is refused until one is removed, also when two are made at once', async () => {
  const { token } = await person(server);
  for (let i = 1; i < limits.policies_max; i++) expect((await make(token, `Number ${i}`)).status).toBe(200);
  const race = await Promise.all([make(token, 'One'), make(token, 'Other')]);
  expect(race.map(({ status }) => status).sort()).toEqual([200, 409]);
  expect(await make(token, 'One more')).toMatchObject({ status: 409, body: { code: 'policy_limit' } });
  const [first] = (await listed(token)).custom_policies;
  expect((await change(token, first?.uuid, 'Renamed')).status).toBe(200);
  await remove(token, first?.uuid);
  expect((await make(token, 'One more')).status).toBe(200);
  expect((await listed(token)).custom_policies).toHaveLength(20);
});

test('of the same name made six times at once there is one; two that trade names at once both get an answer', async () => {
  const { token } = await person(server);
  const same = await Promise.all(['Quiet', 'quiet', 'QUIET', 'Quiet', 'qUiet', 'quieT'].map((name) => make(token, name)));
  expect(same.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409]);
  const [a, b] = [(await listed(token)).custom_policies[0]?.uuid, (await make(token, 'Loud')).body.uuid];
  for (let i = 0; i < 5; i++) {
    const traded = await Promise.all([change(token, a, 'Loud'), change(token, b, 'Quiet')]);
    expect(traded.map(({ status }) => status)).toEqual([409, 409]);
  }
});

test("someone else's profile is the same as none, on every call", async () => {
  const [a, b] = [await person(server), await person(server)];
  const { uuid } = (await make(a.token, 'Mine')).body;
  const none = '11111111-1111-4111-8111-111111111111';
  const told = ({ status, body }: { status: number; body: object }) => ({ ...body, status, request_id: '' });
  for (const call of [change, remove]) expect(told(await call(b.token, uuid, 'Theirs'))).toEqual(told(await call(b.token, none, 'Theirs')));
  for (const fixed of ['strict', 'permissive']) {
    expect((await change(a.token, fixed, 'Soft')).status).toBe(404);
    expect((await remove(a.token, fixed)).status).toBe(404);
  }
  expect((await listed(b.token)).custom_policies).toEqual([]);
  expect((await listed(a.token)).custom_policies).toMatchObject([{ uuid, name: 'Mine' }]);
});
