import { randomUUID } from 'node:crypto';
import { minute } from '@porchlight/contract/time.ts';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { enqueuer } from '../../jobs/queue.ts';
import type { Notify } from '../../ports.ts';
import { checkInBody } from '../../testing/agent-info.ts';
import { activeGuardian, linkedDevice, person, type TestServer, testServer } from '../../testing/world.ts';
import { outageStore } from './outage-store.ts';
import { deviceWatch } from './watch.ts';
import { watchStore } from './watch-store.ts';

let server: TestServer;
let strangersDevice: Awaited<ReturnType<typeof linkedDevice>>;
beforeAll(async () => {
  server = await testServer();
  strangersDevice = await linkedDevice(server, (await person(server)).token);
});
afterAll(() => server.close());

type CheckIn = { says_sleep?: boolean; away?: number };

/** Advances the clock in steps of two minutes while these devices check in; the server checks without an interruption. */
async function minutes(n: number, onlineAgents: string[] = []) {
  for (let minutesLeft = n; minutesLeft > 0; ) {
    const stepMinutes = Math.min(minutesLeft, 2);
    minutesLeft -= stepMinutes;
    server.clock.turn(stepMinutes * minute);
    for (const token of onlineAgents) await checkIn(token);
    await server.app.worker.idle();
  }
}
const checkIn = async (token: string, fields: CheckIn = {}) => {
  const body = { ...checkInBody, says_sleep: true, ...fields };
  expect((await server.call('POST /agent/check-in', { token, body })).status).toBe(200);
};
const goodbye = (token: string, reason: string) => server.call('POST /agent/goodbye', { token, body: { reason } });
const detected = (token: string) =>
  server.call('POST /agent/detections', {
    token,
    body: {
      detections: [
        {
          ...{ uuid: randomUUID(), time: server.clock.now().toISOString(), name: 'AnyDesk', identifier: 'anydesk' },
          ...{ category: 'RemoteControl', details: '/opt/AnyDesk', blocked: true, certainty: 'certain', why: '', start: 'person' },
        },
      ],
    },
  });

async function family(fields: CheckIn = {}) {
  const { token, email } = await person(server);
  const bob = await activeGuardian(server, token);
  const device = await linkedDevice(server, token);
  // Uninstalled, so that the next test does not see this outage.
  onTestFinished(async () => void (await goodbye(device.agent, 'uninstalled')));
  await minutes(2, [strangersDevice.agent, device.agent]);
  await checkIn(device.agent, fields);
  const subjectPattern = /heard from|is back|not protected|out of touch/;
  const mails = async (recipient = email) => (await server.mailsTo(recipient)).filter(({ subject }) => subjectPattern.test(subject));
  const outage = async () => (await server.call(`GET /web/devices/${device.uuid}`, { token })).body.outage;
  const passMinutes = (n: number) => minutes(n, [strangersDevice.agent]);
  return { token, email, bob, device, mails, outage, pass: passMinutes };
}

test('A8: holder and guardians are notified once of an agent killed without a goodbye within 15 minutes, and again when it is back', async () => {
  const { bob, email, device, mails, outage, pass } = await family();
  await pass(14);
  expect(await mails()).toEqual([]);
  expect(await outage()).toBeNull();
  await pass(2);
  const [mail] = await mails();
  expect(mail?.subject).toMatch(/^We haven’t heard from Den PC since \d+:\d\d [AP]M$/);
  expect(mail?.text).toContain('It may only have lost power or Wi-Fi.');
  const [bobsEmail] = await mails(bob.email);
  expect(bobsEmail?.subject).toMatch(/^Ann: we haven’t heard from Den PC since/);
  expect(bobsEmail?.text).toContain('Call Ann');
  expect(bobsEmail?.text.split(/\s+/).length).toBeLessThan(90);
  expect(await outage()).toMatchObject({ kind: 'vanished' });
  await pass(60);
  expect([await mails(), await mails(bob.email)].map((all) => all.length)).toEqual([1, 1]);
  await checkIn(device.agent);
  expect((await mails()).map(({ subject }) => subject)[0]).toBe('Den PC is back');
  expect((await mails(bob.email))[0]?.text).toContain('It was off, or Porchlight was closed there.');
  await checkIn(device.agent);
  expect([await mails(email), await mails(bob.email)].map((all) => all.length)).toEqual([2, 2]);
  expect(await outage()).toBeNull();
});

test('A8: after a detection, people are notified of an outage without a goodbye within minutes, but only for that device', async () => {
  const { bob, device, mails, pass } = await family({ says_sleep: false });
  await detected(device.agent);
  await detected(strangersDevice.agent);
  await checkIn(device.agent, { says_sleep: false });
  await pass(3);
  expect((await mails(bob.email)).map(({ subject }) => subject)).toEqual([expect.stringMatching(/haven’t heard from Den PC/)]);
  expect((await mails(bob.email))[0]?.text).toContain('Shortly before, we stopped something there');
});

test('A8: people are notified within minutes of an outage soon after a weakening act of the account, such as viewing the PIN', async () => {
  const { token, device, mails, pass } = await family({ says_sleep: false });
  await server.call('GET /web/bypasspassword', { token });
  await checkIn(device.agent, { says_sleep: false });
  await pass(3);
  expect(await mails()).toHaveLength(1);
});

