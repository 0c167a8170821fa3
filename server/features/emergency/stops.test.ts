import { hour, minute } from '@porchlight/contract/time.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { incidentFamily } from '../../testing/incident-family.ts';
import { nextPolicyOf, policyOf } from '../../testing/policy-of.ts';
import { activeGuardian, linkedDevice, person, type TestServer, testServer } from '../../testing/world.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const family = async () => {
  const ann = await incidentFamily(server);
  return {
    ...ann,
    policy: () => policyOf(server, ann.device.agent),
    stop: (body = {}) => ann.asBob('POST /guardian/:id/stop', body),
    emergency: async () => (await ann.asBob('GET /guardian/:id/emergency')).body,
    over: async (incident?: string) =>
      ann.asBob(`POST /guardian/:id/incidents/${incident ?? (await ann.incidents())[0]?.uuid}`, { answer: 'over' }),
    ended: async () => server.app.worker.idle(),
  };
};
const mailsAbout = async (email: string, subject: RegExp) => (await server.mailsTo(email)).filter((mail) => subject.test(mail.subject));

test('[P10.6] *Stop this* makes every device of the account strict within one poll, with an empty allow list and without a pause', async () => {
  const [ann, other] = [await family(), await family()];
  const attic = await linkedDevice(server, ann.token, 'Attic PC');
  await ann.allow();
  server.clock.turn(2 * hour);
  await ann.weaker();
  // Beyond the hour in which a weaker profile still stops remote control.
  server.clock.turn(2 * hour);
  // The jobs of the days that passed also change policies.
  await server.app.worker.idle();
  const [before, atticBefore, otherBefore] = [await ann.policy(), await policyOf(server, attic.agent), await other.policy()];
  expect(before).toMatchObject({ block_likely: false, lock: false, emergency_stop: null, allow: [{ identifier: 'anydesk' }] });

  const waiting = nextPolicyOf(server, ann.device.agent, before);
  const { status, body } = await ann.stop();
  expect(status).toBe(200);
  const until = new Date(server.clock.now().getTime() + 24 * hour).toISOString();
  expect(body).toMatchObject({ emergency_stop: { by: 'Bob', since: server.clock.now().toISOString(), until }, may_stop: { may: 'yes' } });
  const after = await waiting;
  expect(after).toMatchObject({
    ...{ block_likely: true, lock: true, allow: [], isolation: null },
    actions: { RemoteControl: 'block', DeceptiveUtility: 'block', ScamWebsite: 'block' },
    emergency_stop: { by: 'Bob', until },
  });
  const atticAfter = await policyOf(server, attic.agent);
  expect(atticAfter).toMatchObject({ lock: true, emergency_stop: { by: 'Bob' } });
  expect([after.resume, atticAfter.resume]).toEqual([expect.any(String), expect.any(String)]);
  expect([after.resume === before.resume, atticAfter.resume === atticBefore.resume]).toEqual([false, false]);
  expect({ ...(await other.policy()), issued: '' }).toEqual({ ...otherBefore, issued: '' });
});

test('[P10.6] *Stop this* opens an incident with who pressed it in the time line, and notifies the others once, however often it is pressed', async () => {
  const ann = await family();
  const carol = await activeGuardian(server, ann.token, 'Carol Example');
  server.clock.turn(minute);
  await ann.stop();
  server.clock.turn(minute);
  const again = await ann.stop();
  const pressed = new Date(server.clock.now().getTime() - minute).toISOString();
  expect(again.body.emergency_stop).toMatchObject({ since: pressed });
  expect(await ann.incidents()).toMatchObject([{ state: 'open', opener: 'guardian_stop', words: 'Bob pressed “Stop this”.' }]);
  const view = (await ann.call(`GET /web/incidents/${(await ann.incidents())[0]?.uuid}`)).body;
  const words = (view.events as unknown as { words: string }[]).map((event) => event.words);
  expect(words.filter((one) => one.includes('Bob'))).toEqual([
    'Bob pressed “Stop this”.',
    'Bob stopped everything on our list, on every computer.',
  ]);
  const notification = /^Bob stopped everything on (your|Ann’s) computers$/;
  const counts = [ann.email, carol.email, ann.bob?.email ?? ''].map(async (email) => (await mailsAbout(email, notification)).length);
  expect(await Promise.all(counts)).toEqual([1, 1, 0]);
  expect((await ann.call(`GET /web/incidents/${(await ann.incidents())[0]?.uuid}`)).body.notified).toMatchObject([
    { name: 'You', channel: 'mail', state: 'sent' },
    { name: 'Carol Example', channel: 'mail', state: 'sent' },
  ]);
  expect((await ann.call('GET /web/emergency')).body).toMatchObject({ stops: [{ by: 'Bob', device: null }], isolations: [] });
});

