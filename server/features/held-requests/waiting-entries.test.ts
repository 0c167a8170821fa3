import { day, hour, minute } from '@porchlight/contract/time.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { allowedIn, firstHourFamily } from '../../testing/first-hour-family.ts';
import { mumsComputer } from '../../testing/mums-computer.ts';
import { policyOf } from '../../testing/policy-of.ts';
import { detection, fakeAddress, goodPassword, type TestServer, testServer } from '../../testing/world.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const family = () => firstHourFamily(server);

test('[P15.2] after a yes from now on it runs as it was allowed, raises nothing, and stays on the list after days', async () => {
  const ann = await family();
  await ann.allow();
  await ann.stops();
  const [request] = await ann.requests();
  expect(request).toMatchObject({ may_last: true });
  expect((await ann.answer(request?.uuid, 'yes', 'always')).body).toMatchObject({ state: 'done', may_last: false });
  const always = { type: 'definition', identifier: 'anydesk', until: null, reported_until: null };
  expect((await ann.policy()).allow).toEqual([always]);
  const mails = (await server.mailsTo(ann.email)).filter(({ subject }) => subject.startsWith('Bob said yes'));
  expect(mails.map(({ text }) => text)).toEqual([expect.stringContaining('It is allowed from now on, until someone removes it.')]);
  const [incident] = await ann.incidents();
  await ann.asBob(`POST /guardian/:id/incidents/${incident?.uuid}`, { answer: 'over' });
  for (let week = 0; week < 2; week++) {
    server.clock.turn(7 * day);
    await ann.stops({ blocked: false });
    expect((await ann.policy()).allow).toEqual([always]);
  }
  expect(await ann.incidents()).toMatchObject([{ uuid: incident?.uuid, state: 'over' }]);
  expect(await ann.allowed()).toMatchObject([{ identifier: 'anydesk', waits: false }]);
});

test('[P15.2] what was allowed for an hour or a day gets no longer by a yes', async () => {
  const ann = await family();
  await ann.call(`POST /web/devices/${ann.device.uuid}/v2/exceptions`, { type: 'definition', identifier: 'anydesk', lasts: 'today' });
  await ann.stops();
  const [request] = await ann.requests();
  expect(request).toMatchObject({ may_last: false });
  await ann.answer(request?.uuid, 'yes', 'always');
  const until = new Date(server.clock.now().getTime() + hour).toISOString();
  expect((await ann.policy()).allow).toMatchObject([{ identifier: 'anydesk', until }]);
});

test('[P15.2] it waits until somebody answers: a start of days later asks again, and *Allow for an hour* of its incident lets it run', async () => {
  const ann = await family();
  await ann.allow();
  await ann.stops();
  server.clock.turn(3 * day);
  await server.app.worker.idle();
  expect(allowedIn(await ann.policy())).toEqual([]);
  expect(await ann.allowed()).toMatchObject([{ identifier: 'anydesk', waits: true }]);
  await ann.stops();
  expect(await ann.requests()).toMatchObject([{ state: 'open' }, { state: 'lapsed' }]);
  const [incident] = await ann.incidents();
  expect((await ann.asBob(`POST /guardian/:id/incidents/${incident?.uuid}`, { answer: 'allow_hour' })).status).toBe(200);
  expect(allowedIn(await ann.policy())).toEqual(['anydesk']);
  server.clock.turn(hour);
  expect(allowedIn(await ann.policy())).toEqual([]);
});

test('[P15.2] an entry that a no removed says so in the list until it is removed, and can be allowed again', async () => {
  const ann = await family();
  await ann.allowProgram('driver-support');
  await ann.allow();
  await ann.stops();
  const [request] = await ann.requests();
  await ann.answer(request?.uuid, 'no');
  const refused = (await ann.allowed()).find(({ identifier }) => identifier === 'anydesk');
  expect(refused).toMatchObject({ waits: false, refused: { by: 'Bob', time: server.clock.now().toISOString() } });
  expect(allowedIn(await ann.policy())).toEqual(['driver-support']);
  const [incident] = await ann.incidents();
  await ann.asBob(`POST /guardian/:id/incidents/${incident?.uuid}`, { answer: 'over' });
  server.clock.turn(2 * day);
  expect((await ann.allow()).status).toBe(200);
  expect((await ann.allowed()).filter(({ identifier }) => identifier === 'anydesk')).toMatchObject([{ refused: null }]);
  const [entry] = (await ann.allowed()).filter(({ identifier }) => identifier === 'anydesk');
  await ann.call(`DELETE /web/devices/${ann.device.uuid}/v2/exceptions`, { id: entry?.id });
  expect((await ann.allowed()).map(({ identifier }) => identifier)).toEqual(['driver-support']);
});

