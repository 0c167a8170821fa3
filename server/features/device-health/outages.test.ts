import { hour, minute } from '@porchlight/contract/time.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hourly } from '../../jobs/hourly.ts';
import { enqueuer } from '../../jobs/queue.ts';
import { checkInBody, agentInfo as info } from '../../testing/agent-info.ts';
import { activeGuardian, linkedDevice, person, type TestServer, testServer } from '../../testing/world.ts';
import { timeInWords } from '../../texts/formatting.ts';
import { extendUptime } from './uptime.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

/** Advances the clock by hours, with the server's hourly job in each. */
async function hourByHour(n: number, targetServer: TestServer = server) {
  for (let i = 0; i < n; i++) {
    targetServer.clock.turn(hour);
    await targetServer.app.worker.idle();
  }
}
/** The same for many hours: only the first and the last hourly job run, and the uptime between them is inserted, which takes less time. */
async function hours(n: number, targetServer: TestServer = server) {
  const { db, clock } = targetServer;
  await hourByHour(1, targetServer);
  if (n === 1) return;
  const recorded = clock.now();
  clock.turn((n - 2) * hour);
  await db.updateTable('server_uptime').set({ until: clock.now() }).where('until', '=', recorded).execute();
  await hourByHour(1, targetServer);
}
const checkIn = (token: string, targetServer = server) => targetServer.call('POST /agent/check-in', { token, body: checkInBody });
const goodbye = (token: string, body: object) => server.call('POST /agent/goodbye', { token, body });
const outageOf = async (token: string, uuid: string) => (await server.call(`GET /web/devices/${uuid}`, { token })).body.outage;
const settings = (token: string, body: object) => server.call('PATCH /web/alert-settings', { token, body });

async function family(targetServer = server) {
  const { token, email } = await person(targetServer);
  const bob = await activeGuardian(targetServer, token);
  const device = await linkedDevice(targetServer, token);
  const subjectPattern = /out of touch|hasn’t been on|not protected|uninstalled|paused/;
  const notifications = async (recipient = email) =>
    (await targetServer.mailsTo(recipient)).filter(({ subject }) => subjectPattern.test(subject));
  return { token, email, bob, device, told: notifications };
}

test('a silent device notifies once after the default of three days, and again only after it was back', async () => {
  const { token, bob, device, told } = await family();
  await hours(72);
  expect(await told()).toEqual([]);
  await hours(1);
  const [mail] = await told();
  expect(mail?.subject).toBe('Den PC is out of touch');
  expect(mail?.text).toContain('We lost contact with Den PC on Saturday, November 21, at 9:05 AM.');
  const [bobsEmail] = await told(bob.email);
  expect(bobsEmail?.subject).toBe('Ann: Den PC is out of touch');
  expect(bobsEmail?.text).toContain('Ask Ann to make sure it’s on and online');
  expect(bobsEmail?.text.split(/\s+/).length).toBeLessThan(90);
  expect(await outageOf(token, device.uuid)).toMatchObject({ kind: 'vanished', since: '2026-11-21T14:05:00.000Z' });
  await hours(48);
  expect(await told()).toHaveLength(1);
  await checkIn(device.agent);
  expect(await outageOf(token, device.uuid)).toBeNull();
  await hours(74);
  expect(await told()).toHaveLength(2);
  expect(await told(bob.email)).toHaveLength(2);
});

test('each hourly job counts an hour of uptime, and the first one after the chosen days notifies people of a silent device', async () => {
  const { token, told } = await family();
  await settings(token, { notify_after_days: 1 });
  await hourByHour(23);
  expect(await told()).toEqual([]);
  await hourByHour(1);
  expect(await told()).toHaveLength(1);
  const uptime = await server.db.selectFrom('server_uptime').selectAll().execute();
  expect(uptime).toEqual([{ since: new Date('2026-11-21T15:05:00.000Z'), until: server.clock.now() }]);
});

test('the email about a device that was switched off is not alarming', async () => {
  const { token, bob, device, told } = await family();
  await settings(token, { notify_after_days: 1 });
  await goodbye(device.agent, { reason: 'shutdown' });
  const since = server.clock.now().toISOString();
  expect(await outageOf(token, device.uuid)).toEqual({ kind: 'switched_off', since });
  await hours(23);
  expect(await told()).toEqual([]);
  await hours(2);
  const [mail] = await told();
  expect(mail?.subject).toBe('Den PC hasn’t been on for a while');
  expect(mail?.text).toMatch(/Den PC was switched off on \w+, \w+ \d+, at \d+:05 [AP]M and hasn’t been on since\./);
  expect(mail?.text).toContain('Nothing is wrong');
  expect(mail?.text).not.toContain('lost contact');
  await hours(30);
  expect([await told(), await told(bob.email)].map((mails) => mails.length)).toEqual([1, 1]);
  expect(await outageOf(token, device.uuid)).toEqual({ kind: 'switched_off', since });
});

