import { randomUUID } from 'node:crypto';
import type { Device } from '@porchlight/contract/devices.ts';
import type { GuardianView } from '@porchlight/contract/guardians.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { activeGuardian, detection, goodPassword, linkedDevice, person, type TestServer, testServer } from '../../testing/world.ts';

/** Who uses a computer (P8.1), and what hangs on it: whom people are told to call (P8.2), and that another person there is told at once (P10.4). */

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const minute = 60_000;
const mum = { name: 'Mum', phone_number: '+1 (202) 555-0143', is_holder: false };
const stored = { name: 'Mum', phone_number: '+12025550143', is_holder: false };
const me = { name: '', phone_number: '', is_holder: true };

async function family() {
  const { token, email } = await person(server);
  const bob = await activeGuardian(server, token);
  const create = async (more: object) =>
    String((await server.call('POST /web/create-device', { token, body: { name: 'Den PC', policy: null, ...more } })).body.uuid);
  const personOf = async (uuid: string) =>
    (await server.call(`GET /web/devices/${uuid}`, { token })).body.person as unknown as Device['person'];
  const setOf = async (uuid: string) =>
    (await server.db.selectFrom('devices').select('person_set').where('uuid', '=', uuid).executeTakeFirstOrThrow()).person_set;
  const change = (uuid: string, more: object) =>
    server.call(`POST /web/devices/${uuid}`, { token, body: { name: 'Den PC', policy: 'strict', ...more } });
  const acts = async () => {
    const { items } = (await server.call('GET /web/acts', { token })).body as unknown as { items: { kind: string; words: string }[] };
    return items.filter(({ kind }) => kind === 'person_changed').map(({ words }) => words);
  };
  const mails = async (to: string, about: RegExp) => (await server.mailsTo(to)).filter(({ subject }) => about.test(subject));
  return { token, email, bob, create, personOf, setOf, change, acts, mails };
}

test('[P8.1] a new device keeps who uses it, with the number as E.164; of the holder nothing but that; where nobody has said, nobody', async () => {
  const ann = await family();
  const before = server.clock.now();
  const hers = await ann.create({ person: { ...mum, name: '  Mum ' } });
  expect(await ann.personOf(hers)).toEqual(stored);
  expect(await ann.setOf(hers)).toEqual(before);
  expect(await ann.personOf(await ann.create({ person: { ...mum, is_holder: true } }))).toEqual(me);
  expect(await ann.personOf(await ann.create({ person: { is_holder: false } }))).toEqual({ ...me, is_holder: false });
  const unsaid = [await ann.create({}), await ann.create({ person: null })];
  for (const uuid of unsaid) expect(await ann.personOf(uuid)).toBeNull();
  const { devices } = (await server.call('GET /web/devices', { token: ann.token })).body as unknown as { devices: Device[] };
  expect(devices.map((device) => device.person?.name ?? null).toSorted()).toEqual(['', '', 'Mum', null, null].toSorted());
});

test('[P8.1] the same draft again has whoever was said last', async () => {
  const ann = await family();
  const draft = '0123456789abcdef0123456789abcdef';
  const uuid = await ann.create({ draft, person: mum });
  expect(await ann.create({ draft })).toBe(uuid);
  expect(await ann.personOf(uuid)).toEqual(stored);
  expect(await ann.create({ draft, person: me })).toBe(uuid);
  expect(await ann.personOf(uuid)).toEqual(me);
});

test.each([
  ['a link in the name', { ...mum, name: 'www.bank-help.com' }, 'Name'],
  ['a number in the name', { ...mum, name: 'Mum 202 555 0143' }, 'Name'],
  ['a name that is too long', { ...mum, name: 'x'.repeat(41) }, 'Name'],
  ['a number that is none', { ...mum, phone_number: '+1 202' }, 'PhoneNumber'],
  ['a number without a country', { ...mum, phone_number: '2025550143' }, 'PhoneNumber'],
])('[P8.1] %s is refused, for a new device and for one there is, and nothing changes', async (_what, said, field) => {
  const ann = await family();
  const uuid = await ann.create({ person: me });
  const made = await server.call('POST /web/create-device', { token: ann.token, body: { name: 'New', policy: null, person: said } });
  for (const reply of [made, await ann.change(uuid, { person: said })])
    expect(reply).toMatchObject({ status: 422, body: { code: 'invalid_input', fields: [{ field }] } });
  expect(await ann.personOf(uuid)).toEqual(me);
});

test('[P8.1] [7.11] a person that is left out stays, and so does when they were said; a device that was never installed tells nobody', async () => {
  const ann = await family();
  const [uuid, other] = [await ann.create({ person: mum }), await ann.create({ person: mum })];
  const set = await ann.setOf(uuid);
  server.clock.turn(minute);
  expect((await ann.change(uuid, { name: 'Kitchen PC' })).body).toMatchObject({ name: 'Kitchen PC', person: stored });
  expect((await ann.change(uuid, { person: { ...mum, phone_number: '+12025550143' } })).body.person).toEqual(stored);
  expect(await ann.setOf(uuid)).toEqual(set);
  expect((await ann.change(uuid, { person: { ...mum, name: 'Dad' } })).body.person).toEqual({ ...stored, name: 'Dad' });
  expect(await ann.setOf(uuid)).toEqual(server.clock.now());
  expect([await ann.personOf(other), await ann.setOf(other)]).toEqual([stored, set]);
  expect(await ann.acts()).toEqual([]);
});

