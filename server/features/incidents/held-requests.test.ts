import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { activeGuardian, detection, goodPassword, linkedDevice, person, type TestServer, testServer } from '../../testing/world.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const minute = 60_000;
const hour = 60 * minute;

/** Ann with a device, and Bob, who has been her guardian for three days. */
async function family({ guardian = true, proven = true } = {}) {
  const { token, email } = await person(server, 'Ann Example');
  const device = await linkedDevice(server, token, 'Den PC');
  // Guardians of an account's first day may answer at once, so this one comes later.
  server.clock.turn(25 * hour);
  const bob = guardian ? await activeGuardian(server, token, 'Bob Example') : null;
  if (proven) server.clock.turn(72 * hour);
  const call = (key: string, body?: object) => server.call(key, { token, ...(body ? { body } : {}) });
  const asBob = (key: string, body?: object) =>
    server.call(key.replace(':id', bob?.uuid ?? ''), { headers: bob?.session ?? {}, ...(body ? { body } : {}) });
  const exceptions = `POST /web/devices/${device.uuid}/v2/exceptions`;
  return {
    token,
    email,
    device,
    bob,
    call,
    asBob,
    allow: (identifier = 'anydesk') => call(exceptions, { type: 'definition', identifier, lasts: null }),
    allowed: async () => (await call(`GET /web/devices/${device.uuid}/v2/exceptions`)).body.items as unknown as { until: string | null }[],
    weaker: () => call(`POST /web/devices/${device.uuid}`, { name: 'Den PC', policy: 'permissive' }),
    stops: (more = {}) => server.call('POST /agent/detections', { token: device.agent, body: { detections: [detection(server, more)] } }),
    incidents: async () => (await call('GET /web/incidents')).body.items as unknown as { uuid: string; state: string; opener: string }[],
    answer: (request: unknown, answer: 'yes' | 'no') => asBob(`POST /guardian/:id/requests/${String(request)}`, { answer }),
    password: () => call('POST /web/reauthenticate', { password: goodPassword }),
  };
}

test('[P10.1] after a program was stopped, allowing it waits for a guardian; a yes lets exactly that call through, for an hour', async () => {
  const ann = await family();
  await ann.stops();
  const refused = await ann.allow();
  expect(refused).toMatchObject({
    status: 409,
    body: { code: 'held', asked: ['Bob'], because: expect.stringContaining('one of your computers') },
  });
  expect(await ann.allowed()).toEqual([]);
  expect((await ann.allow()).body.request).toBe(refused.body.request);

  const view = await ann.asBob('GET /guardian/:id');
  expect(view.body.requests).toMatchObject([
    { uuid: refused.body.request, state: 'open', wants: ['Ann wants to allow AnyDesk on Den PC.'], mine: { may: 'yes' } },
  ]);
  expect(view.body.requests).toMatchObject([{ because: 'We stopped something on one of Ann’s computers, so changes wait.' }]);
  expect(await ann.answer(refused.body.request, 'yes')).toMatchObject({ status: 200, body: { state: 'yes' } });
  expect((await ann.allow('teamviewer')).body).toMatchObject({ code: 'held' });
  const passed = await ann.allow();
  expect(passed.status).toBe(200);
  expect(new Date(String(passed.body.until)).getTime()).toBe(server.clock.now().getTime() + hour);
  expect(await ann.allowed()).toHaveLength(1);
  expect((await ann.call(`GET /web/requests/${String(refused.body.request)}`)).body).toMatchObject({ state: 'done' });
});

test('[P10.1] a no refuses the call for 24 hours, wins over a yes, and takes back what the yes let through', async () => {
  const ann = await family();
  await ann.stops();
  const { request } = (await ann.allow()).body;
  await ann.answer(request, 'yes');
  await ann.allow();
  expect(await ann.allowed()).toHaveLength(1);
  expect((await ann.answer(request, 'no')).body).toMatchObject({ state: 'undone' });
  expect(await ann.allowed()).toEqual([]);

  const second = await ann.weaker();
  expect(second.body.code).toBe('held');
  await ann.answer(second.body.request, 'no');
  expect(await ann.answer(second.body.request, 'yes')).toMatchObject({ status: 409, body: { code: 'request_closed' } });
  server.clock.turn(23 * hour);
  await ann.stops();
  expect((await ann.weaker()).body).toMatchObject({
    code: 'held',
    request: second.body.request,
    because: 'Bob said no. Nothing has changed.',
  });
  server.clock.turn(2 * hour);
  const again = await ann.weaker();
  expect(again.body.code).toBe('held');
  expect(again.body.request).not.toBe(second.body.request);
});

