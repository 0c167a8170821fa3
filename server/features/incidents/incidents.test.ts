import { randomUUID } from 'node:crypto';
import type { Incident } from '@porchlight/contract/incidents.ts';
import { hour, minute } from '@porchlight/contract/time.ts';
import { eventSentence } from '@porchlight/contract/words/incident-events.ts';
import { openerSentence } from '@porchlight/contract/words/openers.ts';
import { requestSentences } from '@porchlight/contract/words/requests.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { incidentFamily } from '../../testing/incident-family.ts';
import { detection, goodPassword, linkedDevice, type TestServer, testServer } from '../../testing/world.ts';
import { timesIn } from '../../texts/formatting.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const family = (options?: { guardian?: boolean; proven?: boolean }) => incidentFamily(server, options);

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

test('[P15.4] *It’s over* answers the alerts of its incident for everyone, and those of another computer stay open', async () => {
  const ann = await family();
  const other = await linkedDevice(server, ann.token, 'Kitchen PC');
  const sees = async () => {
    const alerts = (await ann.call('GET /web/detections')).body.items as unknown as {
      device_name: string;
      answers: { by: string; answer: string }[];
    }[];
    return alerts.map(({ device_name, answers }) => [device_name, answers.map(({ by, answer }) => `${by}: ${answer}`)]);
  };
  await ann.stops();
  await server.call('POST /agent/detections', { token: other.agent, body: { detections: [detection(server)] } });
  const incident = (await ann.incidents()).find((one) => (one as unknown as { device: { uuid: string } }).device.uuid === ann.device.uuid);
  await ann.asBob(`POST /guardian/:id/incidents/${incident?.uuid}`, { answer: 'on_it' });
  expect(await sees()).toEqual(
    expect.arrayContaining([
      ['Den PC', []],
      ['Kitchen PC', []],
    ]),
  );
  expect((await ann.asBob(`POST /guardian/:id/incidents/${incident?.uuid}`, { answer: 'over' })).status).toBe(200);
  expect(await sees()).toEqual(
    expect.arrayContaining([
      ['Den PC', ['Bob: sorted']],
      ['Kitchen PC', []],
    ]),
  );
  const page = (await ann.asBob('GET /guardian/:id')).body.alerts as unknown as { device_name: string; answers: { you: boolean }[] }[];
  expect(page.find(({ device_name }) => device_name === 'Den PC')?.answers).toMatchObject([{ you: true, answer: 'sorted' }]);
});

test('[P9.2] a late report of what happened before an incident ended does not open it again, a report of what happened later does', async () => {
  const ann = await family();
  await ann.stops();
  const [incident] = await ann.incidents();
  server.clock.turn(hour);
  const before = server.clock.now().toISOString();
  server.clock.turn(1000);
  await ann.asBob(`POST /guardian/:id/incidents/${incident?.uuid}`, { answer: 'over' });
  server.clock.turn(1000);
  await ann.stops({ time: before });
  expect(await ann.incidents()).toMatchObject([{ uuid: incident?.uuid, state: 'watched' }]);
  await ann.stops();
  expect(await ann.incidents()).toMatchObject([{ uuid: incident?.uuid, state: 'open' }]);
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
  expect(view.steps).toContainEqual({
    step: 'call_bank',
    done: { by: 'Bob', you: false, time: expect.any(String) },
    from_account: null,
  });
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
  const toYou = { name: 'You', recipient: 'Ann Example', you: true, channel: 'mail', state: 'sent' };
  const toBob = { name: 'Bob Example', recipient: 'Bob Example', you: false, channel: 'mail', state: 'sent' };
  const abouts = ['alert', 'question'];
  expect(view.notified).toMatchObject(abouts.flatMap((about) => [toYou, toBob].map((delivery) => ({ ...delivery, about }))));
  const bobs = (await ann.asBob(`GET /guardian/:id/incidents/${incident?.uuid}`)).body;
  const recipients = [
    { name: 'Ann', recipient: 'Ann', you: false, guardian: null },
    { name: 'You', recipient: 'Bob', you: true, guardian: null },
  ];
  expect(bobs.notified).toMatchObject(abouts.flatMap((about) => recipients.map((recipient) => ({ ...recipient, about }))));
  await ann.asBob(`POST /guardian/:id/incidents/${incident?.uuid}/steps`, { step: 'call_bank', done: false });
  expect((await ann.asBob(`GET /guardian/:id/incidents/${incident?.uuid}`)).body.steps).toMatchObject(untickedSteps);
});

const untickedSteps = Array.from({ length: 6 }, () => ({ done: null }));