test('[P10.6] *Stop this* belongs to the named device, or to that of the newest open incident, or to the one seen last', async () => {
  const devicesOf = async (ann: Awaited<ReturnType<typeof family>>) =>
    ((await ann.call('GET /web/incidents')).body.items as unknown as { device: { name: string } }[]).map(({ device }) => device.name);
  const [named, open, calm] = [await family(), await family(), await family()];
  for (const ann of [named, open, calm]) {
    const attic = await linkedDevice(server, ann.token, 'Attic PC');
    if (ann === open) await ann.stops();
    server.clock.turn(minute);
    await policyOf(server, attic.agent);
  }
  expect((await named.stop({ device: named.device.uuid })).status).toBe(200);
  expect((await open.stop()).status).toBe(200);
  expect((await calm.stop()).status).toBe(200);
  expect([await devicesOf(named), await devicesOf(open), await devicesOf(calm)]).toEqual([['Den PC'], ['Den PC'], ['Attic PC']]);
  expect(await open.incidents()).toMatchObject([{ opener: 'started' }]);
  expect(await calm.stop({ device: named.device.uuid })).toMatchObject({ status: 404, body: { code: 'not_found' } });
});

test('[P10.6] *Stop this* refuses what waits and what a yes opened and nobody used, and notifies people of it', async () => {
  const ann = await family();
  await ann.stops();
  const [open, opened] = [(await ann.allow()).body.request, (await ann.weaker()).body.request];
  await ann.answer(opened, 'yes');
  await ann.stop();
  for (const request of [open, opened])
    expect((await ann.call(`GET /web/requests/${String(request)}`)).body).toMatchObject({
      state: 'no',
      answers: expect.arrayContaining([expect.objectContaining({ by: 'Bob', answer: 'no' })]),
    });
  expect((await ann.weaker()).body).toMatchObject({ code: 'held', because: 'Bob said no. Nothing has changed.' });
  expect(await mailsAbout(ann.email, /^Bob said no/)).toHaveLength(2);
});

test('[P10.6] *It’s over* ends the stop, but not while another incident of the account is open', async () => {
  const ann = await family();
  await ann.stop();
  server.clock.turn(minute);
  const attic = await linkedDevice(server, ann.token, 'Attic PC');
  const incident = (await ann.incidents())[0]?.uuid;
  await server.call('POST /agent/events', {
    token: attic.agent,
    body: { events: [{ uuid: crypto.randomUUID(), time: server.clock.now().toISOString(), reported: { kind: 'asked', name: 'AnyDesk' } }] },
  });
  expect((await ann.over(incident)).body).toMatchObject({ state: 'watched' });
  expect(await ann.policy()).toMatchObject({ lock: true, emergency_stop: { by: 'Bob' } });
  const { uuid } = (await ann.incidents()).find(({ state }) => state === 'open') ?? {};
  const { version } = await ann.policy();
  await ann.over(uuid);
  const after = await ann.policy();
  expect(after).toMatchObject({ lock: false, emergency_stop: null });
  expect(after.version).toBeGreaterThan(version);
});

test('[P10.6] a stop ends after 24 hours by itself, and the policy changes then', async () => {
  const ann = await family();
  // Another incident that lasts longer, so that its end is not the end of the stop.
  await ann.stop();
  server.clock.turn(12 * hour);
  await ann.stops();
  server.clock.turn(12 * hour - 1);
  await ann.ended();
  const { version } = await ann.policy();
  expect(await ann.policy()).toMatchObject({ emergency_stop: { by: 'Bob' } });
  server.clock.turn(1);
  await ann.ended();
  const after = await ann.policy();
  expect(after).toMatchObject({ lock: true, emergency_stop: null });
  expect(after.version).toBeGreaterThan(version);
});

test('[P10.6] a guardian whose press alone opened an incident cannot press again for 72 hours, unless something is found', async () => {
  const ann = await family();
  await ann.stop();
  server.clock.turn(hour);
  await ann.over();
  server.clock.turn(hour);
  const refused = await ann.stop();
  expect(refused).toMatchObject({
    status: 403,
    body: { code: 'may_not_answer', error: expect.stringMatching(/^You pressed Stop this on/) },
  });
  expect(await ann.emergency()).toMatchObject({ emergency_stop: null, may_stop: { may: 'no', why: String(refused.body.error) } });
  expect(await ann.policy()).toMatchObject({ emergency_stop: null });
  expect((await ann.incidents()).map(({ state }) => state)).toEqual(['watched']);
  server.clock.turn(70 * hour - 1);
  expect((await ann.stop()).status).toBe(403);
  server.clock.turn(1);
  expect((await ann.stop()).status).toBe(200);
  server.clock.turn(minute);
  await ann.over();
  server.clock.turn(minute);
  expect((await ann.stop()).status).toBe(403);
  await ann.stops();
  expect((await ann.stop()).status).toBe(200);
});