test('[P9.1] the first weakening activity passes at once; the second different one within an hour waits, and opens an incident', async () => {
  const ann = await family();
  expect((await ann.allow()).status).toBe(200);
  expect(await ann.incidents()).toEqual([]);
  expect((await ann.weaker()).body).toMatchObject({ code: 'held', because: expect.stringContaining('second change') });
  expect(await ann.incidents()).toMatchObject([{ state: 'open', opener: 'second_act' }]);

  const calm = await family();
  await calm.allow();
  server.clock.turn(hour);
  expect((await calm.weaker()).status).toBe(200);
  expect(await calm.incidents()).toEqual([]);
});

test('[P10.2] without a guardian the same call passes after an hour, with the password; with one it takes a day', async () => {
  const ann = await family({ guardian: false });
  await ann.stops();
  expect((await ann.allow()).body).toMatchObject({
    code: 'held',
    asked: [],
    because: expect.stringMatching(/There is nobody we can ask\. You can do it at \d+:\d\d [AP]M/),
  });
  server.clock.turn(hour - 1);
  await ann.password();
  expect((await ann.allow()).body.code).toBe('held');
  server.clock.turn(11 * minute);
  expect((await ann.allow()).body).toMatchObject({ code: 'held', because: expect.stringContaining('Enter your password') });
  await ann.password();
  expect((await ann.allow()).status).toBe(200);

  const bea = await family();
  await bea.stops();
  const { because } = (await bea.allow()).body;
  expect(because).toMatch(/so changes wait\. If nobody answers, you can do it on \w+day at \d+:\d\d [AP]M/);
  server.clock.turn(hour + minute);
  await bea.password();
  // The time does not move when the call is made again.
  expect((await bea.allow()).body).toMatchObject({ code: 'held', because });
  server.clock.turn(22.5 * hour);
  await bea.stops();
  server.clock.turn(hour);
  await bea.password();
  expect((await bea.allow()).status).toBe(200);
});

test('[P10.1] a no to what cannot be taken back says so: it stays done, and the holder reads what to do', async () => {
  const ann = await family();
  const carol = await activeGuardian(server, ann.token, 'Carol Example');
  await ann.stops();
  const remove = () => ann.call(`DELETE /web/guardians/${carol.uuid}`);
  const { request } = (await remove()).body;
  await ann.answer(request, 'yes');
  expect((await remove()).status).toBe(200);
  const refused = await ann.answer(request, 'no');
  expect(refused.body).toMatchObject({ state: 'done', answers: [{ answer: 'yes' }, { answer: 'no' }] });
  const [newest] = (await server.mailsTo(ann.email)).filter(({ subject }) => /said No/.test(subject));
  expect(newest?.text).toContain('It was done before, and can’t all be taken back. Our email about it says what to do.');
});

test('[P10.2] a call still takes a day when the last guardian was removed a few days before', async () => {
  const ann = await family();
  expect((await ann.call(`DELETE /web/guardians/${ann.bob?.uuid}`)).status).toBe(200);
  await ann.stops();
  expect((await ann.allow()).body).toMatchObject({
    asked: [],
    because: expect.stringMatching(/There is nobody we can ask\. You had a guardian until a few days ago, so you can do it on \w+day/),
  });
  server.clock.turn(hour + minute);
  await ann.password();
  expect((await ann.allow()).body.code).toBe('held');
});

test('[P10.2] a new guardian is asked, and may not answer yes; a no always counts', async () => {
  const ann = await family({ proven: false });
  await ann.stops();
  const { request } = (await ann.allow()).body;
  expect(await ann.answer(request, 'yes')).toMatchObject({
    status: 403,
    body: { code: 'may_not_answer', error: expect.stringContaining('three days') },
  });
  expect((await ann.answer(request, 'no')).status).toBe(200);
});

