import { minute } from '@porchlight/contract/time.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { activeGuardian, goodPassword, linkedDevice, linkIn, person, type TestServer, testServer } from '../../testing/world.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const actions = { RemoteControl: 'block', DeceptiveUtility: 'block', ScamWebsite: 'block' };

async function family() {
  const { token, email } = await person(server);
  const bob = await activeGuardian(server, token);
  const device = await linkedDevice(server, token);
  const listEntries = async () => {
    const { items } = (await server.call('GET /web/acts', { token })).body as unknown as {
      items: { kind: string; words: string; by: string }[];
    };
    return items.filter(({ kind }) => kind !== 'guardian_added');
  };
  return {
    token,
    email,
    bob,
    device,
    acts: listEntries,
    words: async () => (await listEntries()).map(({ words }) => words),
    told: async () => ({
      holder: await subjects(email),
      guardian: await subjects(bob.email),
    }),
  };
}
const subjects = async (email: string) => (await server.mailsTo(email)).map(({ subject }) => subject);
type Family = Awaited<ReturnType<typeof family>>;
const call = (key: string, { token }: Family, body?: object) => server.call(key, { token, ...(body ? { body } : {}) });
const allow = (ann: Family, identifier: string, type = 'definition') =>
  call(`POST /web/devices/${ann.device.uuid}/v2/exceptions`, ann, { type, identifier, lasts: null });
const choose = (ann: Family, policy: string) => call(`POST /web/devices/${ann.device.uuid}`, ann, { name: 'Den PC', policy });
const profile = async (ann: Family, overrides: object = {}) =>
  String((await call('POST /web/policies', ann, { name: 'Mine', actions: { ...actions, ...overrides } })).body.uuid);

test('a weakening act is logged and announced to holder and guardian in plain words', async () => {
  const ann = await family();
  await allow(ann, 'anydesk');
  expect(await ann.acts()).toMatchObject([
    { kind: 'allowed', by: 'Ann', words: 'Ann allowed AnyDesk on Den PC.', time: server.clock.now().toISOString() },
  ]);
  expect(await ann.told()).toEqual({ holder: ['You allowed AnyDesk on Den PC'], guardian: ['Ann allowed AnyDesk on Den PC'] });
  const [mail] = await server.mailsTo(ann.bob.email);
  expect(mail?.text).toContain('Not expected? Call Ann.');
  expect(mail?.text).toContain(`/dashboard/guardian/${ann.bob.uuid}/`);
  expect((mail?.text ?? '').split('Nobody from Porchlight')[0]?.split(/\s+/).length).toBeLessThan(90);
});

/** Each act that weakens protection: its name, a call that performs it, its log entry, and whether the gate emails the holder. */
const weakening: [string, (ann: Family) => Promise<unknown>, string, boolean, toGuardian?: string][] = [
  ['looking at the PIN', (ann) => call('GET /web/bypasspassword', ann), 'Ann looked at the Admin PIN.', true],
  ['a new PIN', (ann) => call('POST /web/bypasspassword', ann), 'Ann made a new Admin PIN.', true],
  ['allowing a site', (ann) => allow(ann, 'example.com', 'domain'), 'Ann allowed example.com on Den PC.', true],
  ['permissive', (ann) => choose(ann, 'permissive'), 'Ann put Den PC on Permissive, which stops less.', true],
  [
    'a profile of her own that stops less',
    async (ann) => choose(ann, await profile(ann, { DeceptiveUtility: 'ignore' })),
    'Ann put Den PC on Mine, which stops less.',
    true,
  ],
  [
    'a profile in use that stops less from now on',
    async (ann) => {
      const uuid = await profile(ann);
      await choose(ann, uuid);
      await call(`PATCH /web/policies/${uuid}`, ann, { name: 'Mine', actions: { ...actions, ScamWebsite: 'alert' } });
    },
    'Ann changed the profile Mine, which now stops less.',
    true,
  ],
  [
    'another person at the computer',
    (ann) =>
      call(`POST /web/devices/${ann.device.uuid}`, ann, { name: 'Den PC', policy: 'strict', person: { name: 'Mum', is_holder: false } }),
    'Ann changed who uses Den PC to Mum.',
    true,
  ],
  ['removing a device', (ann) => call(`DELETE /web/devices/${ann.device.uuid}`, ann), 'Ann removed Den PC from the account.', true],
  [
    'a new password',
    (ann) => call('PATCH /web/profile', ann, { current_password: goodPassword, password: 'another good password' }),
    'Ann changed the password of the account.',
    false,
    'The password of Ann’s account was changed',
  ],
  ['no mails', (ann) => call('PATCH /web/alert-settings', ann, { mail: false }), 'Ann turned off emails about threats.', true],
  ['no texts', (ann) => call('PATCH /web/alert-settings', ann, { sms: false }), 'Ann turned off texts about threats.', true],
  [
    'hearing of silence later',
    (ann) => call('PATCH /web/alert-settings', ann, { notify_after_days: 7 }),
    'Ann chose to hear of a silent device only after 7 days.',
    true,
  ],
  [
    'no internet switch for a guardian',
    async (ann) => {
      for (const may_isolate of [true, false]) await call(`PATCH /web/guardians/${ann.bob.uuid}`, ann, { may_isolate });
    },
    'Ann no longer lets Bob cut the internet.',
    true,
  ],
];

