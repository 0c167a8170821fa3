import { limits } from '@porchlight/contract/limits.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { person, type TestServer, testServer } from '../../testing/world.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const actions = { RemoteControl: 'block', DeceptiveUtility: 'alert', ScamWebsite: 'ignore' } as const;
const createProfile = (token: string, name: string, profileActions: object = actions) =>
  server.call('POST /web/policies', { token, body: { name, actions: profileActions } });
const updateProfile = (token: string, uuid: unknown, name: string, profileActions: object = actions) =>
  server.call(`PATCH /web/policies/${uuid}`, { token, body: { name, actions: profileActions } });
const removeProfile = (token: string, uuid: unknown) => server.call(`DELETE /web/policies/${uuid}`, { token });
const listProfiles = async (token: string) => (await server.call('GET /web/policies', { token })).body as unknown as Listed;
interface Listed {
  default_policies: { uuid: string }[];
  custom_policies: { uuid: string; name: string; description: string; actions: object }[];
}

test('[7.13] [3.4] [P4.1] a custom profile has an action for each category, and is listed with a description', async () => {
  const { token } = await person(server);
  const createdProfile = await createProfile(token, ' Grandson helps ');
  const expected = {
    uuid: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
    name: 'Grandson helps',
    description: 'Stops remote-control programs. Tells you about deceptive programs. Leaves scam websites alone.',
    actions,
  };
  expect([createdProfile.status, createdProfile.body]).toEqual([200, expected]);
  server.clock.turn(1000);
  const secondProfile = await createProfile(token, 'A quiet one', {
    RemoteControl: 'ignore',
    DeceptiveUtility: 'ignore',
    ScamWebsite: 'block',
  });
  expect((await listProfiles(token)).custom_policies).toEqual([expected, secondProfile.body]);
  for (const category of Object.keys(actions)) {
    const incompleteActions: Record<string, string> = { ...actions };
    delete incompleteActions[category];
    expect((await createProfile(token, 'Bad', incompleteActions)).body).toMatchObject({
      code: 'invalid_input',
      fields: [{ field: category }],
    });
    expect((await createProfile(token, 'Bad', { ...actions, [category]: 'maybe' })).body).toMatchObject({
      fields: [{ field: category, tag: 'oneof' }],
    });
  }
  expect((await listProfiles(token)).custom_policies).toHaveLength(2);
});

test("[P4.0] two profiles always exist, the free plan's profile is hidden, and strict is the default", async () => {
  const { token } = await person(server);
  await createProfile(token, 'Mine');
  expect((await listProfiles(token)).default_policies.map(({ uuid }) => uuid)).toEqual(['strict', 'permissive']);
  expect(JSON.stringify(await listProfiles(token))).not.toMatch(/free/i);
  const { uuid } = (await server.call('POST /web/create-device', { token, body: { name: 'Den PC', policy: null } })).body;
  expect((await server.call(`GET /web/devices/${uuid}`, { token })).body).toMatchObject({ policy: 'strict' });
});

test('a profile can be changed and removed', async () => {
  const { token } = await person(server);
  const { uuid } = (await createProfile(token, 'Mine')).body;
  const profileActions = { RemoteControl: 'ignore', DeceptiveUtility: 'block', ScamWebsite: 'alert' };
  const changedProfile = {
    uuid,
    name: 'Ours',
    description: 'Leaves remote-control programs alone. Stops deceptive programs. Tells you about scam websites.',
    actions: profileActions,
  };
  expect((await updateProfile(token, uuid, 'Ours', profileActions)).body).toEqual(changedProfile);
  expect((await listProfiles(token)).custom_policies).toEqual([changedProfile]);
  expect((await updateProfile(token, uuid, 'OURS', profileActions)).status).toBe(200);
  expect(await removeProfile(token, uuid)).toMatchObject({ status: 200, body: {} });
  expect((await listProfiles(token)).custom_policies).toEqual([]);
  for (const failedReply of [await updateProfile(token, uuid, 'Ours'), await removeProfile(token, uuid)])
    expect(failedReply).toMatchObject({ status: 404, body: { code: 'not_found' } });
});