test('a device that is switched on again in time causes no notification', async () => {
  const { token, device, told } = await family();
  await settings(token, { notify_after_days: 1 });
  // Twice sixteen hours are more than the chosen day, but they do not add up.
  for (let day = 0; day < 2; day++) {
    await goodbye(device.agent, { reason: 'shutdown' });
    await hours(16);
    await checkIn(device.agent);
    expect(await outageOf(token, device.uuid)).toBeNull();
    await hours(8);
    await checkIn(device.agent);
  }
  expect(await told()).toEqual([]);
});

test.each([1, 3, 7])('the holder can choose to be notified after %i days', async (outageDays) => {
  const { token, told } = await family();
  await settings(token, { notify_after_days: outageDays });
  await hours(24 * outageDays - 1);
  expect(await told()).toEqual([]);
  await hours(1);
  expect(await told()).toHaveLength(1);
});

test('a shorter wait applies to an outage in progress, and a longer one repeats no notification', async () => {
  const { token, told } = await family();
  await settings(token, { notify_after_days: 7 });
  await hours(30);
  expect(await told()).toEqual([]);
  await settings(token, { notify_after_days: 1 });
  await hours(1);
  expect(await told()).toHaveLength(1);
  await settings(token, { notify_after_days: 3 });
  await hours(60);
  expect(await told()).toHaveLength(1);
});

test('people are notified of a stopped agent after ten minutes unless it restarted', async () => {
  const { token, bob, device, told } = await family();
  await goodbye(device.agent, { reason: 'stopped' });
  await checkIn(device.agent);
  server.clock.turn(11 * minute);
  expect(await told()).toEqual([]);
  await goodbye(device.agent, { reason: 'stopped' });
  server.clock.turn(10 * minute - 1);
  expect(await told()).toEqual([]);
  server.clock.turn(1);
  const [mail] = await told();
  expect(mail?.subject).toBe('Den PC is not protected');
  expect(mail?.text).toMatch(/Porchlight was closed on Den PC on .+ and hasn’t been started since\./);
  expect(await told(bob.email)).toHaveLength(1);
  expect(await outageOf(token, device.uuid)).toMatchObject({ kind: 'stopped' });
  await hours(80);
  expect(await told()).toHaveLength(1);
});

test('an agent that stops while another one waits for its notification gets its own notification, ten minutes after it stopped', async () => {
  const [ann, eve] = [await family(), await family()];
  await goodbye(ann.device.agent, { reason: 'stopped' });
  server.clock.turn(9 * minute);
  await goodbye(eve.device.agent, { reason: 'stopped' });
  server.clock.turn(minute);
  expect([await ann.told(), await eve.told()].map((mails) => mails.length)).toEqual([1, 0]);
  server.clock.turn(9 * minute);
  expect([await ann.told(), await eve.told()].map((mails) => mails.length)).toEqual([1, 1]);
});

test('when two agents stop at the same moment, both holders get an email', async () => {
  const [ann, eve] = [await family(), await family()];
  for (const { device } of [ann, eve]) await goodbye(device.agent, { reason: 'stopped' });
  server.clock.turn(10 * minute);
  expect([await ann.told(), await eve.told()].map((mails) => mails.length)).toEqual([1, 1]);
});

test('nobody is notified of a stopped agent when the server was down meanwhile and could not see it return', async () => {
  const { device, told } = await family();
  await goodbye(device.agent, { reason: 'stopped' });
  server.clock.turn(5 * hour);
  expect(await told()).toEqual([]);
  await checkIn(device.agent);
  server.clock.turn(11 * minute);
  expect(await told()).toEqual([]);
});

test("the server's downtime does not count as an outage of devices", async () => {
  const { told } = await family();
  await hours(24);
  server.clock.turn(9 * 24 * hour);
  await server.app.worker.idle();
  expect(await told()).toEqual([]);
  await hours(46);
  expect(await told()).toEqual([]);
  await hours(5);
  expect(await told()).toHaveLength(1);
});

