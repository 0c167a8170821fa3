import type { AgentInfo } from '@porchlight/contract/agent.ts';
import { minute } from '@porchlight/contract/time.ts';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { checkInBody, agentInfo as info } from '../../testing/agent-info.ts';
import { activeGuardian, detection, linkedDevice, person, type TestServer, testServer, until } from '../../testing/world.ts';

/** Outages of other devices and other events must neither hide nor cause a notification. */

let server: TestServer;
let [stranger, otherStranger] = ['', ''];
beforeAll(async () => {
  server = await testServer();
  [stranger, otherStranger] = [(await person(server)).token, (await person(server)).token];
});
// Each test begins with a network of its own, as if the server had never checked it.
beforeEach(async () => {
  await server.db.deleteFrom('devices').execute();
  await server.db.deleteFrom('listening').execute();
});
afterAll(() => server.close());

type CheckIn = { info?: AgentInfo; says_sleep?: boolean; away?: number; protecting?: boolean };
const checkIn = async (token: string, fields: CheckIn = {}) => {
  const body = { ...checkInBody, says_sleep: true, ...fields };
  expect((await server.call('POST /agent/check-in', { token, body })).status).toBe(200);
};
/** Two minutes, after which these devices check in and the server checks all. With `refused` it has just refused calls of agents. */
async function twoMinutes(onlineAgents: string[], { refused = false } = {}) {
  server.clock.turn(2 * minute);
  for (const token of onlineAgents) await checkIn(token);
  if (refused) await server.db.updateTable('listening').set({ refused: server.clock.now() }).execute();
  await server.app.worker.idle();
}
/** Advances the clock by minutes with the server's checks, while these devices check in. */
async function pollByPoll(n: number, onlineAgents: string[] = []) {
  for (let passed = 0; passed < n; passed += 2) await twoMinutes(onlineAgents);
}
/** The same, but only the first and the last check run, as if those between them had found nothing, which takes less time. */
async function minutes(n: number, onlineAgents: string[] = [], more: { refused?: boolean } = {}) {
  await twoMinutes(onlineAgents, more);
  if (n <= 2) return;
  server.clock.turn((n - 4) * minute);
  await server.db.updateTable('listening').set({ checked: server.clock.now() }).execute();
  await twoMinutes(onlineAgents, more);
}
const report = (token: string) => server.call('POST /agent/detections', { token, body: { detections: [detection(server)] } });

async function ann(name = 'Den PC') {
  const { token, email } = await person(server);
  const device = await linkedDevice(server, token, name);
  await checkIn(device.agent);
  const mails = async (recipient = email) => (await server.mailsTo(recipient)).filter(({ subject }) => /heard from|is back/.test(subject));
  const subjects = async () => (await mails()).map(({ subject }) => subject);
  return { token, email, device, mails, subjects };
}
async function strangersDevices(n: number, token = stranger) {
  const agents: string[] = [];
  for (let i = 0; i < n; i++) agents.push((await linkedDevice(server, token)).agent);
  for (const agent of agents) await checkIn(agent, { says_sleep: false });
  return agents;
}
const lostContact = expect.stringMatching(/^We haven’t heard from/);

test('five devices that went offline earlier do not delay the notification of a later outage', async () => {
  const [awake = '', ...lidAgents] = [...(await strangersDevices(1)), ...(await strangersDevices(5, otherStranger))];
  const attackedHolder = await ann();
  for (const agent of lidAgents) await checkIn(agent, { says_sleep: false });
  await minutes(10, [awake, attackedHolder.device.agent]);
  await minutes(14, [awake]);
  expect(await attackedHolder.subjects()).toEqual([]);
  await minutes(2, [awake]);
  expect(await attackedHolder.subjects()).toEqual([lostContact]);
});

