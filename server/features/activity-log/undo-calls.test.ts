import { randomUUID } from 'node:crypto';
import type { ActUndo } from '@porchlight/contract/act-undo.ts';
import { devicePolicy } from '@porchlight/contract/agent.ts';
import { type ActKind, actKind } from '@porchlight/contract/care.ts';
import type { News } from '@porchlight/contract/news.ts';
import type { SignedDocument } from '@porchlight/contract/shapes.ts';
import { undoButtons } from '@porchlight/contract/undo-buttons.ts';
import { openDocument } from '@porchlight/definitions/signature.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { agentInfo } from '../../testing/agent-info.ts';
import { activeGuardian, goodPassword, linkedDevice, linkIn, person, type TestServer, testServer } from '../../testing/world.ts';

/** What weakened protection is taken back where that is possible, and only there is it said. */

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const minute = 60_000;
const actions = { RemoteControl: 'block', DeceptiveUtility: 'block', ScamWebsite: 'block' };

async function family() {
  const { token, email } = await person(server);
  const bob = await activeGuardian(server, token);
  const device = await linkedDevice(server, token);
  const call = (key: string, body?: object) => server.call(key, { token, ...(body ? { body } : {}) });
  return {
    token,
    email,
    bob,
    device,
    call,
    news: (said: News['said']) =>
      server.call('POST /agent/news', {
        token: device.agent,
        body: { news: [{ uuid: randomUUID(), time: server.clock.now().toISOString(), said }] },
      }),
    acts: async (kind: ActKind) =>
      ((await call('GET /web/acts')).body.items as unknown as { uuid: string; kind: string; undo: ActUndo | null }[]).filter(
        (act) => act.kind === kind,
      ),
    mail: async (subject: RegExp) => (await server.mailsTo(email)).find((mail) => subject.test(mail.subject)),
  };
}
type Family = Awaited<ReturnType<typeof family>>;

const pausedUntil = () => new Date(server.clock.now().getTime() + 10 * minute).toISOString();
const choose = ({ call, device }: Family, policy: string) => call(`POST /web/devices/${device.uuid}`, { name: 'Den PC', policy });
const allow = ({ call, device }: Family, identifier: string) =>
  call(`POST /web/devices/${device.uuid}/v2/exceptions`, { type: 'domain', identifier, lasts: null });

/** By the calls that the dashboard makes. */
async function takeBack({ call, device }: Family, undo: ActUndo | null | undefined) {
  if (undo?.way === 'resume') {
    await call(`POST /web/devices/${undo.device}/resume`);
    // As its agent does when it has the policy.
    return server.call('POST /agent/goodbye', { token: device.agent, body: { reason: 'resumed' } });
  }
  if (undo?.way === 'disallow') return call(`DELETE /web/devices/${undo.device}/v2/exceptions`, { id: undo.exception });
  if (undo?.way === 'profile_back') return call(`POST /web/devices/${undo.device}`, { name: 'Den PC', policy: undo.policy });
  if (undo?.way === 'settings') return call('PATCH /web/alert-settings', undo.settings);
  if (undo?.way === 'remove_guardian') return call(`DELETE /web/guardians/${undo.guardian}`);
  throw new Error(`${JSON.stringify(undo)} is not done by one call`);
}

const direct: [ActKind, string, (ann: Family) => Promise<unknown>][] = [
  ['paused', 'resume', (ann) => ann.news({ kind: 'paused', until: pausedUntil() })],
  ['allowed', 'disallow', (ann) => allow(ann, 'example.com')],
  ['profile_chosen', 'profile_back', (ann) => choose(ann, 'permissive')],
  ['alerts_off', 'settings', ({ call }) => call('PATCH /web/alert-settings', { mail: false })],
  ['alerts_off', 'settings', ({ call }) => call('PATCH /web/alert-settings', { sms: false })],
  ['silence_later', 'settings', ({ call }) => call('PATCH /web/alert-settings', { silence_days: 7 })],
  ['guardian_added', 'remove_guardian', ({ call }) => call('POST /web/create-guardian', { name: 'Mallory', email: 'm@example.org' })],
];