test('a clock that jumps ahead and is corrected causes no notifications, and people are still notified of an outage in time', async () => {
  const otherServer = await testServer();
  try {
    const { told } = await family(otherServer);
    await hours(2, otherServer);
    otherServer.clock.turn(20 * 24 * hour);
    await otherServer.app.worker.idle();
    await hours(1, otherServer);
    otherServer.clock.turn(-20 * 24 * hour);
    // Queues the hourly job for the present, as a server start does; another hourly job is queued in the future.
    const doNothing = async () => {};
    const deps = { db: otherServer.db, clock: otherServer.clock, enqueue: enqueuer(otherServer.clock) };
    await hourly({
      ...deps,
      forgetJobs: doNothing,
      deleteOld: async () => ({ finished: true }),
      noteUptime: (trx) => extendUptime(trx, otherServer.clock.now()),
      deleteOldOutages: doNothing,
      notifyOutages: doNothing,
      queueWeeklies: doNothing,
      queueDeletions: doNothing,
    }).queueNext();
    await hours(60, otherServer);
    expect(await told()).toEqual([]);
    await hours(12, otherServer);
    expect(await told()).toHaveLength(1);
  } finally {
    await otherServer.close();
  }
});

test('a removed device causes no notification', async () => {
  const { token, device, told } = await family();
  await settings(token, { notify_after_days: 1 });
  await hours(20);
  await server.call(`DELETE /web/devices/${device.uuid}`, { token });
  await hours(10);
  expect(await told()).toEqual([]);
});

test('a pause notifies holder and guardian immediately, ends by itself and is no outage', async () => {
  const { token, bob, device, told } = await family();
  const until = new Date(server.clock.now().getTime() + 30 * minute).toISOString();
  await goodbye(device.agent, { reason: 'paused', until });
  const [mail] = await told();
  const endInWords = timeInWords(new Date(until), info.time_zone);
  expect(mail?.subject).toMatch(new RegExp(`^Protection on Den PC was paused until ${endInWords} on \\w+day, \\w+ \\d+$`));
  expect((await told(bob.email))[0]?.text).toContain('Not expected? Call Ann.');
  expect(await outageOf(token, device.uuid)).toEqual({ kind: 'paused', since: server.clock.now().toISOString(), until });
  await checkIn(device.agent);
  expect(await outageOf(token, device.uuid)).toMatchObject({ kind: 'paused' });
  // A pause that the agent reports again after a restart causes no notification.
  server.clock.turn(15 * minute);
  await goodbye(device.agent, { reason: 'paused', until });
  expect(await told()).toHaveLength(1);
  server.clock.turn(15 * minute);
  expect(await outageOf(token, device.uuid)).toBeNull();
  await checkIn(device.agent);
  expect(await told()).toHaveLength(1);
});

test('a pause can be resumed, needs an end, and lasts at most an hour', async () => {
  const { token, device } = await family();
  const farEnd = new Date(server.clock.now().getTime() + 48 * hour).toISOString();
  await goodbye(device.agent, { reason: 'paused', until: farEnd });
  const until = new Date(server.clock.now().getTime() + 60 * minute).toISOString();
  expect(await outageOf(token, device.uuid)).toMatchObject({ kind: 'paused', until });
  await goodbye(device.agent, { reason: 'resumed' });
  expect(await outageOf(token, device.uuid)).toBeNull();
  expect((await goodbye(device.agent, { reason: 'resumed' })).status).toBe(200);
  expect(await goodbye(device.agent, { reason: 'paused' })).toMatchObject({
    status: 422,
    body: { fields: [{ field: 'Until', tag: 'required' }] },
  });
});

test('a device that goes offline during a pause counts as an outage, and people are notified', async () => {
  const { device, told } = await family();
  await goodbye(device.agent, { reason: 'paused', until: new Date(server.clock.now().getTime() + 5 * minute).toISOString() });
  await hours(74);
  expect((await told()).map(({ subject }) => subject)).toEqual(['Den PC is out of touch', expect.stringMatching(/paused until/)]);
});

test('people are notified of an uninstalled agent immediately, and its absence is no outage', async () => {
  const { token, bob, device, told } = await family();
  await goodbye(device.agent, { reason: 'uninstalled' });
  expect((await told())[0]?.subject).toBe('Porchlight was uninstalled from Den PC');
  expect(await outageOf(token, device.uuid)).toMatchObject({ kind: 'uninstalled' });
  await hours(80);
  expect([await told(), await told(bob.email)].map((mails) => mails.length)).toEqual([1, 1]);
});
