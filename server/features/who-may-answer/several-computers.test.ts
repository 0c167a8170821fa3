import { randomUUID } from 'node:crypto';
import { hour, minute } from '@porchlight/contract/time.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { agentInfo, checkInBody } from '../../testing/agent-info.ts';
import { daysOfUse } from '../../testing/days-of-use.ts';
import { incidentFamily } from '../../testing/incident-family.ts';
import {
  activeGuardian,
  agreeToChanges,
  detection,
  fakeAddress,
  goodPassword,
  linkedDevice,
  person,
  type TestServer,
  testServer,
} from '../../testing/world.ts';
import { someoneElsesDevices } from './someone-elses.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const strangersAddress = fakeAddress();

/** Ann's family, and a stranger elsewhere who has her session and her password. */
async function attackedFamily() {
  const ann = await incidentFamily(server);
  const stranger = (key: string, body?: object) =>
    server.call(key, { token: ann.token, headers: { 'x-forwarded-for': strangersAddress }, ...(body ? { body } : {}) });
  const answer = async (incident: string | undefined, body: object) => stranger(`POST /web/incidents/${incident}`, body);
  return {
    ...ann,
    stranger,
    answer,
    knowsPassword: () => stranger('POST /web/reauthenticate', { password: goodPassword }),
    /** A computer of somebody else's, connected from `home`, that is seen last from now on. */
    async buys(name: string, home = fakeAddress()) {
      const { body } = await stranger('POST /web/create-device', { name, policy: null, person: { name: 'Al', is_holder: false } });
      const enrol = { body: { code: body.login_code, info: agentInfo, enrol_id: randomUUID() }, headers: { 'x-forwarded-for': home } };
      const agent = String((await server.call('POST /agent/enrol', enrol)).body.agent_token);
      const call = (key: string, more: object) => server.call(key, { token: agent, headers: { 'x-forwarded-for': home }, body: more });
      server.clock.turn(minute);
      const checkIn = async () => (await call('POST /agent/check-in', checkInBody)).status;
      expect(await checkIn()).toBe(200);
      const stops = () => call('POST /agent/detections', { detections: [detection(server)] });
      return { uuid: String(body.uuid), agent, home, stops, checkIn };
    },
    pin: () => stranger('GET /web/bypasspassword'),
    newPin: () => stranger('POST /web/bypasspassword'),
    removesBob: () => stranger(`DELETE /web/guardians/${ann.bob?.uuid}`),
    mailOff: () => stranger('PATCH /web/alert-settings', { mail: false }),
    /** What becomes of the stranger's own yes to a call that waits. */
    async yesTo(reply: { status: number; body: object }) {
      const { request } = reply.body as { request?: string };
      expect(reply.status).toBe(409);
      return (await stranger(`POST /web/requests/${request}`, { answer: 'yes' })).body.code ?? 'yes';
    },
  };
}

test('[P18.2] a computer of somebody else’s that was bought just now exempts nothing: the second change waits', async () => {
  const ann = await attackedFamily();
  await ann.buys('Phone');
  await ann.knowsPassword();
  expect((await ann.newPin()).status).toBe(200);
  expect((await ann.removesBob()).body).toMatchObject({ code: 'held' });
  expect((await ann.mailOff()).body).toMatchObject({ code: 'held' });
  expect((await ann.pin()).body).toMatchObject({ code: 'held' });
  // The incident is at Ann's own computer, not at the last seen.
  expect((await ann.call('GET /web/incidents')).body.items).toMatchObject([{ opener: 'second_act', device: { name: 'Den PC' } }]);
  expect((await ann.asBob('GET /guardian/:id')).status).toBe(200);
});

test('[P18.2] in an incident, a bought computer with an incident of its own lets the holder’s session answer nothing', async () => {
  const ann = await attackedFamily();
  await ann.stops();
  const bought = await ann.buys('Phone');
  expect((await bought.stops()).status).toBe(200);
  await ann.knowsPassword();
  for (const call of [ann.pin, ann.removesBob, ann.mailOff]) expect(await ann.yesTo(await call())).toBe('may_not_answer');
  expect((await ann.asBob('GET /guardian/:id')).status).toBe(200);
});

test('[P18.2] a real family’s own computer and Mum’s, each in an incident: the holder answers about Mum’s computer, not about the account', async () => {
  const ann = await attackedFamily();
  const mums = await ann.buys('Mum’s PC');
  await daysOfUse(server, [mums]);
  await ann.stops();
  server.clock.turn(minute);
  await mums.stops();
  await mums.checkIn();
  await ann.knowsPassword();
  expect(await ann.yesTo(await ann.removesBob())).toBe('may_not_answer');
  // The one at Mum's computer is the holder's to end; the one at the own computer is not.
  const incidents = (await ann.call('GET /web/incidents')).body.items as unknown as { uuid: string; device: { name: string } }[];
  const at = (name: string) => incidents.find(({ device }) => device.name === name)?.uuid;
  expect((await ann.answer(at('Mum’s PC'), { answer: 'over' })).status).toBe(200);
  expect((await ann.answer(at('Den PC'), { answer: 'over' })).body.code).toBe('may_not_answer');
  // Her own computer is still in its incident, so the account waits; and Mum's computer may not be weakened freely either.
  expect(await ann.yesTo(await ann.mailOff())).toBe('may_not_answer');
});