test('[P18.2] at an own computer the holder’s ticks and I’m on it are from the account: they tick nothing, and take no tick back', async () => {
  const ann = await family();
  await ann.stops();
  const [incident] = await ann.incidents();
  const path = `/incidents/${incident?.uuid}`;
  for (const step of ['call_bank', 'report'] as const) await ann.call(`POST /web${path}/steps`, { step, done: true });
  await ann.call(`POST /web${path}`, { answer: 'on_it' });
  const seen = async () => (await ann.asBob(`GET /guardian/:id${path}`)).body;
  expect((await seen()).steps).toMatchObject(untickedSteps);
  const byAnn = { by: 'Ann', you: false };
  expect(await seen()).toMatchObject({ on_it: [], account_on_it: byAnn, reader_counts: true, escalation: { state: 'running' } });
  expect((await seen()).steps).toContainEqual({ step: 'report', done: null, from_account: { ...byAnn, time: expect.any(String) } });
  const lines = (await seen()).events as unknown as { words: string }[];
  expect(lines.map(({ words }) => words)).toContain('From Ann’s account: “I’m on it.”');
  expect(lines.map(({ words }) => words)).not.toContain('Ann is on it.');

  await ann.asBob(`POST /guardian/:id${path}/steps`, { step: 'call_bank', done: true });
  await ann.asBob(`POST /guardian/:id${path}`, { answer: 'on_it' });
  await ann.call(`POST /web${path}/steps`, { step: 'call_bank', done: false });
  const { body: anns } = await ann.call(`GET /web${path}`);
  expect(anns).toMatchObject({ on_it: [{ by: 'Bob' }], reader_counts: false, escalation: { state: 'answered' } });
  expect(anns.steps).toContainEqual({ step: 'call_bank', done: { by: 'Bob', you: false, time: expect.any(String) }, from_account: null });
});

test('[P18.2] [P9.3] at Mum’s computer the holder’s ticks and I’m on it are the family’s', async () => {
  const ann = await family();
  await server.db
    .updateTable('devices')
    .set({ person: JSON.stringify({ name: 'Mum', phone_number: '', is_holder: false }), person_set: server.clock.now(), days_seen: 3 })
    .where('uuid', '=', ann.device.uuid)
    .execute();
  server.clock.turn(72 * hour);
  await ann.stops();
  const [incident] = await ann.incidents();
  await ann.call(`POST /web/incidents/${incident?.uuid}/steps`, { step: 'call_bank', done: true });
  await ann.call(`POST /web/incidents/${incident?.uuid}`, { answer: 'on_it' });
  const { body } = await ann.asBob(`GET /guardian/:id/incidents/${incident?.uuid}`);
  expect(body).toMatchObject({ on_it: [{ by: 'Ann' }], account_on_it: null });
  expect(body.steps).toContainEqual({ step: 'call_bank', done: { by: 'Ann', you: false, time: expect.any(String) }, from_account: null });
});

test('[P9.3] a password that is changed during an incident is in the time line as the account’s, because nobody knows who did it', async () => {
  const ann = await family();
  await ann.stops();
  const [incident] = await ann.incidents();
  const changed = await ann.call('PATCH /web/profile', { current_password: goodPassword, password: 'another good password' });
  expect(changed.status).toBe(200);
  const { body } = await ann.asBob(`GET /guardian/:id/incidents/${incident?.uuid}`);
  expect((body.events as unknown as { kind: string; words: string }[]).filter(({ kind }) => kind === 'activity')).toMatchObject([
    { words: 'The password of Ann’s account was changed. We can’t see who did it.' },
  ]);
});

test('[P9.3] the facts that an incident has on the wire make each of its sentences, in the zone of its computer', async () => {
  const ann = await family();
  await ann.stops();
  const [incident] = await ann.incidents();
  const until = new Date(server.clock.now().getTime() + 10 * minute).toISOString();
  const paused = { uuid: randomUUID(), time: server.clock.now().toISOString(), reported: { kind: 'paused', until } };
  await server.call('POST /agent/events', { token: ann.device.agent, body: { events: [paused] } });
  expect((await ann.allow()).body).toMatchObject({ code: 'held' });
  await ann.asBob(`POST /guardian/:id/incidents/${incident?.uuid}`, { answer: 'on_it' });
  const body = (await ann.call(`GET /web/incidents/${incident?.uuid}`)).body as unknown as Incident;
  const times = timesIn('America/New_York');
  expect(body.events.map(({ facts }) => facts.event).toSorted()).toEqual(['activity', 'detection', 'on_it', 'opened', 'requested']);
  for (const { facts, words } of body.events) expect(eventSentence(facts, times)).toBe(words);
  expect(body.events.map(({ words }) => words)).toContainEqual(
    expect.stringMatching(/^Protection on Den PC was paused until \d+:\d\d [AP]M on \w+day, /),
  );
  expect(openerSentence(body)).toBe(body.words);
  for (const request of body.requests) expect(requestSentences(request, times)).toEqual(request.wants);
  expect(body.requests).toMatchObject([{ who: 'You', cause: 'incident', rule: 'day', wants: ['You want to allow AnyDesk on Den PC.'] }]);
  expect(body.may_end).toMatchObject({ may: 'no', reason: 'own_computer', from: null });
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