test('[P10.1] three requests wait at most, and the guardian is asked once about each', async () => {
  const ann = await family();
  await ann.stops();
  for (const identifier of ['anydesk', 'teamviewer', 'rustdesk', 'anydesk']) expect((await ann.allow(identifier)).body.code).toBe('held');
  expect((await ann.weaker()).body.code).toBe('hold_limit');
  const mails = await server.mailsTo(ann.bob?.email ?? '');
  expect(mails.filter(({ subject }) => /wants to allow/.test(subject))).toHaveLength(3);
});

test('[P10.3] an account that asks first holds always, and switching that off waits too', async () => {
  const ann = await family();
  expect((await ann.call('PATCH /web/holding', { ask_first: true })).body).toEqual({ ask_first: true });
  expect((await ann.allow()).body).toMatchObject({ code: 'held', because: expect.stringContaining('You chose that we ask first.') });
  expect((await ann.call('PATCH /web/holding', { ask_first: false })).body.code).toBe('held');
  expect((await ann.call('GET /web/holding')).body).toEqual({ ask_first: true });
});

test('[P9.2] [P9.3] an incident ends when a guardian says so; then calls pass, and a new start opens the same one again', async () => {
  const ann = await family();
  await ann.stops();
  const [incident] = await ann.incidents();
  const { items } = (await ann.call('GET /web/detections')).body;
  expect(items).toMatchObject([{ info: { name: 'AnyDesk' }, incident: incident?.uuid }]);
  const own = await ann.call(`POST /web/incidents/${incident?.uuid}`, { answer: 'over' });
  expect(own).toMatchObject({ status: 403, body: { code: 'may_not_answer' } });
  expect((await ann.call(`POST /web/incidents/${incident?.uuid}`, { answer: 'mine' })).body).toMatchObject({
    state: 'open',
    was_me: { by: 'Ann' },
  });
  const over = await ann.asBob(`POST /guardian/:id/incidents/${incident?.uuid}`, { answer: 'over' });
  expect(over.body).toMatchObject({ state: 'watched', over_by: { by: 'Bob', you: true } });
  expect((await ann.allow()).status).toBe(200);
  server.clock.turn(2 * hour);
  await ann.stops();
  expect(await ann.incidents()).toMatchObject([{ uuid: incident?.uuid, state: 'open' }]);
  server.clock.turn(24 * hour);
  expect(await ann.incidents()).toMatchObject([{ uuid: incident?.uuid, state: 'watched' }]);
  server.clock.turn(7 * 24 * hour);
  await ann.stops({ identifier: 'teamviewer', name: 'TeamViewer' });
  expect((await ann.incidents()).map(({ state }) => state)).toEqual(['open', 'over']);
});

test('[P10.1] a request waits as long as any incident of the account is open, and then passes when it is made again', async () => {
  const ann = await family();
  const other = await linkedDevice(server, ann.token, 'Kitchen PC');
  await ann.stops();
  const { request } = (await ann.allow()).body;
  server.clock.turn(minute);
  await server.call('POST /agent/detections', { token: other.agent, body: { detections: [detection(server)] } });
  const [second, first] = await ann.incidents();
  const state = async () => (await ann.call(`GET /web/requests/${String(request)}`)).body.state;
  await ann.asBob(`POST /guardian/:id/incidents/${first?.uuid}`, { answer: 'over' });
  expect([await state(), (await ann.allow()).body.request]).toEqual(['open', request]);
  await ann.asBob(`POST /guardian/:id/incidents/${second?.uuid}`, { answer: 'over' });
  expect([await state(), (await ann.allow()).status]).toEqual(['free', 200]);
});

