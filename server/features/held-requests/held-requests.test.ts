import { randomUUID } from 'node:crypto';
import { hour, minute } from '@porchlight/contract/time.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { incidentFamily } from '../../testing/incident-family.ts';
import { statementsDuring } from '../../testing/statements-during.ts';
import { activeGuardian, detection, goodPassword, linkedDevice, type TestServer, testServer } from '../../testing/world.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const family = (options?: { guardian?: boolean; proven?: boolean }) => incidentFamily(server, options);

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
  expect(view.body.requests).toMatchObject([{ because: 'There was trouble on one of Ann’s computers, and it isn’t over yet.' }]);
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
  expect(await ann.allowed()).toMatchObject([{ refused: { by: 'Bob' } }]);

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

test('[P10.1] a later no takes back the choice that a yes let through, and leaves the holder’s other choices as they are', async () => {
  const ann = await family();
  const choices = { weekly: false, every_week: false, sms: true, mail: true, notify_after_days: 1 };
  expect((await ann.call('PATCH /web/alert-settings', { weekly: false, notify_after_days: 1 })).body).toEqual(choices);
  await ann.stops();
  const mailOff = () => ann.call('PATCH /web/alert-settings', { mail: false });
  const { request } = (await mailOff()).body;
  await ann.answer(request, 'yes');
  expect((await mailOff()).body).toEqual({ ...choices, mail: false });
  expect((await ann.answer(request, 'no')).body).toMatchObject({ state: 'undone' });
  expect((await ann.call('GET /web/alert-settings')).body).toEqual(choices);
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
  expect(because).toMatch(/it isn’t over yet\. If nobody answers, you can do it on \w+day at \d+:\d\d [AP]M/);
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
  const [newest] = (await server.mailsTo(ann.email)).filter(({ subject }) => /said no/.test(subject));
  expect(newest?.text).toContain('It was done before, and can’t all be taken back. See our email about it.');
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

test('[P10.2] only the guardians whose yes counts are named: a new one after three days, and the older one from the start', async () => {
  const [ann, eve] = [await family(), await family({ proven: false })];
  await activeGuardian(server, ann.token, 'Carol Example');
  const askedOf = async ({ call }: typeof ann) =>
    ((await call('GET /web/requests')).body.items as unknown as { asked: string[]; unproven: boolean }[]).map(({ asked, unproven }) => ({
      asked,
      unproven,
    }));
  for (const { stops } of [ann, eve]) await stops();
  expect((await ann.allow()).body).toMatchObject({ code: 'held', asked: ['Bob'] });
  const { body } = await eve.allow();
  expect(body).toMatchObject({ code: 'held', asked: [] });
  expect(body.because).toMatch(/A new guardian’s yes counts after three days\. If nobody answers, you can do it on \w+day/);
  expect([await askedOf(ann), await askedOf(eve)]).toEqual([[{ asked: ['Bob'], unproven: false }], [{ asked: [], unproven: true }]]);
  server.clock.turn(71 * hour);
  for (const { stops, weaker } of [ann, eve]) {
    await stops();
    await weaker();
  }
  expect([await askedOf(ann), await askedOf(eve)]).toEqual([[{ asked: ['Bob'], unproven: false }], [{ asked: [], unproven: true }]]);
  server.clock.turn(hour);
  expect([await askedOf(ann), await askedOf(eve)]).toEqual([
    [{ asked: ['Bob', 'Carol'], unproven: false }],
    [{ asked: ['Bob'], unproven: false }],
  ]);
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
  expect((await ann.allow()).body).toMatchObject({ code: 'held', because: expect.stringContaining('You turned on Ask first.') });
  expect((await ann.call('PATCH /web/holding', { ask_first: false })).body.code).toBe('held');
  expect((await ann.call('GET /web/holding')).body).toEqual({ ask_first: true });
  expect((await ann.call('POST /web/account/deletion', { current_password: goodPassword })).body.code).toBe('held');
  const [mail] = await server.mailsTo(ann.bob?.email ?? '');
  expect(mail?.subject).toMatch(/^Please answer: Ann wants to have the account deleted on \w+ \d+$/);
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

test('[P15.10] changes to a computer that never connected, and a PIN that was shown, do not make the next change wait; one to a connected computer does', async () => {
  const [ann, other] = [await family(), await family()];
  for (const name of ['Attic PC', 'Spare PC']) {
    const { uuid } = (await ann.call('POST /web/create-device', { name, policy: null, person: null })).body;
    expect((await ann.call(`POST /web/devices/${String(uuid)}`, { name, policy: 'permissive' })).status).toBe(200);
  }
  expect((await ann.call('GET /web/bypasspassword')).status).toBe(200);
  expect((await ann.allow()).status).toBe(200);
  expect(await ann.incidents()).toEqual([]);
  await other.weaker();
  expect((await other.allow()).body).toMatchObject({ code: 'held' });
  expect(await other.incidents()).toMatchObject([{ opener: 'second_act' }]);
});

test('[P15.8] what waits is on a list of the holder’s own, with how it ended for an hour; where nothing waits it costs five statements', async () => {
  const [ann, other] = [await family(), await family()];
  const current = async () => (await ann.call('GET /web/requests')).body.items as unknown as { state: string; device: string }[];
  await ann.stops();
  const { request } = (await ann.allow()).body;
  server.clock.turn(1000);
  await ann.weaker();
  expect(await current()).toMatchObject([
    { state: 'open', device: ann.device.uuid, wants: ['You want to put Den PC on Permissive, which stops less.'] },
    { state: 'open', device: ann.device.uuid, wants: ['You want to allow AnyDesk on Den PC.'] },
  ]);
  await ann.answer(request, 'no');
  server.clock.turn(hour - 1);
  expect((await current()).map(({ state }) => state)).toEqual(['open', 'no']);
  server.clock.turn(1);
  expect((await current()).map(({ state }) => state)).toEqual(['open']);
  // Jobs that are due by then have statements of their own.
  await server.app.worker.idle();
  const statements = await statementsDuring(() => other.call('GET /web/requests'));
  expect(statements.length, statements.join('\n')).toBeLessThanOrEqual(5);
});
