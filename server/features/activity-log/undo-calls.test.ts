import { randomUUID } from 'node:crypto';
import { type ActivityKind, activityKind } from '@porchlight/contract/activity-log.ts';
import type { ActivityUndo } from '@porchlight/contract/activity-undo.ts';
import type { AgentEvent } from '@porchlight/contract/agent-events.ts';
import { minute } from '@porchlight/contract/time.ts';
import { undoButtons } from '@porchlight/contract/undo-buttons.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkInBody } from '../../testing/agent-info.ts';
import { authenticatorApp } from '../../testing/authenticator-app.ts';
import { phoneOf } from '../../testing/phone-calls.ts';
import { type UndoFamily as Family, undoFamily } from '../../testing/undo-family.ts';
import { activeGuardian, goodPassword, linkedDevice, linkIn, type TestServer, testServer } from '../../testing/world.ts';

/** Which acts in the activity log can be undone; only their entries offer undo. */

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const proof = { current_password: goodPassword };
const actions = { RemoteControl: 'block', DeceptiveUtility: 'block', ScamWebsite: 'block' };

const family = () => undoFamily(server);

const pausedUntil = () => new Date(server.clock.now().getTime() + 10 * minute).toISOString();
const setProfile = ({ call, device }: Family, policy: string) => call(`POST /web/devices/${device.uuid}`, { name: 'Den PC', policy });
const allow = ({ call, device }: Family, identifier: string) =>
  call(`POST /web/devices/${device.uuid}/v2/exceptions`, { type: 'domain', identifier, lasts: null });

const browsing =
  (...choices: object[]) =>
  async ({ call }: Family) => {
    for (const choice of choices) await call('PATCH /web/browsing-protection', choice);
  };

async function undoAct({ call, device }: Family, undo: ActivityUndo | null | undefined) {
  if (undo?.way === 'resume') {
    await call(`POST /web/devices/${undo.device}/resume`);
    // The agent confirms that protection resumed after it received the policy.
    return server.call('POST /agent/goodbye', { token: device.agent, body: { reason: 'resumed' } });
  }
  if (undo?.way === 'disallow') return call(`DELETE /web/devices/${undo.device}/v2/exceptions`, { id: undo.exception });
  if (undo?.way === 'profile_back') return call(`POST /web/devices/${undo.device}`, { name: 'Den PC', policy: undo.policy });
  if (undo?.way === 'settings') return call('PATCH /web/alert-settings', undo.settings);
  if (undo?.way === 'browsing') return call('PATCH /web/browsing-protection', undo.choice);
  if (undo?.way === 'unlisted') return call('PATCH /web/unlisted-protection', undo.choice);
  if (undo?.way === 'ask_first') return call('PATCH /web/holding', { ask_first: true });
  if (undo?.way === 'isolation') return call(`PATCH /web/guardians/${undo.guardian}`, { may_isolate: undo.may_isolate });
  if (undo?.way === 'guardian_order') return call('PUT /web/guardians/order', { order: undo.guardians });
  if (undo?.way === 'remove_guardian') return call(`DELETE /web/guardians/${undo.guardian}`);
  throw new Error(`${JSON.stringify(undo)} is not done by one call`);
}

const undoableEntries: [ActivityKind, string, (ann: Family) => Promise<unknown>][] = [
  ['paused', 'resume', (ann) => ann.reportEvent({ kind: 'paused', until: pausedUntil() })],
  ['allowed', 'disallow', (ann) => allow(ann, 'example.com')],
  ['profile_chosen', 'profile_back', (ann) => setProfile(ann, 'permissive')],
  ['alerts_off', 'settings', ({ call }) => call('PATCH /web/alert-settings', { mail: false })],
  ['alerts_off', 'settings', ({ call }) => call('PATCH /web/alert-settings', { sms: false })],
  ['outage_later', 'settings', ({ call }) => call('PATCH /web/alert-settings', { notify_after_days: 7 })],
  ['unlisted_off', 'unlisted', ({ call }) => call('PATCH /web/unlisted-protection', { new_programs: 'count' })],
  ['unlisted_off', 'unlisted', ({ call }) => call('PATCH /web/unlisted-protection', { money_open: ['bank.example'] })],
  ['browsers_off', 'browsing', browsing({ browsers: false })],
  ['notifications_allowed', 'browsing', browsing({ notification_origins: ['https://mail.example'] })],
  ['resolver_off', 'browsing', browsing({ resolver: 'quad9' }, { resolver: 'network' })],
  [
    'ask_first_off',
    'ask_first',
    async ({ bob, call }) => {
      await call('PATCH /web/holding', { ask_first: true });
      const { request } = (await call('PATCH /web/holding', { ask_first: false })).body;
      await server.call(`POST /guardian/${bob.uuid}/requests/${String(request)}`, { headers: bob.session, body: { answer: 'yes' } });
      await call('PATCH /web/holding', { ask_first: false });
    },
  ],
  [
    'isolation_off',
    'isolation',
    async ({ bob, call }) => {
      for (const may_isolate of [true, false]) await call(`PATCH /web/guardians/${bob.uuid}`, { may_isolate });
    },
  ],
  [
    'guardians_reordered',
    'guardian_order',
    async ({ call }) => {
      const { uuid } = (await call('POST /web/create-guardian', { name: 'Carol', email: `carol-${randomUUID()}@example.org` })).body;
      await call('PUT /web/guardians/order', { order: [uuid] });
    },
  ],
  ['guardian_added', 'remove_guardian', ({ call }) => call('POST /web/create-guardian', { name: 'Mallory', email: 'm@example.org' })],
];