test('[P10.4] another person at a computer is told at once by email and text; that the holder was meant all along is not', async () => {
  const ann = await family();
  const { token } = ann;
  const phone = '+12025550177';
  await server.call('PATCH /web/profile', { token, body: { phone_number: phone, current_password: goodPassword } });
  await server.call('POST /web/send-phone-code', { token });
  const code = /\b\d{6}\b/.exec((await server.textsTo(phone))[0]?.body ?? '')?.[0] ?? '';
  await server.call('POST /web/verify-phonenumber', { token, body: { code } });
  const { uuid } = await linkedDevice(server, token);
  for (const said of [me, null, me]) expect((await ann.change(uuid, { person: said })).status).toBe(200);
  expect(await ann.acts()).toEqual([]);

  const steps: [object | null, string][] = [
    [mum, 'Mum'],
    [{ ...mum, phone_number: '+12025550144' }, 'Mum, with another phone number'],
    [{ is_holder: false }, 'someone else'],
    [null, 'the account holder'],
  ];
  for (const [said, to] of steps) {
    server.clock.turn(11 * minute);
    expect((await ann.change(uuid, { person: said })).status).toBe(200);
    expect((await ann.acts())[0]).toBe(`Ann changed who uses Den PC to ${to}.`);
    expect((await ann.mails(ann.email, /changed who uses/))[0]?.subject).toBe(`You changed who uses Den PC to ${to}`);
    const [toBob] = await ann.mails(ann.bob.email, /changed who uses/);
    expect(toBob?.subject).toBe(`Ann changed who uses Den PC to ${to}`);
    // Whoever has her login can name a person and a number: she is the one to ask.
    expect(toBob?.text).toContain('Did you expect this? If not, call Ann.');
    expect(toBob?.text).not.toContain('+1');
    expect((await server.textsTo(phone))[0]?.body).toContain(`You changed who uses Den PC to ${to}.`);
  }
  expect(await ann.acts()).toHaveLength(steps.length);
});

test('[P8.2] what happens at her computer is told with the name and number of whoever uses it, to the holder as to a guardian; at the other one as ever', async () => {
  const ann = await family();
  const { token } = ann;
  const [hers, own] = [await linkedDevice(server, token, 'Den PC'), await linkedDevice(server, token, 'Study PC')];
  await ann.change(hers.uuid, { person: mum });
  for (const { agent } of [hers, own]) {
    await server.call('POST /agent/detections', { token: agent, body: { detections: [detection(server, { certainty: 'certain' })] } });
    const item = { kind: 'downloads', identifier: 'anydesk', name: 'AnyDesk', category: 'RemoteControl', certainty: 'certain' };
    const scan = {
      uuid: randomUUID(),
      time: server.clock.now().toISOString(),
      items: [{ ...item, details: 'AnyDesk.exe', did: 'put_away', blocked: true }],
    };
    await server.call('POST /agent/scan', { token: agent, body: scan });
    await server.call('POST /agent/goodbye', {
      token: agent,
      body: { reason: 'paused', until: new Date(server.clock.now().getTime() + 10 * minute).toISOString() },
    });
    await server.call('POST /agent/goodbye', { token: agent, body: { reason: 'stopped' } });
  }
  // Something was stopped there, so whether the program is back is looked at soon.
  server.clock.turn(3 * minute);
  const about = [/AnyDesk was blocked on/, /AnyDesk was found on/, /was paused until/, /is not protected/];
  for (const [at, who] of [
    ['Den PC', 'Mum'],
    ['Study PC', 'Ann'],
  ] as const) {
    for (const to of [ann.email, ann.bob.email])
      for (const one of about) {
        const mails = (await ann.mails(to, one)).filter(({ subject }) => subject.includes(at));
        expect(mails, `${to} ${one} ${at}`).toHaveLength(1);
        const text = (mails[0]?.text ?? '').split('\n\n').slice(0, -1).join('\n\n');
        if (who === 'Mum') expect(text).toContain('Call Mum: +1 202 555 0143');
        else expect(text).not.toMatch(/Mum|555 0143/);
        if (who === 'Ann' && to === ann.bob.email) expect(text).toMatch(/(call|ask) Ann/i);
      }
  }
});

test('[P8.2] a guardian sees who uses each computer', async () => {
  const ann = await family();
  await ann.create({ name: 'A', person: mum });
  await ann.create({ name: 'B' });
  const view = (await server.call(`GET /guardian/${ann.bob.uuid}`, { headers: ann.bob.session })).body as unknown as GuardianView;
  expect(view.devices.map(({ name, person }) => [name, person]).toSorted()).toEqual([
    ['A', stored],
    ['B', null],
  ]);
});
