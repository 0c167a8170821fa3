import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { agentInfo as info } from '../../testing/agent-info.ts';
import { activeGuardian, detection, linkedDevice, person, type TestServer, testServer, until } from '../../testing/world.ts';

/** Who falls silent at another time says nothing about a device; and what else must not silence, or cry, for it. */

let server: TestServer;
beforeEach(async () => {
  server = await testServer();
});
afterEach(() => server.close());

const minute = 60_000;
type Said = { says_sleep?: boolean; away?: number; protecting?: boolean };
const checkIn = async (token: string, said: Said = {}) => {
  const body = { info, protecting: true, problems: [], says_sleep: true, ...said };
  expect((await server.call('POST /agent/check-in', { token, body })).status).toBe(200);
};
/** Minutes pass in which the server looks, and these devices check in. */
async function minutes(n: number, heard: string[] = []) {
  for (let left = n; left > 0; ) {
    const step = Math.min(left, 2);
    left -= step;
    server.clock.turn(step * minute);
    for (const token of heard) await checkIn(token);
    await server.app.worker.idle();
  }
}
const report = (token: string) => server.call('POST /agent/detections', { token, body: { detections: [detection(server)] } });

/** Ann with a device that is awake. */
async function ann(name = 'Den PC') {
  const { token, email } = await person(server);
  const device = await linkedDevice(server, token, name);
  await checkIn(device.agent);
  const mails = async (who = email) => (await server.mailsTo(who)).filter(({ subject }) => /heard from|is back/.test(subject));
  const subjects = async () => (await mails()).map(({ subject }) => subject);
  return { token, email, device, mails, subjects };
}
/** Devices of somebody else, which are awake. */
async function strangers(n: number) {
  const { token } = await person(server);
  const all: string[] = [];
  for (let i = 0; i < n; i++) all.push((await linkedDevice(server, token)).agent);
  for (const agent of all) await checkIn(agent, { says_sleep: false });
  return all;
}
const notHeard = expect.stringMatching(/^We haven’t heard from/);

test('five devices that fell silent do not hold back the news of one that falls silent at another time, nor of any later one', async () => {
  const [awake = '', ...lids] = [...(await strangers(1)), ...(await strangers(5))];
  const victim = await ann();
  for (const agent of lids) await checkIn(agent, { says_sleep: false });
  await minutes(10, [awake, victim.device.agent]);
  await minutes(14, [awake]);
  expect(await victim.subjects()).toEqual([]);
  await minutes(2, [awake]);
  expect(await victim.subjects()).toEqual([notHeard]);
});

test('in a service of two computers a closed lid does not hide that the other one is killed five minutes later', async () => {
  const [lid = ''] = await strangers(1);
  const victim = await ann();
  await checkIn(lid, { says_sleep: false });
  await minutes(6, [victim.device.agent]);
  await minutes(14);
  expect(await victim.subjects()).toEqual([]);
  await minutes(2);
  expect(await victim.subjects()).toEqual([notHeard]);
});

test('devices that fell silent together, while another is heard, wait for an hour: then one with trouble is notified, and one without is left to the days', async () => {
  const [awake = '', ...more] = [...(await strangers(1)), ...(await strangers(4))];
  const [troubled, plain] = [await ann(), await ann()];
  await report(troubled.device.agent);
  for (const agent of [...more, troubled.device.agent, plain.device.agent]) await checkIn(agent);
  await minutes(58, [awake]);
  expect(await troubled.subjects()).toEqual([]);
  await minutes(4, [awake]);
  expect(await troubled.subjects()).toEqual([notHeard]);
  await minutes(20, [awake]);
  expect(await plain.subjects()).toEqual([]);
  expect(await server.db.selectFrom('device_watch').select('device').execute()).toHaveLength(1);
});

test.each(['moved', 'undone', 'left'] as const)(
  'a computer that says it has %s is not missed minutes later, and its silence keeps its reason; one beside it that says nothing is missed',
  async (kind) => {
    const [awake = ''] = await strangers(1);
    const [gone, killed] = [await ann(), await ann()];
    const news = [{ uuid: crypto.randomUUID(), time: server.clock.now().toISOString(), said: { kind } }];
    expect((await server.call('POST /agent/news', { token: gone.device.agent, body: { news } })).status).toBe(200);
    await report(killed.device.agent);
    await minutes(20, [awake]);
    expect(await gone.subjects()).toEqual([]);
    const silences = await server.db.selectFrom('device_outages').select('kind').where('device', '=', gone.device.uuid).execute();
    expect(silences).toEqual([{ kind: 'left' }]);
    expect(await killed.subjects()).toEqual([notHeard]);
  },
);

