import type { AlertAnswer, Detection } from '@porchlight/contract/detections.ts';
import type { GuardianView } from '@porchlight/contract/guardians.ts';
import { minute } from '@porchlight/contract/time.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { activeGuardian, detection, endIncidents, linkedDevice, person, type TestServer, testServer } from '../../testing/world.ts';

/** The answers *It was me* and *This is sorted* show everyone who gave them and when. */

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

async function family() {
  const { token, email } = await person(server, 'Ann Example');
  const { agent, uuid: device } = await linkedDevice(server, token, 'Den PC');
  const report = async (overrides = {}) => {
    const newDetection = detection(server, overrides);
    await server.call('POST /agent/detections', { token: agent, body: { detections: [newDetection] } });
    return newDetection.uuid;
  };
  const [bob, carol] = [await activeGuardian(server, token, 'Bob Builder'), await activeGuardian(server, token, 'Carol Carter')];
  const otherDetection = await report({ identifier: 'teamviewer', name: 'TeamViewer' });
  const alert = await report();
  const answerAsHolder = (answer: string, uuid = alert) => server.call(`POST /web/detections/${uuid}/answer`, { token, body: { answer } });
  const answerAsGuardian = (guardian: typeof bob, uuid = alert, answer = 'sorted') =>
    server.call(`POST /guardian/${guardian.uuid}/alerts/${uuid}/answer`, { headers: guardian.session, body: { answer } });
  const shownToHolder = async () => {
    const { items } = (await server.call('GET /web/detections', { token })).body as unknown as { items: Detection[] };
    return Object.fromEntries(items.map(({ uuid, answers }) => [uuid, answers])) as Record<string, AlertAnswer[]>;
  };
  const shownTo = async (guardian: typeof bob) => {
    const { alerts } = (await server.call(`GET /guardian/${guardian.uuid}`, { headers: guardian.session })).body as unknown as GuardianView;
    return Object.fromEntries(alerts.map(({ uuid, answers }) => [uuid, answers])) as Record<string, AlertAnswer[]>;
  };
  return {
    token,
    email,
    agent,
    device,
    report,
    alert,
    other: otherDetection,
    bob,
    carol,
    say: answerAsHolder,
    sayAs: answerAsGuardian,
    shown: shownToHolder,
    shownTo,
  };
}
const currentTime = () => server.clock.now().toISOString();

test('when the holder answers that it was them, everyone sees who and when, and only the first time counts', async () => {
  const { alert, other, bob, say, shown, shownTo } = await family();
  const time = currentTime();
  const { status, body } = await say('mine');
  expect([status, body.answers]).toEqual([200, [{ answer: 'mine', by: 'Ann', you: true, time }]]);
  server.clock.turn(minute);
  expect((await say('mine')).body.answers).toEqual([{ answer: 'mine', by: 'Ann', you: true, time }]);
  expect(await shown()).toEqual({ [alert]: [{ answer: 'mine', by: 'Ann', you: true, time }], [other]: [] });
  expect(await shownTo(bob)).toEqual({ [alert]: [{ answer: 'mine', by: 'Ann', you: false, time }], [other]: [] });
});

test('when a guardian answers that it is sorted, the holder sees the full name and another guardian the first name', async () => {
  const { alert, bob, carol, say, sayAs, shown, shownTo } = await family();
  const firstTime = currentTime();
  const { status, body } = await sayAs(bob);
  expect([status, (body as unknown as GuardianView).alerts.find(({ uuid }) => uuid === alert)?.answers]).toEqual([
    200,
    [{ answer: 'sorted', by: 'Bob Builder', you: true, time: firstTime }],
  ]);
  server.clock.turn(minute);
  await sayAs(bob);
  await say('sorted');
  const secondTime = currentTime();
  expect((await shown())[alert]).toEqual([
    { answer: 'sorted', by: 'Ann', you: true, time: secondTime },
    { answer: 'sorted', by: 'Bob Builder', you: false, time: firstTime },
  ]);
  expect((await shownTo(carol))[alert]).toEqual([
    { answer: 'sorted', by: 'Ann', you: false, time: secondTime },
    { answer: 'sorted', by: 'Bob', you: false, time: firstTime },
  ]);
});