test('profile names are unique within an account, regardless of case', async () => {
  const [a, b] = [await person(server), await person(server)];
  await createProfile(a.token, 'Grandson helps');
  const { uuid } = (await createProfile(a.token, 'Quiet')).body;
  const takenReply = { status: 409, body: { code: 'policy_exists' } };
  for (const name of ['Grandson helps', 'GRANDSON HELPS ', 'Strict', 'permissive']) {
    expect(await createProfile(a.token, name), name).toMatchObject(takenReply);
    expect(await updateProfile(a.token, uuid, name), name).toMatchObject(takenReply);
  }
  expect((await listProfiles(a.token)).custom_policies.map(({ name }) => name).sort()).toEqual(['Grandson helps', 'Quiet']);
  expect((await createProfile(b.token, 'Grandson helps')).status).toBe(200);
});

test('a profile name has 1 to 40 characters and does not end with the default mark', async () => {
  const { token } = await person(server);
  const { uuid } = (await createProfile(token, 'Mine')).body;
  for (const [name, tag] of [
    ['', 'required'],
    ['   ', 'required'],
    ['x'.repeat(41), 'max'],
    ['Mine (Default)', 'custom'],
    ['Mine (default) ', 'custom'],
    ['(Default)', 'custom'],
  ] as const) {
    const refusedReply = { status: 422, body: { code: 'invalid_input', fields: [{ field: 'Name', tag }] } };
    expect(await createProfile(token, name), name).toMatchObject(refusedReply);
    expect(await updateProfile(token, uuid, name), name).toMatchObject(refusedReply);
  }
  for (const name of ['x', 'x'.repeat(40), 'Default', 'The (Default) of ours'])
    expect((await createProfile(token, name)).status, name).toBe(200);
});

test('a twenty-first profile is refused until one is removed, even when two are created at once', async () => {
  const { token } = await person(server);
  for (let i = 1; i < limits.policies_max; i++) expect((await createProfile(token, `Number ${i}`)).status).toBe(200);
  const creations = await Promise.all([createProfile(token, 'One'), createProfile(token, 'Other')]);
  expect(creations.map(({ status }) => status).sort()).toEqual([200, 409]);
  expect(await createProfile(token, 'One more')).toMatchObject({ status: 409, body: { code: 'policy_limit' } });
  const [firstProfile] = (await listProfiles(token)).custom_policies;
  expect((await updateProfile(token, firstProfile?.uuid, 'Renamed')).status).toBe(200);
  await removeProfile(token, firstProfile?.uuid);
  expect((await createProfile(token, 'One more')).status).toBe(200);
  expect((await listProfiles(token)).custom_policies).toHaveLength(20);
});

test('one of six simultaneous profiles with one name is created, and swapping names simultaneously gets two errors', async () => {
  const { token } = await person(server);
  const sameNameReplies = await Promise.all(
    ['Quiet', 'quiet', 'QUIET', 'Quiet', 'qUiet', 'quieT'].map((name) => createProfile(token, name)),
  );
  expect(sameNameReplies.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409]);
  const [a, b] = [(await listProfiles(token)).custom_policies[0]?.uuid, (await createProfile(token, 'Loud')).body.uuid];
  for (let i = 0; i < 5; i++) {
    const swapReplies = await Promise.all([updateProfile(token, a, 'Loud'), updateProfile(token, b, 'Quiet')]);
    expect(swapReplies.map(({ status }) => status)).toEqual([409, 409]);
  }
});

test("every call treats another account's profile as unknown", async () => {
  const [a, b] = [await person(server), await person(server)];
  const { uuid } = (await createProfile(a.token, 'Mine')).body;
  const unknownId = '11111111-1111-4111-8111-111111111111';
  const withoutRequestId = ({ status, body }: { status: number; body: object }) => ({ ...body, status, request_id: '' });
  for (const call of [updateProfile, removeProfile])
    expect(withoutRequestId(await call(b.token, uuid, 'Theirs'))).toEqual(withoutRequestId(await call(b.token, unknownId, 'Theirs')));
  for (const fixed of ['strict', 'permissive']) {
    expect((await updateProfile(a.token, fixed, 'Soft')).status).toBe(404);
    expect((await removeProfile(a.token, fixed)).status).toBe(404);
  }
  expect((await listProfiles(b.token)).custom_policies).toEqual([]);
  expect((await listProfiles(a.token)).custom_policies).toMatchObject([{ uuid, name: 'Mine' }]);
});