test.each(weakening)('%s is logged and announced to the guardian', async (_what, weakenProtection, sentence, emailsHolder, toGuardian) => {
  const ann = await family();
  await weakenProtection(ann);
  expect(await ann.words()).toEqual([sentence]);
  const { holder, guardian } = await ann.told();
  expect(guardian).toEqual([toGuardian ?? sentence.slice(0, -1)]);
  const weaken = holder.filter((subject) => subject.startsWith('You '));
  expect(weaken).toEqual(emailsHolder ? [sentence.replace('Ann', 'You').replace('lets', 'let').slice(0, -1)] : []);
});

test('a new password or email address sends the holder only the email about that change; the guardian is notified of each change', async () => {
  const ann = await family();
  await call('PATCH /web/profile', ann, { current_password: goodPassword, password: 'another good password' });
  expect(await ann.told()).toEqual({ holder: ['Your password was changed'], guardian: ['The password of Ann’s account was changed'] });
  const email = `new-${ann.email}`;
  await call('PATCH /web/profile', ann, { email, current_password: 'another good password' });
  expect(await ann.words()).toHaveLength(1);
  server.clock.turn(minute);
  const [mail] = await server.mailsTo(email);
  await server.call('POST /confirm-email-change', { body: { token: linkIn(mail, '/confirm-email-change/') } });
  expect((await ann.words())[0]).toBe('Ann changed the email address of the account.');
  const { holder, guardian } = await ann.told();
  expect(holder).toEqual(['Your email address was changed', 'Your password was changed']);
  expect(guardian[0]).toBe('Ann changed the email address of the account');
  expect((await subjects(email)).filter((subject) => subject.startsWith('You '))).toEqual([]);
});

test('a reset password notifies the guardian too', async () => {
  const ann = await family();
  await server.call('POST /forgot-password', { body: { email: ann.email } });
  const [mail] = await server.mailsTo(ann.email);
  await server.call('POST /reset-password', { body: { token: linkIn(mail, '/reset-password/'), password: 'another good password' } });
  expect((await ann.told()).guardian).toEqual(['The password of Ann’s account was changed']);
});

test('replacing or removing the phone number is a weakening act; adding a first one is not', async () => {
  const ann = await family();
  const phone = (phone_number: string | null) => call('PATCH /web/profile', ann, { phone_number, current_password: goodPassword });
  await phone('+12025550143');
  expect(await ann.words()).toEqual([]);
  await phone('+12025550144');
  expect(await ann.words()).toEqual(['Ann changed the phone number of the account.']);
});

test('a removed guardian gets one email without a link, and the other guardians are notified', async () => {
  const ann = await family();
  const carol = await activeGuardian(server, ann.token, 'Carol');
  await server.call(`DELETE /web/guardians/${ann.bob.uuid}`, { token: ann.token });
  const [lastEmail] = await server.mailsTo(ann.bob.email);
  expect(lastEmail?.subject).toBe('Ann removed you as a guardian');
  expect(lastEmail?.text).toContain('Not expected? Call Ann.');
  expect(lastEmail?.text).not.toContain('/guardian/');
  expect((await subjects(carol.email))[0]).toBe('Ann removed Bob as a guardian');
  await allow(ann, 'anydesk');
  expect((await server.mailsTo(ann.bob.email))[0]?.id).toBe(lastEmail?.id);
});

test('a removed guardian is notified immediately, even while other acts are grouped', async () => {
  const ann = await family();
  for (let i = 1; i <= 6; i++) await allow(ann, `site${i}.example.com`, 'domain');
  await server.call(`DELETE /web/guardians/${ann.bob.uuid}`, { token: ann.token });
  expect((await server.mailsTo(ann.bob.email)).map(({ subject }) => subject)).toContain('Ann removed you as a guardian');
});