test('the name of a removed guardian stays with their answer', async () => {
  const { token, alert, bob, carol, sayAs, shown, shownTo } = await family();
  await sayAs(bob);
  await endIncidents(server);
  await server.call(`DELETE /web/guardians/${bob.uuid}`, { token });
  expect((await shown())[alert]).toMatchObject([{ by: 'Bob Builder' }]);
  expect((await shownTo(carol))[alert]).toMatchObject([{ by: 'Bob' }]);
});

test('a guardian cannot answer that it was them, invalid answers are refused, and nothing is stored', async () => {
  const { alert, bob, say, sayAs, shown } = await family();
  expect(await sayAs(bob, alert, 'mine')).toMatchObject({ status: 422, body: { code: 'invalid_input' } });
  expect(await say('fine')).toMatchObject({ status: 422, body: { code: 'invalid_input' } });
  expect((await shown())[alert]).toEqual([]);
  expect((await sayAs(bob)).status).toBe(200);
});

test('alerts of other accounts and unknown alerts cannot be answered', async () => {
  const [ann, eve] = [await family(), await family()];
  for (const uuid of [eve.alert, crypto.randomUUID()]) {
    expect(await ann.say('mine', uuid)).toMatchObject({ status: 404, body: { code: 'not_found' } });
    expect(await ann.sayAs(ann.bob, uuid)).toMatchObject({ status: 404, body: { code: 'not_found' } });
  }
  expect((await eve.shown())[eve.alert]).toEqual([]);
});

test('the answer to a repeated detection is stored for its alert', async () => {
  const { alert, report, say, shown } = await family();
  const repeat = await report();
  await say('sorted', repeat);
  expect((await shown())[alert]).toMatchObject([{ answer: 'sorted' }]);
});

test('a detection after the answer opens a new alert and notifies everyone; without an answer it is counted into the alert', async () => {
  const { email, report, bob, sayAs, alert, other, shown } = await family();
  const countEmails = async () => (await server.mailsTo(email)).filter(({ subject }) => subject.includes('blocked')).length;
  expect(await countEmails()).toBe(2);
  await sayAs(bob);
  server.clock.turn(minute);
  const nextDetection = await report();
  await report({ identifier: 'teamviewer', name: 'TeamViewer' });
  expect(await shown()).toMatchObject({ [alert]: [{ answer: 'sorted' }], [nextDetection]: [], [other]: [] });
  expect(Object.keys(await shown())).toHaveLength(3);
  expect(await countEmails()).toBe(3);
});

test('removing a device deletes the answers and wrong reports of its alerts, and no others', async () => {
  const { token, device, say, alert, shown } = await family();
  const atticDevice = await linkedDevice(server, token, 'Attic PC');
  const newDetection = detection(server);
  await server.call('POST /agent/detections', { token: atticDevice.agent, body: { detections: [newDetection] } });
  for (const uuid of [alert, newDetection.uuid]) {
    await say('mine', uuid);
    await server.call(`POST /web/detections/${uuid}/wrong`, { token });
  }
  await endIncidents(server);
  await server.call(`DELETE /web/devices/${device}`, { token });
  expect(await shown()).toMatchObject({ [newDetection.uuid]: [{ answer: 'mine' }] });
  for (const table of ['alert_answers', 'wrong_alerts'] as const) {
    const rows = await server.db.selectFrom(table).select('alert').where('alert', 'in', [alert, newDetection.uuid]).execute();
    expect(rows).toEqual([{ alert: newDetection.uuid }]);
  }
});

test('a detection reported after the answer opens a new alert, whatever its time, because the device’s clock may be slow', async () => {
  const { report, say, shown } = await family();
  const timeBefore = currentTime();
  server.clock.turn(minute);
  await say('sorted');
  await report({ time: timeBefore });
  expect(Object.keys(await shown())).toHaveLength(3);
});
