import { afterAll, beforeAll, expect, test } from 'vitest';
import { hourly } from '../../jobs/hourly.ts';
import { enqueuer } from '../../jobs/queue.ts';
import { timeInWords } from '../../lib/formatting.ts';
import { agentInfo as info } from '../../testing/agent-info.ts';
import { activeGuardian, linkedDevice, person, type TestServer, testServer } from '../../testing/world.ts';
import { hear } from './uptime.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const minute = 60_000;
const hour = 60 * minute;

/** Lets hours pass in which a server runs: it looks at the clock once in each. */
async function hours(n: number, on: TestServer = server) {
  for (let i = 0; i < n; i++) {
    on.clock.turn(hour);
    await on.app.worker.idle();
  }
}
const checkIn = (token: string, on = server) => on.call('POST /agent/check-in', { token, body: { info, protecting: true, problems: [] } });
const goodbye = (token: string, body: object) => server.call('POST /agent/goodbye', { token, body });
const silenceOf = async (token: string, uuid: string) => (await server.call(`GET /web/devices/${uuid}`, { token })).body.silence;
const settings = (token: string, body: object) => server.call('PATCH /web/alert-settings', { token, body });

/** Ann with a device that was heard now, and her guardian Bob. */
async function family(on = server) {
  const { token, email } = await person(on);
  const bob = await activeGuardian(on, token);
  const device = await linkedDevice(on, token);
  const about = /out of touch|hasn’t been on|not protected|uninstalled|paused/;
  const told = async (who = email) => (await on.mailsTo(who)).filter(({ subject }) => about.test(subject));
  return { token, email, bob, device, told };
}

test('a device that says nothing is told of once, after the three days that nobody chose otherwise, and again only after it was back', async () => {
  const { token, bob, device, told } = await family();
  await hours(72);
  expect(await told()).toEqual([]);
  await hours(1);
  const [mail] = await told();
  expect(mail?.subject).toBe('Den PC is out of touch');
  expect(mail?.text).toContain('We lost contact with Den PC on Saturday, November 21, at 9:05 AM.');
  const [bobs] = await told(bob.email);
  expect(bobs?.subject).toBe('Ann: Den PC is out of touch');
  expect(bobs?.text).toContain('Ask Ann to make sure it’s on and online');
  expect(bobs?.text.split(/\s+/).length).toBeLessThan(90);
  expect(await silenceOf(token, device.uuid)).toMatchObject({ kind: 'vanished', since: '2026-11-21T14:05:00.000Z' });
  await hours(48);
  expect(await told()).toHaveLength(1);
  await checkIn(device.agent);
  expect(await silenceOf(token, device.uuid)).toBeNull();
  await hours(74);
  expect(await told()).toHaveLength(2);
  expect(await told(bob.email)).toHaveLength(2);
});

test('one that was switched off is told in other words, without alarm', async () => {
  const { token, bob, device, told } = await family();
  await settings(token, { silence_days: 1 });
  await goodbye(device.agent, { reason: 'shutdown' });
  const since = server.clock.now().toISOString();
  expect(await silenceOf(token, device.uuid)).toEqual({ kind: 'switched_off', since });
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
  expect(await silenceOf(token, device.uuid)).toEqual({ kind: 'switched_off', since });
});

test('one that was switched off and on again in time is never told', async () => {
  const { token, device, told } = await family();
  await settings(token, { silence_days: 1 });
  for (let day = 0; day < 4; day++) {
    await goodbye(device.agent, { reason: 'shutdown' });
    await hours(16);
    await checkIn(device.agent);
    expect(await silenceOf(token, device.uuid)).toBeNull();
    await hours(8);
    await checkIn(device.agent);
  }
  expect(await told()).toEqual([]);
});

test.each([1, 3, 7])('the holder chooses: %i days', async (silence_days) => {
  const { token, told } = await family();
  await settings(token, { silence_days });
  await hours(24 * silence_days - 1);
  expect(await told()).toEqual([]);
  await hours(1);
  expect(await told()).toHaveLength(1);
});

test('a shorter wait counts for a silence that has begun, and a longer one tells nothing twice', async () => {
  const { token, told } = await family();
  await settings(token, { silence_days: 7 });
  await hours(30);
  expect(await told()).toEqual([]);
  await settings(token, { silence_days: 1 });
  await hours(1);
  expect(await told()).toHaveLength(1);
  await settings(token, { silence_days: 3 });
  await hours(60);
  expect(await told()).toHaveLength(1);
});

test('a program that was stopped is told after ten minutes, unless it was only started again', async () => {
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
  expect(await silenceOf(token, device.uuid)).toMatchObject({ kind: 'stopped' });
  await hours(80);
  expect(await told()).toHaveLength(1);
});

test('where two programs are stopped at the same moment, both holders get an email', async () => {
  const [ann, eve] = [await family(), await family()];
  for (const { device } of [ann, eve]) await goodbye(device.agent, { reason: 'stopped' });
  server.clock.turn(10 * minute);
  expect([await ann.told(), await eve.told()].map((mails) => mails.length)).toEqual([1, 1]);
});