test('strengthening protection logs no act but a new computer', async () => {
  const ann = await family();
  const others = async () => (await ann.acts()).filter(({ kind }) => String(kind) !== 'device_added');
  const ownProfile = await profile(ann, { DeceptiveUtility: 'alert' });
  await call(`PATCH /web/policies/${ownProfile}`, ann, { name: 'Mine', actions: { ...actions, RemoteControl: 'ignore' } });
  await call(`PATCH /web/policies/${ownProfile}`, ann, { name: 'Ours', actions });
  await choose(ann, ownProfile);
  await choose(ann, 'strict');
  await call(`DELETE /web/policies/${ownProfile}`, ann);
  await call('POST /web/create-device', ann, { name: 'New', policy: 'permissive' });
  await call('PATCH /web/alert-settings', ann, { notify_after_days: 1, weekly: false, mail: true });
  await call('PATCH /web/profile', ann, { name: 'Ann Other' });
  expect(await others()).toEqual([]);
  const { body } = await call('POST /web/create-device', ann, { name: 'Never installed' });
  await call(`DELETE /web/devices/${body.uuid}`, ann);
  const carol = await server.call('POST /web/create-guardian', { token: ann.token, body: { name: 'Carol', email: 'c@example.org' } });
  await call(`DELETE /web/guardians/${carol.body.uuid}`, ann);
  expect(await others()).toEqual([]);
  await choose(ann, 'permissive');
  await allow(ann, 'example.com', 'domain');
  const { items } = (await call(`GET /web/devices/${ann.device.uuid}/v2/exceptions`, ann)).body;
  await call(`DELETE /web/devices/${ann.device.uuid}/v2/exceptions`, ann, { id: items?.[0]?.id });
  await choose(ann, 'strict');
  expect(await others()).toHaveLength(2);
});

test('a refused weakening act is not logged and notifies nobody', async () => {
  const ann = await family();
  const eve = await person(server);
  await server.call(`DELETE /web/devices/${ann.device.uuid}`, { token: eve.token });
  await server.call(`DELETE /web/guardians/${ann.bob.uuid}`, { token: eve.token });
  await call('PATCH /web/profile', ann, { current_password: 'wrong password', password: 'another good password' });
  await allow(ann, 'anydesk');
  expect((await allow(ann, 'anydesk')).status).toBe(409);
  expect((await call('PATCH /web/alert-settings', ann, { mail: false, sms: false })).body.code).toBe('alerts_all_off');
  expect(await ann.words()).toEqual(['Ann allowed AnyDesk on Den PC.']);
  expect((await server.call('GET /web/acts', { token: eve.token })).body.items).toEqual([]);
});

test('a weakening act repeated within ten minutes is logged without a notification; after ten minutes people are notified again', async () => {
  const ann = await family();
  const viewPin = () => call('GET /web/bypasspassword', ann);
  await viewPin();
  server.clock.turn(10 * minute - 1);
  await viewPin();
  expect(await ann.acts()).toHaveLength(2);
  expect((await ann.told()).guardian).toHaveLength(1);
  server.clock.turn(1);
  await viewPin();
  expect((await ann.told()).guardian).toHaveLength(2);
});

test('people are notified of five weakening acts one by one; further acts within the same ten minutes follow in one email', async () => {
  const ann = await family();
  for (let i = 1; i <= 9; i++) await allow(ann, `site${i}.example.com`, 'domain');
  // The six emails: five acts and the flood alarm (severe.test.ts).
  expect((await ann.told()).guardian).toHaveLength(6);
  server.clock.turn(10 * minute);
  const { guardian, holder } = await ann.told();
  expect(guardian).toHaveLength(7);
  expect(guardian[0]).toBe('3 more changes to Ann’s protection');
  expect(holder[0]).toBe('3 more changes to your protection');
  const [mail] = await server.mailsTo(ann.bob.email);
  for (const i of [7, 8, 9]) expect(mail?.text).toContain(`Ann allowed site${i}.example.com on Den PC.`);
  server.clock.turn(20 * minute);
  expect((await ann.told()).guardian).toHaveLength(7);
});

test('a weakening act whose notifications cannot be queued fails and changes nothing', async () => {
  const ann = await family();
  await server.db.schema.alterTable('activity_log').renameTo('activity_log_away').execute();
  expect((await choose(ann, 'permissive')).status).toBe(500);
  expect((await call(`DELETE /web/guardians/${ann.bob.uuid}`, ann)).status).toBe(500);
  await server.db.schema.alterTable('activity_log_away').renameTo('activity_log').execute();
  expect((await call(`GET /web/devices/${ann.device.uuid}`, ann)).body.policy).toBe('strict');
  expect((await call('GET /web/guardians', ann)).body.guardians).toHaveLength(1);
});