test('with two devices in the service, a closed lid does not hide that the other agent is killed five minutes later', async () => {
  const [lidAgent = ''] = await strangersDevices(1);
  const attackedHolder = await ann();
  await checkIn(lidAgent, { says_sleep: false });
  await minutes(6, [attackedHolder.device.agent]);
  await minutes(14);
  expect(await attackedHolder.subjects()).toEqual([]);
  await minutes(2);
  expect(await attackedHolder.subjects()).toEqual([lostContact]);
});

test('when devices go offline together nobody is notified for an hour; then people are notified of a device with trouble, of others after days', async () => {
  const [awake = '', ...otherAgents] = [...(await strangersDevices(1)), ...(await strangersDevices(4))];
  const [troubledHolder, untroubledHolder] = [await ann(), await ann()];
  await report(troubledHolder.device.agent);
  for (const agent of [...otherAgents, troubledHolder.device.agent, untroubledHolder.device.agent]) await checkIn(agent);
  await pollByPoll(58, [awake]);
  expect(await troubledHolder.subjects()).toEqual([]);
  await pollByPoll(4, [awake]);
  expect(await troubledHolder.subjects()).toEqual([lostContact]);
  await minutes(20, [awake]);
  expect(await untroubledHolder.subjects()).toEqual([]);
  expect(await server.db.selectFrom('device_watch').select('device').execute()).toHaveLength(1);
});

test.each(['moved', 'undone', 'left'] as const)(
  'a device that reports it has %s causes no outage notification and keeps that reason; people are notified of a silent device beside it',
  async (kind) => {
    const [awake = ''] = await strangersDevices(1);
    const [absentDevice, killedDevice] = [await ann(), await ann()];
    const events = [{ uuid: crypto.randomUUID(), time: server.clock.now().toISOString(), reported: { kind } }];
    expect((await server.call('POST /agent/events', { token: absentDevice.device.agent, body: { events: events } })).status).toBe(200);
    await report(killedDevice.device.agent);
    await minutes(20, [awake]);
    expect(await absentDevice.subjects()).toEqual([]);
    const outages = await server.db.selectFrom('device_outages').select('kind').where('device', '=', absentDevice.device.uuid).execute();
    expect(outages).toEqual([{ kind: 'left' }]);
    expect(await killedDevice.subjects()).toEqual([lostContact]);
  },
);

test('lost periodic jobs are queued again within a minute', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  try {
    const otherServer = await testServer();
    onTestFinished(() => otherServer.close());
    const kinds = ['outage_check', 'hourly', 'plan_night', 'feed_day'];
    const queued = async () =>
      (await otherServer.db.selectFrom('jobs').select('kind').where('done_at', 'is', null).where('kind', 'in', kinds).execute()).length;
    await otherServer.app.worker.idle();
    expect(await queued()).toBe(4);
    await otherServer.db.deleteFrom('jobs').where('kind', 'in', kinds).execute();
    vi.advanceTimersByTime(minute);
    await until('the looks are queued again', async () => (await queued()) === 4);
  } finally {
    vi.useRealTimers();
  }
});

test("a report of detections or a scan updates the device's last-seen time", async () => {
  const { token, device } = await ann();
  const lastSeen = async () => (await server.call(`GET /web/devices/${device.uuid}`, { token })).body.last_seen;
  server.clock.turn(minute);
  await report(device.agent);
  expect(await lastSeen()).toBe(server.clock.now().toISOString());
  server.clock.turn(minute);
  const scanItem = { kind: 'downloads', identifier: 'anydesk', name: 'AnyDesk', category: 'RemoteControl', certainty: 'certain' };
  const items = [{ ...scanItem, details: '/opt/AnyDesk', did: 'put_away', blocked: true }];
  const scan = { uuid: crypto.randomUUID(), time: server.clock.now().toISOString(), items };
  expect((await server.call('POST /agent/scan', { token: device.agent, body: scan })).status).toBe(200);
  expect(await lastSeen()).toBe(server.clock.now().toISOString());
});