test.each(undoableEntries)(
  'the act %s is undone by one call (%s) and then no longer offers undo; other acts are unaffected',
  async (kind, undoWay, performAct) => {
    const ann = await family();
    await allow(ann, 'stays.example.com');
    server.clock.turn(1000);
    await performAct(ann);
    const [undoneEntry] = await ann.acts(kind);
    expect(undoneEntry?.undo).toMatchObject({ way: undoWay });
    expect((await undoAct(ann, undoneEntry?.undo)).status).toBe(200);
    expect((await ann.acts(kind)).find(({ uuid }) => uuid === undoneEntry?.uuid)?.undo).toBeNull();
    expect((await ann.acts('allowed')).at(-1)?.undo).toMatchObject({ way: 'disallow' });
    expect((await ann.call('GET /web/alert-settings')).body).toMatchObject({ notify_after_days: 3, weekly: true, mail: true, sms: true });
    const { body } = await ann.call(`GET /web/devices/${ann.device.uuid}`);
    expect([body.policy, body.outage]).toEqual(['strict', null]);
    const { guardians } = (await ann.call('GET /web/guardians')).body as unknown as { guardians: { name: string }[] };
    expect(guardians[0]?.name).toBe('Bob');
  },
);

const linkedEntries: [ActivityKind, object, (ann: Family) => Promise<unknown>][] = [
  ['device_added', { way: 'check_device' }, ({ call }) => call('POST /web/create-device', { name: 'Phone', policy: null })],
  ['device_unknown', { way: 'check_device' }, ({ doubts }) => doubts()],
  ['pin_shown', { way: 'new_pin' }, ({ call }) => call('GET /web/bypasspassword')],
  ['pin_reset', { way: 'new_pin' }, ({ call }) => call('POST /web/bypasspassword')],
  ['device_removed', { way: 'link_again' }, ({ call, device }) => call(`DELETE /web/devices/${device.uuid}`)],
  [
    'uninstalled',
    { way: 'link_again' },
    ({ device }) => server.call('POST /agent/goodbye', { token: device.agent, body: { reason: 'uninstalled' } }),
  ],
  ['moved', { way: 'link_again' }, ({ reportEvent }) => reportEvent({ kind: 'moved' })],
  ['undone', { way: 'link_again' }, ({ reportEvent }) => reportEvent({ kind: 'undone' })],
  ['left', { way: 'link_again' }, ({ reportEvent }) => reportEvent({ kind: 'left' })],
  ['guardian_removed', { way: 'invite_again' }, ({ call, bob }) => call(`DELETE /web/guardians/${bob.uuid}`)],
  [
    'password_changed',
    { way: 'new_password' },
    ({ call }) => call('PATCH /web/profile', { current_password: goodPassword, password: 'another good password' }),
  ],
  ['sign_in_added', { way: 'check_sign_in' }, ({ token }) => authenticatorApp(server, token)],
  [
    'sign_in_removed',
    { way: 'check_sign_in' },
    async ({ call, token }) => {
      await authenticatorApp(server, token);
      await call('POST /web/authenticator/remove', { current_password: goodPassword });
    },
  ],
  [
    'recovery_codes_made',
    { way: 'check_sign_in' },
    async ({ call, token }) => {
      await authenticatorApp(server, token);
      await call('POST /web/recovery-codes', { current_password: goodPassword });
    },
  ],
  [
    'recovery_code_used',
    { way: 'check_sign_in' },
    async ({ email, token }) => {
      const { recovery_codes } = await authenticatorApp(server, token);
      await server.call('POST /login/web', { body: { email, password: goodPassword, code: recovery_codes?.[0] } });
    },
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
  ['deletion_asked', { way: 'keep_account' }, ({ call }) => call('POST /web/account/deletion', proof)],
  [
    'deletion_stopped',
    { way: 'new_password' },
    async ({ call }) => {
      for (const key of ['POST /web/account/deletion', 'POST /web/account/deletion/stop']) await call(key, proof);
    },
  ],
  ['account_downloaded', { way: 'new_password' }, ({ call }) => call('POST /web/account/download', { ...proof, format: 'page' })],
  [
    'profile_changed',
    { way: 'edit_profile' },
    async (ann) => {
      const { uuid } = (await ann.call('POST /web/policies', { name: 'Mine', actions })).body;
      await setProfile(ann, String(uuid));
      await ann.call(`PATCH /web/policies/${uuid}`, { name: 'Mine', actions: { ...actions, ScamWebsite: 'alert' } });
    },
  ],
];

test('the act person_changed links to the settings of its own device, also after the user of another device changed', async () => {
  const ann = await family();
  const change = async (device: string, name: string) => {
    const { body } = await ann.call(`GET /web/devices/${device}`);
    const person = { name, phone_number: '', is_holder: false };
    await ann.call(`POST /web/devices/${device}`, { name: body.name, policy: body.policy, person });
  };
  const otherDevice = await linkedDevice(server, ann.token);
  await change(ann.device.uuid, 'Mum');
  server.clock.turn(1000);
  await change(otherDevice.uuid, 'Dad');
  expect((await ann.acts('person_changed')).map(({ undo }) => undo)).toEqual([
    { way: 'check_device', device: otherDevice.uuid },
    { way: 'check_device', device: ann.device.uuid },
  ]);
});

test.each(linkedEntries)('the act %s links to the page that corrects it', async (kind, undo, performAct) => {
  const ann = await family();
  await performAct(ann);
  expect((await ann.acts(kind))[0]?.undo).toMatchObject(undo);
});

const finalEntries: [ActivityKind, AgentEvent['reported']][] = [
  ['asked', { kind: 'asked', name: 'AnyDesk' }],
  ['pin_guessed', { kind: 'pin_guessed' }],
  ['leaving', { kind: 'leaving' }],
  ['left_out', { kind: 'left_out', source: 'menu' }],
];

test.each(finalEntries)('the act %s cannot be undone and does not offer undo', async (kind, event) => {
  const ann = await family();
  await ann.reportEvent(event);
  expect((await ann.acts(kind))[0]?.undo).toBeNull();
});

test('the act call_consent_off cannot be undone: only the user can agree again, in a new call', async () => {
  const ann = await family();
  const user = { name: 'Mum', phone_number: '+12025550198', is_holder: false };
  const { uuid } = (await ann.call('POST /web/create-device', { name: 'Laptop', policy: null, person: user })).body;
  server.clock.turn(1000);
  await ann.call(`POST /web/devices/${uuid}/call-consent`);
  await phoneOf(server, user.phone_number).presses('1');
  await ann.call(`DELETE /web/devices/${uuid}/call-consent`);
  expect((await ann.acts('call_consent_off')).map(({ undo }) => undo)).toEqual([null]);
});

test('the tests of undo cover every kind of act', () => {
  const testedKinds: string[] = [
    // Those of logging out everywhere and of an appointment, which need a session and a proof, are in accounts/ and appointments/.
    ...['person_changed', 'call_consent_off', 'logged_out_everywhere', 'helping'],
    ...[undoableEntries, linkedEntries, finalEntries].flatMap((table) => table.map(([kind]) => kind)),
  ];
  expect([...new Set(testedKinds)].toSorted()).toEqual([...activityKind.options].toSorted());
});

test('an act without effect offers no undo: an ended pause, an expired allowance, an older PIN, a re-invited guardian', async () => {
  const ann = await family();
  await ann.reportEvent({ kind: 'paused', until: pausedUntil() });
  const duration = 'hour';
  await ann.call(`POST /web/devices/${ann.device.uuid}/v2/exceptions`, { type: 'domain', identifier: 'a.example.com', lasts: duration });
  server.clock.turn(1000);
  await allow(ann, 'b.example.com');
  server.clock.turn(61 * minute);
  await server.call('POST /agent/check-in', { token: ann.device.agent, body: checkInBody });
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

test('undoing a change of profile sets strict if the previous profile was deleted; a profile changed again offers no undo', async () => {
  const ann = await family();
  const { uuid } = (await ann.call('POST /web/policies', { name: 'Mine', actions })).body;
  await setProfile(ann, String(uuid));
  await setProfile(ann, 'permissive');
  expect((await ann.acts('profile_chosen'))[0]?.undo).toMatchObject({ policy: uuid });
  await ann.call(`DELETE /web/policies/${uuid}`);
  expect((await ann.acts('profile_chosen'))[0]?.undo).toMatchObject({ policy: 'strict' });
  await setProfile(ann, 'strict');
  expect((await ann.acts('profile_chosen'))[0]?.undo).toBeNull();
});

test("the holder's email links to the act with its undo button, or gives other advice when it cannot be undone", async () => {
  const ann = await family();
  await allow(ann, 'example.com');
  const allowedEmail = await ann.mail(/^You allowed example\.com/);
  const [entry] = await ann.acts('allowed');
  expect(allowedEmail?.text).toContain(
    'If this was you, there’s nothing to do. If not, or if someone on the phone asked for it, hang up and press Take back.',
  );
  expect(allowedEmail?.text).toMatch(new RegExp(`${undoButtons.disallow}:\\n\\S+/dashboard/profile/alerts\\?act=${entry?.uuid}\\n`));
  await ann.reportEvent({ kind: 'asked', name: 'AnyDesk' });
  const requestEmail = await ann.mail(/asked to use AnyDesk/);
  expect(requestEmail?.text).toContain('If a stranger on the phone wants it, it’s a scam. Ask whoever is at that computer to hang up.');
  expect(requestEmail?.text).not.toMatch(/undo|take back|all is well|If this was you/i);
});