test('[P15.2] a no that removed an entry of the allow list says so, in the message and on the pages, and a no to another change says that nothing has changed', async () => {
  const ann = await family();
  await ann.allow();
  await ann.stops();
  const [request] = await ann.requests();
  await ann.answer(request?.uuid, 'no');
  const textsOf = async () =>
    (await server.mailsTo(ann.email)).filter(({ subject }) => subject.startsWith('Bob said no')).map(({ text }) => text);
  expect(await textsOf()).toEqual([expect.stringContaining('It was taken off the allow list.')]);
  expect((await textsOf()).join()).not.toMatch(/Nothing (has )?changed/);
  expect((await ann.call(`GET /web/requests/${request?.uuid}`)).body).toMatchObject({ because: 'Bob said no. It stays off.' });
  const waiting = (await ann.weaker()).body as { request?: string };
  await ann.answer(waiting.request, 'no');
  expect((await textsOf()).join()).toContain('Nothing has changed. It stays as it is for 24 hours.');
  expect((await ann.call(`GET /web/requests/${waiting.request}`)).body).toMatchObject({ because: 'Bob said no. Nothing has changed.' });
});

test('[P15.2] added again within the day of a no, it names who refused it, and asks nobody', async () => {
  const ann = await family();
  await ann.allow();
  await ann.stops();
  const [request] = await ann.requests();
  await ann.answer(request?.uuid, 'no');
  const [incident] = await ann.incidents();
  await ann.asBob(`POST /guardian/:id/incidents/${incident?.uuid}`, { answer: 'over' });
  server.clock.turn(50 * minute);
  expect((await ann.allow()).status).toBe(200);
  await ann.stops();
  expect(await ann.allowed()).toMatchObject([{ waits: false, refused: { by: 'Bob' } }]);
  expect(await ann.mails(/wants to allow AnyDesk/)).toHaveLength(1);
});

test('[P15.2] a program that is started again within the day of a no that came after a yes is no question, and after that day it is one again', async () => {
  const ann = await family();
  const questions = async () => (await ann.mails(/wants to allow AnyDesk/)).length;
  await ann.allow();
  await ann.stops();
  const [request] = await ann.requests();
  await ann.answer(request?.uuid, 'yes', 'always');
  server.clock.turn(hour);
  expect((await ann.answer(request?.uuid, 'no')).body).toMatchObject({ state: 'undone' });
  const [incident] = await ann.incidents();
  await ann.asBob(`POST /guardian/:id/incidents/${incident?.uuid}`, { answer: 'over' });
  const addAndStart = async () => {
    server.clock.turn(50 * minute);
    expect((await ann.allow()).status).toBe(200);
    await ann.stops();
  };
  await addAndStart();
  expect(await ann.allowed()).toMatchObject([{ waits: false, refused: { by: 'Bob' } }]);
  expect(await questions()).toBe(1);
  server.clock.turn(day);
  await ann.asBob(`POST /guardian/:id/incidents/${(await ann.incidents())[0]?.uuid}`, { answer: 'over' });
  await addAndStart();
  expect(await ann.allowed()).toMatchObject([{ waits: true, refused: null }]);
  expect(await questions()).toBe(2);
});

test('[P15.2] what will happen is known before the press: with a guardian its start is asked about, after a change it may wait itself, in an incident it waits, and alone it runs', async () => {
  const outlook = async ({
    call,
    device,
  }: {
    call: (key: string) => Promise<{ body: Record<string, unknown> }>;
    device: { uuid: string };
  }) => (await call(`GET /web/devices/${device.uuid}/v2/exceptions`)).body.remote_control;
  const [ann, alone] = [await family(), await firstHourFamily(server, { guardian: false })];
  expect(await outlook(ann)).toBe('asks');
  await ann.call('GET /web/bypasspassword');
  expect(await outlook(ann)).toBe('asks');
  await ann.weaker();
  expect(await outlook(ann)).toBe('may_wait');
  server.clock.turn(hour);
  expect(await outlook(ann)).toBe('asks');
  await ann.stops();
  expect(await outlook(ann)).toBe('waits');
  expect(await outlook(alone)).toBe('runs');
  await alone.stops();
  expect(await outlook(alone)).toBe('waits');
});

test('[P15.2] [P18.2] for somebody else’s computer it runs after the password from elsewhere, and not from that computer’s network', async () => {
  const ann = await family();
  const home = fakeAddress();
  const { uuid, agent } = await mumsComputer(server, ann.token, home);
  const outlookFrom = async (address: string) =>
    (await server.call(`GET /web/devices/${uuid}/v2/exceptions`, { token: ann.token, headers: { 'x-forwarded-for': address } })).body
      .remote_control;
  expect(await outlookFrom(fakeAddress())).toBe('runs_with_password');
  expect(await outlookFrom(home)).toBe('asks');
  await ann.call('POST /web/reauthenticate', { password: goodPassword });
  const body = { type: 'definition', identifier: 'anydesk', lasts: null };
  const headers = { 'x-forwarded-for': fakeAddress() };
  expect((await server.call(`POST /web/devices/${uuid}/v2/exceptions`, { token: ann.token, body, headers })).status).toBe(200);
  for (let week = 0; week < 2; week++) {
    await server.call('POST /agent/detections', { token: agent, body: { detections: [detection(server, { blocked: false })] } });
    server.clock.turn(7 * day);
  }
  expect(await policyOf(server, agent)).toMatchObject({ allow: [{ identifier: 'anydesk', until: null, reported_until: null }] });
  expect(await ann.incidents()).toEqual([]);
});