test.each(direct)('%s is taken back by one call (%s), and then no longer offered; what else was done stays', async (kind, way, act) => {
  const ann = await family();
  await allow(ann, 'stays.example.com');
  // Later than what the family began with.
  server.clock.turn(1000);
  await act(ann);
  const [done] = await ann.acts(kind);
  expect(done?.undo).toMatchObject({ way });
  expect((await takeBack(ann, done?.undo)).status).toBe(200);
  expect((await ann.acts(kind)).find(({ uuid }) => uuid === done?.uuid)?.undo).toBeNull();
  expect((await ann.acts('allowed')).at(-1)?.undo).toMatchObject({ way: 'disallow' });
  expect((await ann.call('GET /web/alert-settings')).body).toEqual({ silence_days: 3, weekly: true, mail: true, sms: true });
  const { body } = await ann.call(`GET /web/devices/${ann.device.uuid}`);
  expect([body.policy, body.silence]).toEqual(['strict', null]);
  const { guardians } = (await ann.call('GET /web/guardians')).body as unknown as { guardians: { name: string }[] };
  expect(guardians.map(({ name }) => name)).toEqual(['Bob']);
});

const led: [ActKind, object, (ann: Family) => Promise<unknown>][] = [
  ['pin_shown', { way: 'new_pin' }, ({ call }) => call('GET /web/bypasspassword')],
  ['pin_reset', { way: 'new_pin' }, ({ call }) => call('POST /web/bypasspassword')],
  ['device_removed', { way: 'link_again' }, ({ call, device }) => call(`DELETE /web/devices/${device.uuid}`)],
  [
    'uninstalled',
    { way: 'link_again' },
    ({ device }) => server.call('POST /agent/goodbye', { token: device.agent, body: { reason: 'uninstalled' } }),
  ],
  ['moved', { way: 'link_again' }, ({ news }) => news({ kind: 'moved' })],
  ['undone', { way: 'link_again' }, ({ news }) => news({ kind: 'undone' })],
  ['left', { way: 'link_again' }, ({ news }) => news({ kind: 'left' })],
  ['guardian_removed', { way: 'invite_again' }, ({ call, bob }) => call(`DELETE /web/guardians/${bob.uuid}`)],
  [
    'password_changed',
    { way: 'new_password' },
    ({ call }) => call('PATCH /web/profile', { current_password: goodPassword, password: 'another good password' }),
  ],
  [
    'phone_changed',
    { way: 'check_profile' },
    async ({ call }) => {
      for (const phone_number of ['+12025550143', '+12025550144'])
        await call('PATCH /web/profile', { phone_number, current_password: goodPassword });
    },
  ],
  [
    'email_changed',
    { way: 'check_profile' },
    async ({ call }) => {
      const email = `${randomUUID()}@example.org`;
      await call('PATCH /web/profile', { email, current_password: goodPassword });
      const token = linkIn((await server.mailsTo(email))[0], '/confirm-email-change/');
      await server.call('POST /confirm-email-change', { body: { token } });
    },
  ],
  [
    'profile_changed',
    { way: 'edit_profile' },
    async (ann) => {
      const { uuid } = (await ann.call('POST /web/policies', { name: 'Mine', actions })).body;
      await choose(ann, String(uuid));
      await ann.call(`PATCH /web/policies/${uuid}`, { name: 'Mine', actions: { ...actions, ScamWebsite: 'alert' } });
    },
  ],
];

test('person_changed leads to the settings of that computer, also after another one changed hands', async () => {
  const ann = await family();
  const change = async (device: string, name: string) => {
    const { body } = await ann.call(`GET /web/devices/${device}`);
    const person = { name, phone_number: '', is_holder: false };
    await ann.call(`POST /web/devices/${device}`, { name: body.name, policy: body.policy, person });
  };
  const other = await linkedDevice(server, ann.token);
  await change(ann.device.uuid, 'Mum');
  server.clock.turn(1000);
  await change(other.uuid, 'Dad');
  expect((await ann.acts('person_changed')).map(({ undo }) => undo)).toEqual([
    { way: 'check_device', device: other.uuid },
    { way: 'check_device', device: ann.device.uuid },
  ]);
});

test.each(led)('%s leads to where it is put right', async (kind, undo, act) => {
  const ann = await family();
  await act(ann);
  expect((await ann.acts(kind))[0]?.undo).toMatchObject(undo);
});

const nothing: [ActKind, News['said']][] = [
  ['asked', { kind: 'asked', name: 'AnyDesk' }],
  ['pin_guessed', { kind: 'pin_guessed' }],
  ['leaving', { kind: 'leaving' }],
];

test.each(nothing)('%s cannot be taken back, and nobody says that it can', async (kind, said) => {
  const ann = await family();
  await ann.news(said);
  expect((await ann.acts(kind))[0]?.undo).toBeNull();
});

test('every kind of act is tried', () => {
  const tried: string[] = ['person_changed', ...[direct, led, nothing].flatMap((table) => table.map(([kind]) => kind))];
  expect([...new Set(tried)].toSorted()).toEqual([...actKind.options].toSorted());
});