test.each(['sleep', 'shutdown', 'uninstalled'])(
  'A8: a goodbye (%s) prevents an outage notification, even after a detection',
  async (reason) => {
    const { device, mails, pass } = await family();
    await detected(device.agent);
    await goodbye(device.agent, reason);
    await pass(20);
    expect((await mails()).filter(({ subject }) => subject.includes('heard'))).toEqual([]);
  },
);

test('A8: a sleeping device is shown as asleep, and its absences do not count as bad Wi-Fi', async () => {
  const { device, mails, outage, pass } = await family();
  for (let day = 0; day < 4; day++) {
    await goodbye(device.agent, 'sleep');
    expect(await outage()).toMatchObject({ kind: 'asleep' });
    await pass(16);
    await checkIn(device.agent, { away: 16 * 60 });
    expect(await outage()).toBeNull();
  }
  expect(await mails()).toEqual([]);
  await pass(16);
  expect(await mails()).toHaveLength(1);
});

test('A8: people are not notified of a device that is often offline after 15 minutes again, but within minutes after a detection', async () => {
  const { token, device, mails } = await family();
  const atticDevice = await linkedDevice(server, token, 'Attic PC');
  onTestFinished(async () => void (await goodbye(atticDevice.agent, 'uninstalled')));
  const passMinutes = (n: number) => minutes(n, [strangersDevice.agent, atticDevice.agent]);
  for (let n = 1; n <= 3; n++) {
    await passMinutes(16);
    expect(await mails()).toHaveLength(2 * n - 1);
    await checkIn(device.agent, { away: 16 * 60 });
    expect((await mails())[0]?.text).toContain('It was only offline or asleep.');
  }
  await passMinutes(40);
  expect(await mails()).toHaveLength(6);
  await checkIn(device.agent, { away: 40 * 60 });
  expect(await mails()).toHaveLength(6);
  await detected(device.agent);
  await passMinutes(3);
  expect(await mails()).toHaveLength(7);
  // Offline spells of one device do not affect another device.
  await checkIn(device.agent);
  const countBefore = (await mails()).length;
  await minutes(17, [strangersDevice.agent, device.agent]);
  expect((await mails())[0]?.subject).toContain('Attic PC');
  expect(await mails()).toHaveLength(countBefore + 1);
});

test('A8: people are notified only after days of a silent agent that does not report sleep, such as on a Mac', async () => {
  const { mails, pass } = await family({ says_sleep: false });
  await pass(40);
  expect(await mails()).toEqual([]);
});

test('A8: when many devices go offline together nobody is notified, and each is re-evaluated once others are online again', async () => {
  const { device, mails, pass } = await family();
  const { token } = await person(server);
  const otherDevices = [await linkedDevice(server, token), await linkedDevice(server, token)];
  onTestFinished(async () => {
    for (const { agent } of otherDevices) await goodbye(agent, 'uninstalled');
  });
  for (const { agent } of [...otherDevices, device, strangersDevice]) await checkIn(agent);
  await minutes(25);
  expect(await mails()).toEqual([]);
  for (const { agent } of otherDevices) await checkIn(agent);
  await pass(14);
  expect(await mails()).toEqual([]);
  await pass(3);
  expect((await mails()).filter(({ subject }) => subject.includes('heard'))).toHaveLength(1);
});

test('A8: minutes without a check by the server do not count as outage', async () => {
  const { mails, pass } = await family();
  await pass(10);
  server.clock.turn(10 * minute);
  await pass(12);
  expect(await mails()).toEqual([]);
  await pass(6);
  expect(await mails()).toHaveLength(1);
});

test('A8: two servers that check simultaneously notify once', async () => {
  const { device, pass } = await family();
  await pass(14);
  server.clock.turn(2 * minute);
  await checkIn(strangersDevice.agent);
  const notified: string[] = [];
  const notify: Notify = async (_trx, _account, { kind, facts }) => void (kind === 'sudden_outage' && notified.push(facts.uuid));
  const { db, clock } = server;
  const deps = {
    db,
    clock,
    notify,
    log: { warn: () => {} },
    outages: outageStore(clock),
    enqueue: enqueuer(clock),
  };
  const secondWatch = [1, 2].map(() => deviceWatch({ ...deps, store: watchStore(db, clock), forgetJobs: async () => {} }));
  await Promise.all(secondWatch.map(({ handlers }) => handlers.outage_check()));
  expect(notified).toEqual([device.uuid]);
});

test('A8: people are notified sooner of an agent that is stopped after a detection', async () => {
  const { device, mails, pass } = await family();
  await detected(device.agent);
  await goodbye(device.agent, 'stopped');
  await pass(3);
  expect((await mails()).map(({ subject }) => subject)).toEqual(['Den PC is not protected']);
});

test('A8: a check for outages reads only silent devices, because the checks of online devices are postponed', async () => {
  const { device, pass } = await family();
  await pass(16);
  const store = watchStore(server.db, server.clock);
  expect((await store.offlineDevices(server.db)).map(({ uuid }) => uuid)).not.toContain(strangersDevice.uuid);
  const due = async (uuid: string) =>
    (await server.db.selectFrom('device_watch').select('due').where('device', '=', uuid).executeTakeFirst())?.due;
  expect(await due(device.uuid)).toBeUndefined();
  expect((await due(strangersDevice.uuid))?.getTime()).toBeGreaterThan(server.clock.now().getTime() + 8 * minute);
});
