import { hour } from '@porchlight/contract/time.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { checkInBody, agentInfo as info } from '../../testing/agent-info.ts';
import { activeGuardian, detection, linkedDevice, person, type TestServer, testServer } from '../../testing/world.ts';

let server: TestServer;
beforeEach(async () => {
  server = await testServer();
});
afterEach(() => server.close());

/** Tests start on Saturday, November 21 2026, 14:05 UTC: 9:05 AM in New York, where the devices are. */
async function hours(n: number) {
  for (let i = 0; i < n; i++) {
    server.clock.turn(hour);
    await server.app.worker.idle();
  }
}
const weekly = async (email: string) => (await server.mailsTo(email)).filter(({ subject }) => /week/i.test(subject));
const everyWeek = (token: string) => server.call('PATCH /web/alert-settings', { token, body: { every_week: true } });
const checkIn = (token: string, time_zone = info.time_zone) =>
  server.call('POST /agent/check-in', { token, body: { ...checkInBody, info: { ...info, time_zone } } });

test('on Sunday between nine and noon local time, one weekly email goes to the holder and each guardian', async () => {
  const { token, email } = await person(server);
  const { agent } = await linkedDevice(server, token);
  const bob = await activeGuardian(server, token);
  await hours(23);
  await checkIn(agent);
  expect(await weekly(email)).toEqual([]);
  await hours(4);
  const [mail] = await weekly(email);
  expect(mail?.subject).toBe('What happened this week');
  expect(mail?.text).toContain('Nothing had to be stopped. 1 change to the account or its computers.');
  expect(mail?.text).toContain('Den PC: protected.');
  const [bobsEmail] = await weekly(bob.email);
  expect(bobsEmail?.subject).toBe('Ann: what happened this week');
  await hours(30);
  expect([await weekly(email), await weekly(bob.email)].map((mails) => mails.length)).toEqual([1, 1]);
  await hours(24 * 6);
  expect(await weekly(email)).toHaveLength(2);
});

test('the weekly email does not call a computer protected whose agent cannot block scam sites', async () => {
  const { token, email } = await person(server);
  const { agent } = await linkedDevice(server, token);
  await everyWeek(token);
  await hours(23);
  const limited = { ...info, limitations: ['sites_not_blocked', 'other_users_not_ended'] };
  await server.call('POST /agent/check-in', { token: agent, body: { ...checkInBody, info: limited } });
  await hours(4);
  const [mail] = await weekly(email);
  expect(mail?.text).toContain('Den PC: on, but scam sites are not blocked there.');
  expect(mail?.text).not.toContain('protected');
});

test('the weekly email lists blocked and unblocked threats and devices in fewer than 90 words', async () => {
  const { token, email } = await person(server);
  const names = ['Den PC', 'Laptop', 'Attic PC', 'Kitchen', 'Shed'];
  const agents: string[] = [];
  for (const name of names) agents.push((await linkedDevice(server, token, name)).agent);
  for (const [i, agent] of agents.entries()) {
    await server.call('POST /agent/detections', { token: agent, body: { detections: [detection(server, { blocked: i !== 0 })] } });
  }
  await server.call('POST /agent/goodbye', { token: agents[1] ?? '', body: { reason: 'shutdown' } });
  await hours(27);
  const [mail] = await weekly(email);
  expect(mail?.subject).toBe('This week 1 thing got through');
  expect(mail?.text).toContain('and 2 more.');
  expect(mail?.text).toContain('Laptop: switched off since Saturday, November 21.');
  expect(mail?.text).toContain('and 1 more.');
  const [body = ''] = (mail?.text ?? '').split('Nobody from Porchlight');
  expect(body.split(/\s+/).length).toBeLessThan(90);
});

test('an account with weekly emails off, or without devices, gets none, nor do its guardians', async () => {
  const { token, email } = await person(server);
  await linkedDevice(server, token);
  const bob = await activeGuardian(server, token);
  await server.call('PATCH /web/alert-settings', { token, body: { weekly: false } });
  const otherHolder = await person(server, 'Eve Example');
  await hours(27);
  expect([await weekly(email), await weekly(bob.email), await weekly(otherHolder.email)]).toEqual([[], [], []]);
});

test("the most recently seen device's time zone determines Sunday; an unknown one is treated as UTC", async () => {
  const [tokyo, unknownZone] = [await person(server), await person(server)];
  for (const { token } of [tokyo, unknownZone]) await everyWeek(token);
  const [homeDevice, laptop] = [await linkedDevice(server, tokyo.token), await linkedDevice(server, tokyo.token, 'Laptop')];
  await checkIn(homeDevice.agent, 'America/New_York');
  server.clock.turn(1);
  await checkIn(laptop.agent, 'Asia/Tokyo');
  await checkIn((await linkedDevice(server, unknownZone.token)).agent, 'Not/A-Zone');
  await hours(9);
  expect(await weekly(tokyo.email)).toEqual([]);
  await hours(4);
  expect(await weekly(tokyo.email)).toHaveLength(1);
  await hours(5);
  expect(await weekly(unknownZone.email)).toEqual([]);
  await hours(4);
  expect(await weekly(unknownZone.email)).toHaveLength(1);
});

