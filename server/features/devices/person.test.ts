import { randomUUID } from 'node:crypto';
import type { Device } from '@porchlight/contract/devices.ts';
import type { GuardianView } from '@porchlight/contract/guardians.ts';
import { minute } from '@porchlight/contract/time.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  activeGuardian,
  agreeToChanges,
  detection,
  goodPassword,
  linkedDevice,
  person,
  type TestServer,
  testServer,
} from '../../testing/world.ts';

/** Messages advise to call the user of a computer (P8.1, P8.2); people are notified when the user is changed (P10.4). */

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const mum = { name: 'Mum', phone_number: '+1 (202) 555-0143', is_holder: false };
const storedPerson = { name: 'Mum', phone_number: '+12025550143', is_holder: false };
const me = { name: '', phone_number: '', is_holder: true };

async function family() {
  const { token, email } = await person(server);
  const bob = await activeGuardian(server, token);
  const create = async (fields: object) =>
    String((await server.call('POST /web/create-device', { token, body: { name: 'Den PC', policy: null, ...fields } })).body.uuid);
  const personOf = async (uuid: string) =>
    (await server.call(`GET /web/devices/${uuid}`, { token })).body.person as unknown as Device['person'];
  const timeOfChange = async (uuid: string) =>
    (await server.db.selectFrom('devices').select('person_set').where('uuid', '=', uuid).executeTakeFirstOrThrow()).person_set;
  const change = (uuid: string, fields: object) =>
    server.call(`POST /web/devices/${uuid}`, { token, body: { name: 'Den PC', policy: 'strict', ...fields } });
  const entries = async () => {
    const { items } = (await server.call('GET /web/acts', { token })).body as unknown as { items: { kind: string; words: string }[] };
    return items.filter(({ kind }) => kind === 'person_changed').map(({ words }) => words);
  };
  const mails = async (recipient: string, subjectPattern: RegExp) =>
    (await server.mailsTo(recipient)).filter(({ subject }) => subjectPattern.test(subject));
  return { token, email, bob, create, personOf, setOf: timeOfChange, change, acts: entries, mails };
}

test('[P8.1] a new device stores its user with an E.164 number, nothing else about the holder, and null if unknown', async () => {
  const ann = await family();
  const startTime = server.clock.now();
  const mumsDevice = await ann.create({ person: { ...mum, name: '  Mum ' } });
  expect(await ann.personOf(mumsDevice)).toEqual(storedPerson);
  expect(await ann.setOf(mumsDevice)).toEqual(startTime);
  expect(await ann.personOf(await ann.create({ person: { ...mum, is_holder: true } }))).toEqual(me);
  expect(await ann.personOf(await ann.create({ person: { is_holder: false } }))).toEqual({ ...me, is_holder: false });
  const unknownUsers = [await ann.create({}), await ann.create({ person: null })];
  for (const uuid of unknownUsers) expect(await ann.personOf(uuid)).toBeNull();
  const { devices } = (await server.call('GET /web/devices', { token: ann.token })).body as unknown as { devices: Device[] };
  expect(devices.map((device) => device.person?.name ?? null).toSorted()).toEqual(['', '', 'Mum', null, null].toSorted());
});

test('[P8.1] repeating a draft stores the last given user', async () => {
  const ann = await family();
  const draft = '0123456789abcdef0123456789abcdef';
  const uuid = await ann.create({ draft, person: mum });
  expect(await ann.create({ draft })).toBe(uuid);
  expect(await ann.personOf(uuid)).toEqual(storedPerson);
  expect(await ann.create({ draft, person: me })).toBe(uuid);
  expect(await ann.personOf(uuid)).toEqual(me);
});

test.each([
  ['a link in the name', { ...mum, name: 'www.bank-help.com' }, 'Name'],
  ['a number in the name', { ...mum, name: 'Mum 202 555 0143' }, 'Name'],
  ['a name that is too long', { ...mum, name: 'x'.repeat(41) }, 'Name'],
  ['a number that is none', { ...mum, phone_number: '+1 202' }, 'PhoneNumber'],
  ['a number without a country', { ...mum, phone_number: '2025550143' }, 'PhoneNumber'],
])('[P8.1] %s is refused for a new and an existing device, and nothing changes', async (_what, givenPerson, field) => {
  const ann = await family();
  const uuid = await ann.create({ person: me });
  const createReply = await server.call('POST /web/create-device', {
    token: ann.token,
    body: { name: 'New', policy: null, person: givenPerson },
  });
  for (const reply of [createReply, await ann.change(uuid, { person: givenPerson })])
    expect(reply).toMatchObject({ status: 422, body: { code: 'invalid_input', fields: [{ field }] } });
  expect(await ann.personOf(uuid)).toEqual(me);
});