test('[P18.2] [P10.1] where every computer is Mum’s, the holder elsewhere changes the account freely in an incident, and that counts', async () => {
  const ann = await attackedFamily();
  const mums = await ann.buys('Mum’s PC');
  await daysOfUse(server, [mums]);
  await ann.call(`DELETE /web/devices/${ann.device.uuid}`);
  await agreeToChanges(server);
  server.clock.turn(2 * hour);
  await mums.stops();
  await ann.knowsPassword();
  expect((await ann.mailOff()).status).toBe(200);
  expect((await ann.pin()).status).toBe(200);
  const counted = await server.db
    .selectFrom('activity_log')
    .select(['kind', 'exempt'])
    .where('device', 'is', null)
    .where('counted', 'is not', null)
    .orderBy('kind')
    .execute();
  expect(counted).toEqual([
    { kind: 'alerts_off', exempt: true },
    { kind: 'pin_shown', exempt: true },
  ]);
  // From Mum's own network it is not exempt.
  const near = await server.call('POST /web/bypasspassword', { token: ann.token, headers: { 'x-forwarded-for': mums.home } });
  expect(near.body).toMatchObject({ code: 'held' });
});

test('[P18.2] a guardian beside any computer with an open incident does not answer about the account, and does about the other computer', async () => {
  const ann = await attackedFamily();
  const attic = await ann.buys('Attic PC');
  await ann.stops();
  await attic.stops();
  const beside = (key: string, body: object) =>
    server.call(`POST /guardian/${ann.bob?.uuid}/${key}`, { headers: { ...ann.bob?.session, 'x-forwarded-for': attic.home }, body });
  const [account, device] = [await ann.mailOff(), await ann.allow()];
  const requestOf = ({ body }: { body: object }) => (body as { request?: string }).request;
  expect((await beside(`requests/${requestOf(account)}`, { answer: 'yes' })).body.code).toBe('may_not_answer');
  expect((await beside(`requests/${requestOf(device)}`, { answer: 'yes' })).status).toBe(200);
  expect((await ann.asBob(`POST /guardian/:id/requests/${requestOf(account)}`, { answer: 'yes' })).status).toBe(200);
});

test('[P18.2] a silent own computer counts: who has Mum’s too is not exempt while it is there, and is once it is removed', async () => {
  const ann = await attackedFamily();
  const mums = await ann.buys('Mum’s PC');
  await daysOfUse(server, [mums]);
  await mums.stops();
  await ann.knowsPassword();
  expect((await ann.mailOff()).body).toMatchObject({ code: 'held' });
});

test.each([
  ['198.51.100.7:50004', '198.51.100.9:50004'],
  ['[2001:db8:7::1]:443', '[2001:db8:8::1]:443'],
])(
  '[P18.3] [P10.2] a guardian who calls from %s, as the device did with other ports, does not end the incident, and one from %s does',
  async (home, away) => {
    const ann = await incidentFamily(server);
    const at = (address: string) => ({ headers: { 'x-forwarded-for': address } });
    await server.call('POST /agent/detections', {
      ...{ token: ann.device.agent, body: { detections: [detection(server)] } },
      ...at(home.replace(/\d+$/, '50001')),
    });
    const [incident] = await ann.incidents();
    const over = (address: string) =>
      server.call(`POST /guardian/${ann.bob?.uuid}/incidents/${incident?.uuid}`, {
        body: { answer: 'over' },
        headers: { ...ann.bob?.session, ...at(address).headers },
      });
    expect(await over(home)).toMatchObject({ status: 403, body: { code: 'may_not_answer' } });
    // Who may be anywhere may be there.
    expect(await over('198.51.100.9:fifty')).toMatchObject({ status: 403, body: { code: 'may_not_answer' } });
    expect(await over(away)).toMatchObject({ status: 200, body: { state: 'watched' } });
  },
);

test('[P18.2] [P10.3] the holder’s session does not end Ask first by a computer that was bought', async () => {
  const ann = await attackedFamily();
  await ann.call('PATCH /web/holding', { ask_first: true });
  const bought = await ann.buys('Phone');
  await ann.knowsPassword();
  expect(await ann.yesTo(await ann.stranger('PATCH /web/holding', { ask_first: false }))).toBe('may_not_answer');
  // Nor once it has been there for days, beside the own one.
  await daysOfUse(server, [bought]);
  await ann.knowsPassword();
  expect(await ann.yesTo(await ann.stranger('PATCH /web/holding', { ask_first: false }))).toBe('may_not_answer');
});