test('a server that was down on Sunday morning sends the weekly email later that day, but not two days late', async () => {
  const { token, email } = await person(server);
  await linkedDevice(server, token);
  await everyWeek(token);
  server.clock.turn(36 * hour);
  expect(await weekly(email)).toHaveLength(1);
  server.clock.turn(8 * 24 * hour);
  await server.app.worker.idle();
  expect(await weekly(email)).toHaveLength(1);
});

test("[P11.2] weekly emails of one time zone are spread over the morning, and each account's is always at the same time", async () => {
  for (let i = 0; i < 4; i++) {
    const { token } = await person(server);
    await checkIn((await linkedDevice(server, token)).agent);
  }
  const moments = async () => {
    const jobs = await server.db.selectFrom('jobs').select(['payload', 'run_at']).where('kind', '=', 'weekly').orderBy('run_at').execute();
    return jobs.map(({ payload, run_at }) => ({ ...(payload as { account: string; sunday: string }), at: run_at.getTime() }));
  };
  await hours(23);
  expect(await moments()).toEqual([]);
  server.clock.turn(hour);
  await server.app.worker.idle();
  const nineOClock = new Date('2026-11-22T14:00:00.000Z').getTime();
  const queued = (await moments()).filter(({ account }) => account);
  const spread = queued.map(({ at }) => at - nineOClock);
  expect(spread.every((ms) => ms > 0 && ms < 3 * hour)).toBe(true);
  // Some accounts may have the same time by chance, but not all.
  expect(new Set(spread).size).toBeGreaterThan(1);
  await hours(7 * 24);
  const nextEmails = (await moments()).filter(({ sunday }) => sunday === '2026-11-29');
  const movedTime = nextEmails.map(({ account, at }) => [account, at - nineOClock - 7 * 24 * hour]);
  expect(movedTime).toEqual(queued.map(({ account, at }) => [account, at - nineOClock]));
});

test('[P12.3] the weekly email counts the new programs of the last seven days on all computers, each once, and no others', async () => {
  const [ann, eve] = [await person(server), await person(server, 'Eve Other')];
  const [den, attic] = [await linkedDevice(server, ann.token), await linkedDevice(server, ann.token, 'Attic PC')];
  await linkedDevice(server, eve.token);
  for (const { token } of [ann, eve]) await everyWeek(token);
  const report = (agent: string, uuids: string[]) =>
    server.call('POST /agent/events', {
      token: agent,
      body: { events: uuids.map((uuid) => ({ uuid, time: server.clock.now().toISOString(), reported: { kind: 'new_program' } })) },
    });
  const ids = Array.from({ length: 4 }, () => crypto.randomUUID());
  await report(den.agent, ids.slice(0, 1));
  server.clock.turn(8 * 24 * hour);
  await report(den.agent, ids.slice(1, 3));
  await report(den.agent, ids.slice(1, 3));
  await report(attic.agent, ids.slice(3));
  expect((await server.call('GET /web/acts', { token: ann.token })).body.items).toEqual([]);
  await hours(4);
  const textOf = async (email: string) => (await weekly(email)).map(({ text }) => /\d+ new programs?.*\./.exec(text)?.[0] ?? null);
  expect(await textOf(ann.email)).toContain('3 new programs from the internet ran for the first time.');
  expect(new Set(await textOf(eve.email))).toEqual(new Set([null]));
});

test('[P16.2] the weekly email names the paused site that somebody opened, on which computer, and counts further ones of this week alone', async () => {
  const [ann, eve] = [await person(server), await person(server, 'Eve Other')];
  const [den] = [await linkedDevice(server, ann.token), await linkedDevice(server, eve.token)];
  await everyWeek(eve.token);
  const open = (site: string) =>
    server.call('POST /agent/events', {
      token: den.agent,
      body: { events: [{ uuid: crypto.randomUUID(), time: server.clock.now().toISOString(), reported: { kind: 'opened_site', site } }] },
    });
  await open('usps-tracking.top');
  server.clock.turn(8 * 24 * hour);
  const now = server.clock.now();
  server.clock.turn((7 - now.getUTCDay()) * 24 * hour + (13 - now.getUTCHours()) * hour);
  for (const site of ['com-etcbx.top', 'paypal-help.top']) {
    await open(site);
    server.clock.turn(60_000);
  }
  await hours(5);
  const pausedIn = async (email: string) => (await weekly(email)).map(({ text }) => /For an hour[^\n]*?to us\./.exec(text)?.[0]);
  expect(await pausedIn(ann.email)).toEqual([
    'For an hour, someone opened paypal-help.top on Den PC and 1 more page, which we had paused, because they look like scam sites to us.',
  ]);
  expect(await pausedIn(eve.email)).toEqual([undefined]);
  expect((await server.call('GET /web/acts', { token: ann.token })).body.items).toEqual([]);
});