test('[P10.6] what only a guardian’s press opened holds that guardian’s removal for an hour, and their own no does not lengthen it', async () => {
  const ann = await family();
  await ann.stop();
  const remove = () => ann.call(`DELETE /web/guardians/${ann.bob?.uuid}`);
  const refused = await remove();
  const inAnHour = new Date(server.clock.now().getTime() + hour).toISOString();
  expect(refused.body).toMatchObject({ code: 'held', until: inAnHour });
  expect(await ann.answer(refused.body.request, 'no')).toMatchObject({ status: 403, body: { code: 'may_not_answer' } });
  // Whatever else waits does so for a day.
  expect(new Date(String((await ann.allow()).body.until)).getTime()).toBe(server.clock.now().getTime() + 24 * hour);
  server.clock.turn(hour - 1);
  await ann.password();
  expect((await remove()).body.code).toBe('held');
  server.clock.turn(1);
  expect((await remove()).status).toBe(200);
});

test('[P10.6] a guardian’s removal waits a day once anything but that guardian’s press opened the incident', async () => {
  const ann = await family();
  await ann.stop();
  const remove = () => ann.call(`DELETE /web/guardians/${ann.bob?.uuid}`);
  const { request } = (await remove()).body;
  server.clock.turn(minute);
  await ann.stops();
  server.clock.turn(hour);
  await ann.password();
  const refused = await remove();
  expect(refused.body).toMatchObject({ code: 'held', request });
  expect(new Date(String(refused.body.until)).getTime()).toBe(server.clock.now().getTime() + 24 * hour - hour - minute);
  expect((await ann.answer(request, 'no')).body).toMatchObject({ state: 'no' });
});

test('[P10.6] a press does not refuse the removal of the guardian who pressed', async () => {
  const ann = await family();
  await ann.call('PATCH /web/holding', { ask_first: true });
  const { request } = (await ann.call(`DELETE /web/guardians/${ann.bob?.uuid}`)).body;
  const { request: other } = (await ann.allow()).body;
  await ann.stop();
  const states = [request, other].map(async (one) => (await ann.call(`GET /web/requests/${String(one)}`)).body.state);
  expect(await Promise.all(states)).toEqual(['open', 'no']);
  server.clock.turn(hour);
  await ann.password();
  expect((await ann.call(`DELETE /web/guardians/${ann.bob?.uuid}`)).status).toBe(200);
});

test('[P10.6] presses of a guardian are limited, and a guardian of someone else or without a session cannot press', async () => {
  const [ann, eve] = [await family(), await family()];
  const stranger = (key: string) => server.call(key.replace(':id', ann.bob?.uuid ?? ''), { headers: eve.bob?.session ?? {}, body: {} });
  expect((await stranger('POST /guardian/:id/stop')).status).toBe(410);
  // Only this account counts, since the hourly job deletes the old stops of others meanwhile.
  const { uuid: account } = await server.db.selectFrom('accounts').select('uuid').where('email', '=', ann.email).executeTakeFirstOrThrow();
  const rows = () => server.db.selectFrom('emergency_stops').select('uuid').where('account', '=', account).execute();
  const statuses: number[] = [];
  for (let n = 0; n < 21; n++) statuses.push((await ann.stop()).status);
  expect(statuses).toEqual([...Array(20).fill(200), 429]);
  expect(await rows()).toHaveLength(1);
});

test('[P10.6] two guardians who press at once make one stop and one notification', async () => {
  const ann = await family();
  const carol = await activeGuardian(server, ann.token, 'Carol Example');
  const [bobs, carols] = await Promise.all([
    ann.stop(),
    server.call(`POST /guardian/${carol.uuid}/stop`, { headers: carol.session, body: {} }),
  ]);
  expect([bobs.status, carols.status]).toEqual([200, 200]);
  expect((await ann.call('GET /web/emergency')).body.stops).toHaveLength(1);
  expect(await mailsAbout(ann.email, /stopped everything/)).toHaveLength(1);
});

test('[P10.7] a guardian sees for which programs of the last seven days a code can be opened, the newest first', async () => {
  const ann = await family();
  await ann.stops({ identifier: 'teamviewer', name: 'TeamViewer' });
  server.clock.turn(minute);
  await ann.stops();
  const programs = async () => (await ann.emergency()).devices?.[0]?.programs;
  expect(await programs()).toEqual([
    { identifier: 'anydesk', name: 'AnyDesk' },
    { identifier: 'teamviewer', name: 'TeamViewer' },
  ]);
  server.clock.turn(8 * 24 * hour);
  expect(await programs()).toEqual([]);
});

test('a guardian who has left cannot see or press it, and a new one can press at once', async () => {
  const { token } = await person(server);
  await linkedDevice(server, token);
  const dan = await activeGuardian(server, token, 'Dan');
  const asDan = (key: string) =>
    server.call(key.replace(':id', dan.uuid), { headers: dan.session, ...(key.startsWith('POST') ? { body: {} } : {}) });
  expect((await asDan('POST /guardian/:id/stop')).status).toBe(200);
  await asDan('POST /guardian/:id/leave');
  expect((await asDan('POST /guardian/:id/stop')).body.code).toBe('guardian_inactive');
  expect((await asDan('GET /guardian/:id/emergency')).body.code).toBe('guardian_inactive');
});