test('what is over is not offered: a pause that has ended, what was allowed for an hour, an older PIN, a guardian who is there again', async () => {
  const ann = await family();
  await ann.news({ kind: 'paused', until: pausedUntil() });
  const lasts = 'hour';
  await ann.call(`POST /web/devices/${ann.device.uuid}/v2/exceptions`, { type: 'domain', identifier: 'a.example.com', lasts });
  server.clock.turn(1000);
  await allow(ann, 'b.example.com');
  server.clock.turn(61 * minute);
  await server.call('POST /agent/check-in', { token: ann.device.agent, body: { info: agentInfo, protecting: true, problems: [] } });
  expect((await ann.acts('paused'))[0]?.undo).toBeNull();
  expect((await ann.acts('allowed')).map(({ undo }) => undo?.way)).toEqual(['disallow', undefined]);
  await ann.call('GET /web/bypasspassword');
  server.clock.turn(minute);
  await ann.call('POST /web/bypasspassword');
  expect((await ann.acts('pin_shown'))[0]?.undo).toBeNull();
  await ann.call(`DELETE /web/guardians/${ann.bob.uuid}`);
  await activeGuardian(server, ann.token);
  expect((await ann.acts('guardian_removed'))[0]?.undo).toBeNull();
});

test('a profile that was deleted since goes back to strict, and one that was chosen over again is not taken back', async () => {
  const ann = await family();
  const { uuid } = (await ann.call('POST /web/policies', { name: 'Mine', actions })).body;
  await choose(ann, String(uuid));
  await choose(ann, 'permissive');
  expect((await ann.acts('profile_chosen'))[0]?.undo).toMatchObject({ policy: uuid });
  await ann.call(`DELETE /web/policies/${uuid}`);
  expect((await ann.acts('profile_chosen'))[0]?.undo).toMatchObject({ policy: 'strict' });
  await choose(ann, 'strict');
  expect((await ann.acts('profile_chosen'))[0]?.undo).toBeNull();
});

test('the letter has the button and leads to that act; of what cannot be taken back it says something else', async () => {
  const ann = await family();
  await allow(ann, 'example.com');
  const allowed = await ann.mail(/^You allowed example\.com/);
  const [act] = await ann.acts('allowed');
  expect(allowed?.text).toContain(
    'If this was you, there’s nothing to do. If not, or if someone on the phone asked for it, hang up and press Take back.',
  );
  expect(allowed?.text).toMatch(new RegExp(`${undoButtons.disallow}:\\n\\S+/dashboard/profile/alerts\\?act=${act?.uuid}\\n`));
  await ann.news({ kind: 'asked', name: 'AnyDesk' });
  const asked = await ann.mail(/asked to use AnyDesk/);
  expect(asked?.text).toContain('If a stranger on the phone wants it, it’s a scam. Ask whoever is at that computer to hang up.');
  expect(asked?.text).not.toMatch(/undo|take back|all is well|If this was you/i);
});

test('[P4.6] a pause is ended from afar: the agent that waits hears it at once, another device of the account hears nothing', async () => {
  const ann = await family();
  const other = await linkedDevice(server, ann.token, 'Attic PC');
  const versionOf = async (agent: string) => {
    const { body } = await server.call('GET /agent/policy', { token: agent });
    const { keys } = (await server.call('GET /agent/server')).body;
    const policy = openDocument(body.policy as unknown as SignedDocument, String(keys?.policy), devicePolicy);
    if (!policy) throw new Error('the policy is not signed by the key that the server tells');
    return { policy, version: policy.version, definitions: Number(body.definitions_version) };
  };
  const [before, beside] = [await versionOf(ann.device.agent), await versionOf(other.agent)];
  expect(before.policy.resume).toBeNull();
  const known = `known=${before.version}&known_definitions=${before.definitions}`;
  const waiting = server.call(`GET /agent/policy?${known}&wait=25`, { token: ann.device.agent });
  expect((await ann.call(`POST /web/devices/${ann.device.uuid}/resume`)).status).toBe(200);
  expect((await waiting).status).toBe(200);
  const first = (await versionOf(ann.device.agent)).policy.resume;
  expect(first).toMatch(/^[0-9a-f-]{36}$/);
  await ann.call(`POST /web/devices/${ann.device.uuid}/resume`);
  expect((await versionOf(ann.device.agent)).policy.resume).not.toBe(first);
  expect(await versionOf(other.agent)).toEqual({ ...beside, policy: { ...beside.policy, issued: expect.any(String) } });
  const eve = await person(server);
  expect((await server.call(`POST /web/devices/${ann.device.uuid}/resume`, { token: eve.token })).status).toBe(404);
});