test('[P18.2] active guardians hear of a new computer; one who does not know it says so, which the others hear, and only they take it back', async () => {
  const ann = await attackedFamily();
  const carol = await activeGuardian(server, ann.token, 'Carol Example');
  server.clock.turn(minute);
  const bought = await ann.buys('Phone');
  for (const { email } of [{ email: ann.bob?.email ?? '' }, carol]) {
    expect((await server.mailsTo(email))[0]?.subject).toBe('Ann added Phone for Al');
  }
  const knownTo = async (id: string | undefined, session: Record<string, string> | undefined) => {
    const { devices } = (await server.call(`GET /guardian/${id}`, { headers: session ?? {} })).body as unknown as {
      devices: { name: string; known: string }[];
    };
    return Object.fromEntries(devices.map(({ name, known }) => [name, known]));
  };
  const [bobs, carols] = [() => knownTo(ann.bob?.uuid, ann.bob?.session), () => knownTo(carol.uuid, carol.session)];
  expect([await bobs(), await carols()]).toEqual([
    { 'Den PC': 'unasked', Phone: 'asked' },
    { 'Den PC': 'unasked', Phone: 'asked' },
  ]);
  expect((await ann.asBob(`POST /guardian/:id/devices/${bought.uuid}`, { known: false })).status).toBe(200);
  expect([await bobs(), await carols()]).toEqual([
    { 'Den PC': 'unasked', Phone: 'unknown_to_you' },
    { 'Den PC': 'unasked', Phone: 'unknown' },
  ]);
  expect((await server.mailsTo(carol.email))[0]?.subject).toBe('Bob does not know Phone');
  // Days of use do not make it known, nor does another guardian.
  await daysOfUse(server, [bought]);
  await server.call(`POST /guardian/${carol.uuid}/devices/${bought.uuid}`, { headers: carol.session, body: { known: true } });
  const counts = async () => (await someoneElsesDevices(server.clock).someoneElses(server.db, await accountOf(ann.email))).has(bought.uuid);
  expect(await counts()).toBe(false);
  await ann.asBob(`POST /guardian/:id/devices/${bought.uuid}`, { known: true });
  expect(await bobs()).toMatchObject({ Phone: 'asked' });
  expect(await counts()).toBe(true);
});

test('[P18.2] a new computer of an account without an active guardian is not in the activity log', async () => {
  const ann = await incidentFamily(server, { guardian: false });
  await ann.call('POST /web/create-device', { name: 'Phone', policy: null });
  expect((await ann.call('GET /web/acts')).body.items).toEqual([]);
});

const accountOf = async (email: string) =>
  (await server.db.selectFrom('accounts').select('uuid').where('email', '=', email).executeTakeFirstOrThrow()).uuid;

test.each([
  ['first', 1, 'Add your phone number in your settings', 'code'],
  ['second', 25, 'someone else must answer', 'no'],
])('[P10.2] on the account’s %s day the page beside the computer names the ways to answer there', async (_day, hours, words, then) => {
  const { token } = await person(server, 'Ann Example');
  const device = await linkedDevice(server, token, 'Den PC');
  server.clock.turn(minute);
  const bob = await activeGuardian(server, token, 'Bob Example');
  server.clock.turn(hours * hour);
  const home = { 'x-forwarded-for': fakeAddress() };
  const asBob = (key: string, body?: object) =>
    server.call(key.replace(':id', bob.uuid), { headers: { ...bob.session, ...home }, ...(body ? { body } : {}) });
  await server.call('POST /agent/detections', { token: device.agent, headers: home, body: { detections: [detection(server)] } });
  const { incidents } = (await asBob('GET /guardian/:id')).body as unknown as { incidents: { uuid: string }[] };
  const mayEnd = async () => (await asBob(`GET /guardian/:id/incidents/${incidents[0]?.uuid}`)).body.may_end;
  expect(await mayEnd()).toMatchObject({ may: 'no', why: expect.stringContaining(words) });
  const phone_number = `+1202555${String(7000 + hours).padStart(4, '0')}`;
  expect((await asBob('PATCH /guardian/:id', { phone_number })).status).toBe(200);
  await asBob('POST /guardian/:id/send-phone-code');
  const code = /\d{6}/.exec((await server.textsTo(phone_number))[0]?.body ?? '')?.[0];
  expect((await asBob('POST /guardian/:id/verify-phone', { code })).status).toBe(200);
  expect(await mayEnd()).toMatchObject({ may: then });
});