test('a stop is not told where the server was away meanwhile, and the program may have come back to nobody', async () => {
  const { device, told } = await family();
  await goodbye(device.agent, { reason: 'stopped' });
  server.clock.turn(5 * hour);
  expect(await told()).toEqual([]);
  await checkIn(device.agent);
  server.clock.turn(11 * minute);
  expect(await told()).toEqual([]);
});

test('the silence of the server is not the silence of the devices: days in which nobody could hear do not count', async () => {
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

test('a clock that jumps ahead and is put right tells of nobody, and a silence is still told when its time has come', async () => {
  const mine = await testServer();
  try {
    const { told } = await family(mine);
    await hours(2, mine);
    mine.clock.turn(20 * 24 * hour);
    await mine.app.worker.idle();
    await hours(1, mine);
    mine.clock.turn(-20 * 24 * hour);
    // As when the server starts: an hour of the present comes before the one that was queued when the clock was ahead.
    const nothing = async () => {};
    const parts = { db: mine.db, clock: mine.clock, enqueue: enqueuer(mine.clock) };
    await hourly({
      ...parts,
      forgetJobs: nothing,
      deleteExpired: nothing,
      noteUptime: (trx) => hear(trx, mine.clock.now()),
      deleteOldOutages: nothing,
      notifyOutages: nothing,
      queueWeeklies: nothing,
    }).queueNext();
    await hours(60, mine);
    expect(await told()).toEqual([]);
    await hours(12, mine);
    expect(await told()).toHaveLength(1);
  } finally {
    await mine.close();
  }
});

test('a removed device is silent for ever, and nobody hears of it', async () => {
  const { token, device, told } = await family();
  await settings(token, { silence_days: 1 });
  await hours(20);
  await server.call(`DELETE /web/devices/${device.uuid}`, { token });
  await hours(10);
  expect(await told()).toEqual([]);
});

test('a pause is told at once, to the holder and the guardian, ends by itself, and is not taken for silence', async () => {
  const { token, bob, device, told } = await family();
  const until = new Date(server.clock.now().getTime() + 30 * minute).toISOString();
  await goodbye(device.agent, { reason: 'paused', until });
  const [mail] = await told();
  const at = timeInWords(new Date(until), info.time_zone);
  expect(mail?.subject).toMatch(new RegExp(`^Protection on Den PC was paused until ${at} on \\w+day, \\w+ \\d+$`));
  expect((await told(bob.email))[0]?.text).toContain('Did you expect this? If not, call Ann.');
  expect(await silenceOf(token, device.uuid)).toEqual({ kind: 'paused', since: server.clock.now().toISOString(), until });
  // It goes on checking in, and stays paused.
  await checkIn(device.agent);
  expect(await silenceOf(token, device.uuid)).toMatchObject({ kind: 'paused' });
  // Said once more after it was started anew: the same pause, and no news.
  server.clock.turn(15 * minute);
  await goodbye(device.agent, { reason: 'paused', until });
  expect(await told()).toHaveLength(1);
  server.clock.turn(15 * minute);
  expect(await silenceOf(token, device.uuid)).toBeNull();
  await checkIn(device.agent);
  expect(await told()).toHaveLength(1);
});

test('a pause is over when it is taken back, has an end, and is never longer than an hour', async () => {
  const { token, device } = await family();
  const far = new Date(server.clock.now().getTime() + 48 * hour).toISOString();
  await goodbye(device.agent, { reason: 'paused', until: far });
  const until = new Date(server.clock.now().getTime() + 60 * minute).toISOString();
  expect(await silenceOf(token, device.uuid)).toMatchObject({ kind: 'paused', until });
  await goodbye(device.agent, { reason: 'resumed' });
  expect(await silenceOf(token, device.uuid)).toBeNull();
  // The answer to the first report was lost, and the agent reports again.
  expect((await goodbye(device.agent, { reason: 'resumed' })).status).toBe(200);
  expect(await goodbye(device.agent, { reason: 'paused' })).toMatchObject({
    status: 422,
    body: { fields: [{ field: 'Until', tag: 'required' }] },
  });
});

test('a device that falls silent in a pause is missed all the same', async () => {
  const { device, told } = await family();
  await goodbye(device.agent, { reason: 'paused', until: new Date(server.clock.now().getTime() + 5 * minute).toISOString() });
  await hours(74);
  expect((await told()).map(({ subject }) => subject)).toEqual(['Den PC is out of touch', expect.stringMatching(/paused until/)]);
});

test('an uninstalled program is told at once, and not missed afterwards', async () => {
  const { token, bob, device, told } = await family();
  await goodbye(device.agent, { reason: 'uninstalled' });
  expect((await told())[0]?.subject).toBe('Porchlight was uninstalled from Den PC');
  expect(await silenceOf(token, device.uuid)).toMatchObject({ kind: 'uninstalled' });
  await hours(80);
  expect([await told(), await told(bob.email)].map((mails) => mails.length)).toEqual([1, 1]);
});