test("while the server refuses agents' calls, people are notified of an outage after trouble in fifteen minutes instead of two", async () => {
  const [awake = ''] = await strangersDevices(1);
  const attackedHolder = await ann();
  await report(attackedHolder.device.agent);
  await minutes(2, [awake, attackedHolder.device.agent]);
  await minutes(14, [awake], { refused: true });
  expect(await attackedHolder.subjects()).toEqual([]);
  await minutes(2, [awake], { refused: true });
  expect(await attackedHolder.subjects()).toEqual([lostContact]);
});

test.each([
  [true, 'It’s protected again now.'],
  [false, 'But it isn’t protected now.'],
])('the email that a device is back says whether it is protected (%s)', async (protecting, expectedText) => {
  const [awake = ''] = await strangersDevices(1);
  const { device, mails } = await ann();
  await minutes(18, [awake]);
  await checkIn(device.agent, { protecting });
  const [backEmail] = await mails();
  expect(backEmail?.subject).toBe('Den PC is back');
  expect(backEmail?.text).toContain(expectedText);
  expect(backEmail?.text.includes('protected again')).toBe(protecting);
});

test('the email that a device is back calls it partly protected if its agent cannot do everything there', async () => {
  const [awake = ''] = await strangersDevices(1);
  const { device, mails } = await ann();
  await minutes(18, [awake]);
  await checkIn(device.agent, { info: { ...info, limitations: ['sites_not_blocked'] } });
  expect((await mails())[0]?.text).toContain('It’s partly protected again now.');
});

test.each(['paused', 'resumed', 'sleep'])(
  'people are notified that a device is back, even if it first reports that it is %s',
  async (reason) => {
    const [awake = ''] = await strangersDevices(1);
    const { token, device, subjects, mails } = await ann();
    const bob = await activeGuardian(server, token);
    await minutes(18, [awake]);
    expect(await subjects()).toEqual([lostContact]);
    const until = new Date(server.clock.now().getTime() + 10 * minute).toISOString();
    const goodbye = (body: object) => server.call('POST /agent/goodbye', { token: device.agent, body });
    if (reason !== 'sleep') await goodbye({ reason: 'paused', until });
    if (reason !== 'paused') await goodbye({ reason });
    await checkIn(device.agent);
    expect(await subjects()).toEqual(['Den PC is back', lostContact]);
    expect((await mails(bob.email)).map(({ subject }) => subject)).toEqual(['Den PC is back', expect.stringMatching(/haven’t heard from/)]);
    const { outage } = (await server.call(`GET /web/devices/${device.uuid}`, { token })).body;
    expect(outage?.kind).toBe(reason === 'paused' ? 'paused' : undefined);
    await checkIn(device.agent);
    expect(await subjects()).toHaveLength(2);
  },
);

test('the flood alarm uses the urgent lane of the job queue, and mild acts the ordinary lane', async () => {
  const { token } = await person(server);
  const bob = await activeGuardian(server, token);
  const { uuid } = await linkedDevice(server, token);
  for (let n = 0; n < 6; n++) {
    const body = { type: 'domain', identifier: `site${n}.example.com`, lasts: null };
    await server.call(`POST /web/devices/${uuid}/v2/exceptions`, { token, body });
  }
  expect((await server.mailsTo(bob.email)).filter(({ text }) => text.includes('allowed'))).toHaveLength(6);
  const lanesOf = async (notified: 'flood' | 'at_once') => {
    const entries = await server.db.selectFrom('activity_log').select('uuid').where('notified', '=', notified).execute();
    const jobs = await server.db.selectFrom('jobs').select(['lane', 'unique_key']).where('kind', '=', 'mail').execute();
    return jobs.filter(({ unique_key }) => entries.some((act) => unique_key.includes(act.uuid))).map(({ lane }) => lane);
  };
  expect(new Set(await lanesOf('flood'))).toEqual(new Set(['mail_urgent']));
  expect(new Set(await lanesOf('at_once'))).toEqual(new Set(['mail_ordinary']));
});