test('[P8.1] [7.11] leaving out or repeating the user keeps their time of change, and an uninstalled device logs no act', async () => {
  const ann = await family();
  const [uuid, unknownUsersDevice] = [await ann.create({ person: mum }), await ann.create({ person: mum })];
  const timeSet = await ann.setOf(uuid);
  server.clock.turn(minute);
  expect((await ann.change(uuid, { name: 'Kitchen PC' })).body).toMatchObject({ name: 'Kitchen PC', person: storedPerson });
  expect((await ann.change(uuid, { person: { ...mum, phone_number: '+12025550143' } })).body.person).toEqual(storedPerson);
  expect(await ann.setOf(uuid)).toEqual(timeSet);
  expect((await ann.change(uuid, { person: { ...mum, name: 'Dad' } })).body.person).toEqual({ ...storedPerson, name: 'Dad' });
  expect(await ann.setOf(uuid)).toEqual(server.clock.now());
  expect([await ann.personOf(unknownUsersDevice), await ann.setOf(unknownUsersDevice)]).toEqual([storedPerson, timeSet]);
  expect(await ann.acts()).toEqual([]);
});

test('[P10.4] changing a device’s user is notified immediately, except when the holder is entered for the first time', async () => {
  const ann = await family();
  const { token } = ann;
  const phone = '+12025550177';
  await server.call('PATCH /web/profile', { token, body: { phone_number: phone, current_password: goodPassword } });
  await server.call('POST /web/send-phone-code', { token });
  const code = /\b\d{6}\b/.exec((await server.textsTo(phone))[0]?.body ?? '')?.[0] ?? '';
  await server.call('POST /web/verify-phonenumber', { token, body: { code } });
  const { uuid } = await linkedDevice(server, token);
  for (const givenPerson of [me, null, me]) expect((await ann.change(uuid, { person: givenPerson })).status).toBe(200);
  expect(await ann.acts()).toEqual([]);

  const changeSteps: [object | null, string][] = [
    [mum, 'Mum'],
    [{ ...mum, phone_number: '+12025550144' }, 'Mum, with another phone number'],
    [{ is_holder: false }, 'someone else'],
    [null, 'the account holder'],
  ];
  for (const [givenPerson, expectedName] of changeSteps) {
    server.clock.turn(11 * minute);
    await agreeToChanges(server);
    expect((await ann.change(uuid, { person: givenPerson })).status).toBe(200);
    expect((await ann.acts())[0]).toBe(`Ann changed who uses Den PC to ${expectedName}.`);
    expect((await ann.mails(ann.email, /changed who uses/))[0]?.subject).toBe(`You changed who uses Den PC to ${expectedName}`);
    const [bobsEmail] = await ann.mails(ann.bob.email, /changed who uses/);
    expect(bobsEmail?.subject).toBe(`Ann changed who uses Den PC to ${expectedName}`);
    // Someone with Ann's login could have entered that number.
    expect(bobsEmail?.text).toContain('Not expected? Call Ann.');
    expect(bobsEmail?.text).not.toContain('+1');
    expect((await server.textsTo(phone))[0]?.body).toContain(`You changed who uses Den PC to ${expectedName}.`);
  }
  expect(await ann.acts()).toHaveLength(changeSteps.length);
});

test('[P8.2] messages about a computer advise to call its user, and not about the holder’s own computer', async () => {
  const ann = await family();
  const { token } = ann;
  const [mumsPc, ownPc] = [await linkedDevice(server, token, 'Den PC'), await linkedDevice(server, token, 'Study PC')];
  await ann.change(mumsPc.uuid, { person: mum });
  for (const { agent } of [mumsPc, ownPc]) {
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
  server.clock.turn(3 * minute);
  const computerEmails = [/AnyDesk was blocked on/, /AnyDesk was found on/, /was paused until/, /is not protected/];
  for (const [computerName, personToCall] of [
    ['Den PC', 'Mum'],
    ['Study PC', 'Ann'],
  ] as const) {
    for (const recipient of [ann.email, ann.bob.email])
      for (const email of computerEmails) {
        const mails = (await ann.mails(recipient, email)).filter(({ subject }) => subject.includes(computerName));
        expect(mails, `${recipient} ${email} ${computerName}`).toHaveLength(1);
        const text = (mails[0]?.text ?? '').split('\n\n').slice(0, -1).join('\n\n');
        if (personToCall === 'Mum') expect(text).toContain('Call Mum: +1 202 555 0143');
        else expect(text).not.toMatch(/Mum|555 0143/);
        if (personToCall === 'Ann' && recipient === ann.bob.email) expect(text).toMatch(/(call|ask) Ann/i);
      }
  }
});

test('[P8.2] a guardian sees who uses each computer', async () => {
  const ann = await family();
  await ann.create({ name: 'A', person: mum });
  await ann.create({ name: 'B' });
  const view = (await server.call(`GET /guardian/${ann.bob.uuid}`, { headers: ann.bob.session })).body as unknown as GuardianView;
  expect(view.devices.map(({ name, person }) => [name, person]).toSorted()).toEqual([
    ['A', storedPerson],
    ['B', null],
  ]);
});
