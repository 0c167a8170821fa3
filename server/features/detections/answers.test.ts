import type { AlertAnswer, Detection } from '@porchlight/contract/detections.ts';
import type { GuardianView } from '@porchlight/contract/guardians.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { activeGuardian, detection, linkedDevice, person, type TestServer, testServer } from '../../testing/world.ts';

/** *It was me* and *This is sorted*: who said it and when, for everyone. */

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const minute = 60_000;

/** Ann with a device and two alerts, and her guardians Bob Builder and Carol Carter. */
async function family() {
  const { token, email } = await person(server, 'Ann Example');
  const { agent, uuid: device } = await linkedDevice(server, token, 'Den PC');
  const report = async (more = {}) => {
    const seen = detection(server, more);
    await server.call('POST /agent/detections', { token: agent, body: { detections: [seen] } });
    return seen.uuid;
  };
  const other = await report({ identifier: 'teamviewer', name: 'TeamViewer' });
  const alert = await report();
  const [bob, carol] = [await activeGuardian(server, token, 'Bob Builder'), await activeGuardian(server, token, 'Carol Carter')];
  const say = (answer: string, uuid = alert) => server.call(`POST /web/detections/${uuid}/answer`, { token, body: { answer } });
  const sayAs = (who: typeof bob, uuid = alert, answer = 'sorted') =>
    server.call(`POST /guardian/${who.uuid}/alerts/${uuid}/answer`, { headers: who.session, body: { answer } });
  const shown = async () => {
    const { items } = (await server.call('GET /web/detections', { token })).body as unknown as { items: Detection[] };
    return Object.fromEntries(items.map(({ uuid, answers }) => [uuid, answers])) as Record<string, AlertAnswer[]>;
  };
  const shownTo = async (who: typeof bob) => {
    const { alerts } = (await server.call(`GET /guardian/${who.uuid}`, { headers: who.session })).body as unknown as GuardianView;
    return Object.fromEntries(alerts.map(({ uuid, answers }) => [uuid, answers])) as Record<string, AlertAnswer[]>;
  };
  return { token, email, agent, device, report, alert, other, bob, carol, say, sayAs, shown, shownTo };
}
const now = () => server.clock.now().toISOString();

test('the holder says that it was them: everyone reads who and when, the first time counts, and the other alert has no answer', async () => {
  const { alert, other, bob, say, shown, shownTo } = await family();
  const time = now();
  const { status, body } = await say('mine');
  expect([status, body.answers]).toEqual([200, [{ answer: 'mine', by: 'Ann', you: true, time }]]);
  server.clock.turn(minute);
  expect((await say('mine')).body.answers).toEqual([{ answer: 'mine', by: 'Ann', you: true, time }]);
  expect(await shown()).toEqual({ [alert]: [{ answer: 'mine', by: 'Ann', you: true, time }], [other]: [] });
  expect(await shownTo(bob)).toEqual({ [alert]: [{ answer: 'mine', by: 'Ann', you: false, time }], [other]: [] });
});

test('a guardian says that it is sorted: the holder reads the whole name, another guardian the first name, the newest first', async () => {
  const { alert, bob, carol, say, sayAs, shown, shownTo } = await family();
  const first = now();
  const { status, body } = await sayAs(bob);
  expect([status, (body as unknown as GuardianView).alerts.find(({ uuid }) => uuid === alert)?.answers]).toEqual([
    200,
    [{ answer: 'sorted', by: 'Bob Builder', you: true, time: first }],
  ]);
  server.clock.turn(minute);
  await sayAs(bob);
  await say('sorted');
  const second = now();
  expect((await shown())[alert]).toEqual([
    { answer: 'sorted', by: 'Ann', you: true, time: second },
    { answer: 'sorted', by: 'Bob Builder', you: false, time: first },
  ]);
  expect((await shownTo(carol))[alert]).toEqual([
    { answer: 'sorted', by: 'Ann', you: false, time: second },
    { answer: 'sorted', by: 'Bob', you: false, time: first },
  ]);
});

test('the name of a guardian who was removed stays beside what they said', async () => {
  const { token, alert, bob, carol, sayAs, shown, shownTo } = await family();
  await sayAs(bob);
  await server.call(`DELETE /web/guardians/${bob.uuid}`, { token });
  expect((await shown())[alert]).toMatchObject([{ by: 'Bob Builder' }]);
  expect((await shownTo(carol))[alert]).toMatchObject([{ by: 'Bob' }]);
});

test('a guardian cannot say that it was them, nor a holder anything else, and then nothing is stored', async () => {
  const { alert, bob, say, sayAs, shown } = await family();
  expect(await sayAs(bob, alert, 'mine')).toMatchObject({ status: 422, body: { code: 'invalid_input' } });
  expect(await say('fine')).toMatchObject({ status: 422, body: { code: 'invalid_input' } });
  expect((await shown())[alert]).toEqual([]);
  expect((await sayAs(bob)).status).toBe(200);
});

test('an alert of someone else, and one that there is not, cannot be answered', async () => {
  const [ann, eve] = [await family(), await family()];
  for (const uuid of [eve.alert, crypto.randomUUID()]) {
    expect(await ann.say('mine', uuid)).toMatchObject({ status: 404, body: { code: 'not_found' } });
    expect(await ann.sayAs(ann.bob, uuid)).toMatchObject({ status: 404, body: { code: 'not_found' } });
  }
  expect((await eve.shown())[eve.alert]).toEqual([]);
});

test('the answer to a repeat is the answer to its alert', async () => {
  const { alert, report, say, shown } = await family();
  const repeat = await report();
  await say('sorted', repeat);
  expect((await shown())[alert]).toMatchObject([{ answer: 'sorted' }]);
});

test('what comes after the answer is no part of it: it opens an alert of its own, and everyone is told; without an answer it is counted', async () => {
  const { email, report, bob, sayAs, alert, other, shown } = await family();
  const told = async () => (await server.mailsTo(email)).filter(({ subject }) => subject.includes('blocked')).length;
  expect(await told()).toBe(2);
  await sayAs(bob);
  server.clock.turn(minute);
  const again = await report();
  await report({ identifier: 'teamviewer', name: 'TeamViewer' });
  expect(await shown()).toMatchObject({ [alert]: [{ answer: 'sorted' }], [again]: [], [other]: [] });
  expect(Object.keys(await shown())).toHaveLength(3);
  expect(await told()).toBe(3);
});

test('what was said of the alerts of a device is erased with it, and that of another device stays', async () => {
  const { token, device, say, alert, shown } = await family();
  const attic = await linkedDevice(server, token, 'Attic PC');
  const seen = detection(server);
  await server.call('POST /agent/detections', { token: attic.agent, body: { detections: [seen] } });
  for (const uuid of [alert, seen.uuid]) {
    await say('mine', uuid);
    await server.call(`POST /web/detections/${uuid}/wrong`, { token });
  }
  await server.call(`DELETE /web/devices/${device}`, { token });
  expect(await shown()).toMatchObject({ [seen.uuid]: [{ answer: 'mine' }] });
  for (const table of ['alert_answers', 'wrong_alerts'] as const) {
    const rows = await server.db.selectFrom(table).select('alert').where('alert', 'in', [alert, seen.uuid]).execute();
    expect(rows).toEqual([{ alert: seen.uuid }]);
  }
});

test('what is reported after the answer opens an alert of its own, also where the computer says that it happened before: its clock may be slow', async () => {
  const { report, say, shown } = await family();
  const before = now();
  server.clock.turn(minute);
  await say('sorted');
  await report({ time: before });
  expect(Object.keys(await shown())).toHaveLength(3);
});