test('[P9.3] everyone shares the ticks, and the time line has what happened, who was asked and what they answered', async () => {
  const ann = await family();
  await ann.stops();
  const [incident] = await ann.incidents();
  const { request } = (await ann.allow()).body;
  await ann.answer(request, 'no');
  await ann.asBob(`POST /guardian/:id/incidents/${incident?.uuid}/steps`, { step: 'call_bank', done: true });
  await ann.asBob(`POST /guardian/:id/incidents/${incident?.uuid}`, { answer: 'on_it' });
  await server.mailsTo(ann.email);
  const view = (await ann.call(`GET /web/incidents/${incident?.uuid}`)).body;
  expect(view.steps).toContainEqual({ step: 'call_bank', done: { by: 'Bob', you: false, time: expect.any(String) } });
  expect(view.on_it).toMatchObject([{ by: 'Bob', you: false }]);
  const words = (view.events as unknown as { words: string }[]).map((event) => event.words);
  expect(words).toEqual(
    expect.arrayContaining([
      'AnyDesk was started on Den PC.',
      'We stopped AnyDesk.',
      'Ann wants to allow AnyDesk on Den PC.',
      'Bob said no.',
      'Bob is on it.',
    ]),
  );
  expect(view.told).toMatchObject([
    { name: 'You', channel: 'mail', state: 'sent' },
    { name: 'Bob Example', channel: 'mail', state: 'sent' },
  ]);
  const bobs = (await ann.asBob(`GET /guardian/:id/incidents/${incident?.uuid}`)).body;
  expect(bobs.told).toMatchObject([
    { name: 'Ann', guardian: null },
    { name: 'You', guardian: null },
  ]);
  await ann.call(`POST /web/incidents/${incident?.uuid}/steps`, { step: 'call_bank', done: false });
  expect((await ann.asBob(`GET /guardian/:id/incidents/${incident?.uuid}`)).body.steps).toContainEqual({ step: 'call_bank', done: null });
});

test('[P9.3] *Allow for an hour* by a guardian allows what the incident stopped, and everyone is notified', async () => {
  const ann = await family();
  await ann.stops();
  const [incident] = await ann.incidents();
  expect((await ann.call(`GET /web/incidents/${incident?.uuid}`)).body).toMatchObject({ stopped: 'AnyDesk', may_allow: { may: 'no' } });
  expect((await ann.call(`POST /web/incidents/${incident?.uuid}`, { answer: 'allow_hour' })).status).toBe(403);
  expect((await ann.asBob(`POST /guardian/:id/incidents/${incident?.uuid}`, { answer: 'allow_hour' })).status).toBe(200);
  expect(await ann.allowed()).toHaveLength(1);
  const [mail] = (await server.mailsTo(ann.email)).filter(({ subject }) => /allowed AnyDesk/.test(subject));
  expect(mail?.subject).toBe('Bob allowed AnyDesk on Den PC');
});

test('[P9.2] the day after an incident opened the holder and the guardians are asked once how it went', async () => {
  const ann = await family();
  await ann.stops();
  const [incident] = await ann.incidents();
  const asked = async (email: string) => (await server.mailsTo(email)).filter(({ text }) => /how it went/.test(text)).length;
  expect(await asked(ann.email)).toBe(0);
  server.clock.turn(24 * hour);
  expect([await asked(ann.email), await asked(ann.bob?.email ?? '')]).toEqual([1, 1]);
  expect((await ann.call(`GET /web/incidents/${incident?.uuid}`)).body.asks_how).toBe(true);
  const answered = await ann.call(`POST /web/incidents/${incident?.uuid}/how`, { how: 'fine' });
  expect(answered.body.asks_how).toBe(false);
  expect((await ann.asBob(`GET /guardian/:id/incidents/${incident?.uuid}`)).body.asks_how).toBe(true);
});

test('strangers see neither incidents nor requests, and a guardian of someone else may not answer', async () => {
  const [ann, eve] = [await family(), await family()];
  await ann.stops();
  const [incident] = await ann.incidents();
  const { request } = (await ann.allow()).body;
  expect((await eve.call(`GET /web/incidents/${incident?.uuid}`)).status).toBe(404);
  expect((await eve.call(`GET /web/requests/${String(request)}`)).status).toBe(404);
  expect((await eve.answer(request, 'yes')).status).toBe(404);
  expect((await eve.asBob(`POST /guardian/:id/incidents/${incident?.uuid}`, { answer: 'over' })).status).toBe(404);
  expect((await ann.call(`GET /web/incidents/${randomUUID()}`)).status).toBe(404);
  expect((await ann.allow()).body.code).toBe('held');
});