test('the look of each minute comes again where the one that was queued is lost', async () => {
  await server.close();
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  try {
    server = await testServer();
    const kinds = ['outage_look', 'care_hour', 'plan_night', 'feed_day'];
    const queued = async () =>
      (await server.db.selectFrom('jobs').select('kind').where('done_at', 'is', null).where('kind', 'in', kinds).execute()).length;
    await server.app.worker.idle();
    expect(await queued()).toBe(4);
    await server.db.deleteFrom('jobs').where('kind', 'in', kinds).execute();
    vi.advanceTimersByTime(minute);
    await until('the looks are queued again', async () => (await queued()) === 4);
  } finally {
    vi.useRealTimers();
  }
});

test('a computer that reports what it stopped, or a scan, is heard by that', async () => {
  const { token, device } = await ann();
  const seen = async () => (await server.call(`GET /web/devices/${device.uuid}`, { token })).body.last_seen;
  server.clock.turn(minute);
  await report(device.agent);
  expect(await seen()).toBe(server.clock.now().toISOString());
  server.clock.turn(minute);
  const found = { kind: 'downloads', identifier: 'anydesk', name: 'AnyDesk', category: 'RemoteControl', certainty: 'certain' };
  const items = [{ ...found, details: '/opt/AnyDesk', did: 'put_away', blocked: true }];
  const scan = { uuid: crypto.randomUUID(), time: server.clock.now().toISOString(), items };
  expect((await server.call('POST /agent/scan', { token: device.agent, body: scan })).status).toBe(200);
  expect(await seen()).toBe(server.clock.now().toISOString());
});

test('while calls of agents are refused, two minutes of silence after trouble are no outage; fifteen are', async () => {
  const [awake = ''] = await strangers(1);
  const victim = await ann();
  await report(victim.device.agent);
  const refused = async (n: number) => {
    for (let i = 0; i < n; i += 2) {
      await server.db.updateTable('listening').set({ refused: server.clock.now() }).execute();
      await minutes(2, [awake]);
    }
  };
  await minutes(2, [awake, victim.device.agent]);
  await refused(14);
  expect(await victim.subjects()).toEqual([]);
  await refused(2);
  expect(await victim.subjects()).toEqual([notHeard]);
});

test.each([
  [true, 'It’s protected again now.'],
  [false, 'But it isn’t protected now.'],
])('a computer that is back says whether it is protected by what its agent says (%s)', async (protecting, words) => {
  const [awake = ''] = await strangers(1);
  const { device, mails } = await ann();
  await minutes(18, [awake]);
  await checkIn(device.agent, { protecting });
  const [back] = await mails();
  expect(back?.subject).toBe('Den PC is back');
  expect(back?.text).toContain(words);
  expect(back?.text.includes('protected again')).toBe(protecting);
});

test.each(['paused', 'resumed', 'sleep'])(
  'it is written that a missed computer is back, also where it says first that it is %s',
  async (reason) => {
    const [awake = ''] = await strangers(1);
    const { token, device, subjects, mails } = await ann();
    const bob = await activeGuardian(server, token);
    await minutes(18, [awake]);
    expect(await subjects()).toEqual([notHeard]);
    const until = new Date(server.clock.now().getTime() + 10 * minute).toISOString();
    const goodbye = (body: object) => server.call('POST /agent/goodbye', { token: device.agent, body });
    if (reason !== 'sleep') await goodbye({ reason: 'paused', until });
    if (reason !== 'paused') await goodbye({ reason });
    await checkIn(device.agent);
    expect(await subjects()).toEqual(['Den PC is back', notHeard]);
    expect((await mails(bob.email)).map(({ subject }) => subject)).toEqual(['Den PC is back', expect.stringMatching(/haven’t heard from/)]);
    const { silence } = (await server.call(`GET /web/devices/${device.uuid}`, { token })).body;
    expect(silence?.kind).toBe(reason === 'paused' ? 'paused' : undefined);
    await checkIn(device.agent);
    expect(await subjects()).toHaveLength(2);
  },
);

test('the alarm that too much is changed leaves as soon as a severe act, and the rest waits with the ordinary mail', async () => {
  const { token } = await person(server);
  const bob = await activeGuardian(server, token);
  const { uuid } = await linkedDevice(server, token);
  for (let n = 0; n < 6; n++) {
    const body = { type: 'domain', identifier: `site${n}.example.com`, lasts: null };
    await server.call(`POST /web/devices/${uuid}/v2/exceptions`, { token, body });
  }
  expect((await server.mailsTo(bob.email)).filter(({ text }) => text.includes('allowed'))).toHaveLength(6);
  const lanesOf = async (told: 'flood' | 'at_once') => {
    const acts = await server.db.selectFrom('activity_log').select('uuid').where('notified', '=', told).execute();
    const jobs = await server.db.selectFrom('jobs').select(['lane', 'unique_key']).where('kind', '=', 'mail').execute();
    return jobs.filter(({ unique_key }) => acts.some((act) => unique_key.includes(act.uuid))).map(({ lane }) => lane);
  };
  expect(new Set(await lanesOf('flood'))).toEqual(new Set(['mail_urgent']));
  expect(new Set(await lanesOf('at_once'))).toEqual(new Set(['mail_ordinary']));
});
