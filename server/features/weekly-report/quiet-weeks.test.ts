import { randomUUID } from 'node:crypto';
import { serverLimits } from '@porchlight/contract/server-limits.ts';
import { day, hour } from '@porchlight/contract/time.ts';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { checkInBody } from '../../testing/agent-info.ts';
import { statementsDuring } from '../../testing/statements-during.ts';
import { activeGuardian, detection, linkedDevice, person, type TestServer, testServer } from '../../testing/world.ts';

let server: TestServer;
/** Addresses that the mail server refuses as if they did not exist. */
const missing = new Set<string>();
beforeEach(async () => {
  server = await testServer({}, undefined, {
    onMailStep(step, recipient) {
      if (step === 'rcpt' && missing.has(recipient)) throw Object.assign(new Error('5.1.1 nobody'), { responseCode: 550 });
    },
  });
});
afterEach(() => server.close());

const morning = 27 * hour;
const week = 7 * day;

/** Ann and her guardian Bob, whom a computer protects in its second week. */
async function family() {
  const ann = await person(server);
  const bob = await activeGuardian(server, ann.token);
  const den = await linkedDevice(server, ann.token);
  /** On Sunday, November 22, the report has the changes with which all of this began. */
  server.clock.turn(morning);
  await server.app.worker.idle();
  let now = '2026-11-22';
  const reports = async (email: string) =>
    (await server.mailsTo(email)).filter(({ subject }) => /week|all has been quiet/i.test(subject)).map((mail) => ({ ...mail, day: now }));
  let before = [(await reports(ann.email)).length, (await reports(bob.email)).length];
  return {
    ...{ ...ann, bob, den },
    /** The subjects that Ann and Bob get on the next Sunday, on which the computer has checked in and the definitions are new. */
    async nextSunday({ silent = false, stale = false, info = {} } = {}) {
      server.clock.turn(week);
      now = server.clock.now().toISOString().slice(0, 10);
      if (!stale) await server.db.updateTable('definition_sets').set({ issued: server.clock.now() }).execute();
      if (!silent)
        await server.call('POST /agent/check-in', { token: den.agent, body: { ...checkInBody, info: { ...checkInBody.info, ...info } } });
      await server.app.worker.idle();
      const found = [await reports(ann.email), await reports(bob.email)];
      const newest = found.map((mails, n) => mails.slice(0, mails.length - (before[n] ?? 0)));
      before = found.map((mails) => mails.length);
      const [mail] = newest.flat();
      return {
        day: now,
        ann: newest[0]?.map(({ subject }) => subject),
        bob: newest[1]?.map(({ subject }) => subject),
        text: mail?.text ?? '',
      };
    },
    asBob: (body: object) => server.call(`PATCH /guardian/${bob.uuid}`, { headers: bob.session, body }),
  };
}

test('[P15.6] a quiet week has no report, a week in which something happened has one, and quiet weeks have one on the first Sunday of a month', async () => {
  const ann = await family();
  expect(await ann.nextSunday()).toMatchObject({ day: '2026-11-29', ann: [], bob: [] });
  const monthly = await ann.nextSunday();
  expect(monthly).toMatchObject({ day: '2026-12-06', ann: ['All has been quiet'], bob: ['Ann: all has been quiet'] });
  expect(monthly.text).toContain('It has been quiet since our last report. Nothing had to be stopped.');
  expect(monthly.text).toContain(
    'After a quiet week you get no report, only one a month. Change that here:\nhttp://localhost:4380/dashboard/profile/alerts',
  );
  expect(await ann.nextSunday()).toMatchObject({ day: '2026-12-13', ann: [], bob: [] });
  await server.call('POST /agent/detections', { token: ann.den.agent, body: { detections: [detection(server)] } });
  expect(await ann.nextSunday()).toMatchObject({
    ...{ day: '2026-12-20', ann: ['This week we stopped 1 thing'], bob: ['Ann: this week we stopped 1 thing'] },
  });
  // What was reported once is not reported again.
  expect(await ann.nextSunday()).toMatchObject({ day: '2026-12-27', ann: [], bob: [] });
  expect(await ann.nextSunday()).toMatchObject({ day: '2027-01-03', ann: ['All has been quiet'] });
});

test('[P15.6] a holder and a guardian choose the report of every week, each for themselves; a guardian who chose none gets none', async () => {
  const ann = await family();
  const carol = await activeGuardian(server, ann.token, 'Carol');
  expect((await server.call(`PATCH /guardian/${carol.uuid}`, { headers: carol.session, body: { weekly: false } })).body).toMatchObject({
    ...{ mail: true, weekly: false, every_week: false },
  });
  await ann.nextSunday();
  const carolsReports = async () => (await server.mailsTo(carol.email)).filter(({ subject }) => /week|quiet/.test(subject)).length;
  expect(await carolsReports()).toBe(0);

  expect((await ann.asBob({ every_week: true })).body).toMatchObject({ weekly: true, every_week: true });
  await ann.nextSunday();
  const bobs = await ann.nextSunday();
  expect(bobs).toMatchObject({ day: '2026-12-13', ann: [], bob: ['Ann: a quiet week'] });
  expect(bobs.text).toContain('You get this report every week, also after a quiet one.');
  expect(bobs.text).not.toContain('since our last report');

  await ann.asBob({ every_week: false });
  await server.call('PATCH /web/alert-settings', { token: ann.token, body: { every_week: true } });
  expect(await ann.nextSunday()).toMatchObject({ day: '2026-12-20', ann: ['A quiet week'], bob: [] });
  await server.call('PATCH /web/alert-settings', { token: ann.token, body: { every_week: false } });
  expect(await ann.nextSunday()).toMatchObject({ day: '2026-12-27', ann: [], bob: [] });
  expect(await carolsReports()).toBe(0);
});

/** A practice alert, while the mail server refuses this address. */
async function practiceWithout(token: string, email: string) {
  missing.add(email);
  expect((await server.call('POST /web/fire-drill', { token })).status).toBe(200);
  await server.app.worker.idle();
  missing.clear();
}

/** What happens in a week, and the sentence about it. The key is a part of the test's title. */
const happenings: Record<
  string,
  { happen(ann: Awaited<ReturnType<typeof family>>): Promise<unknown>; silent?: boolean; info?: object; sentence: RegExp }
> = {
  'a question that waited': {
    happen: async ({ token, asBob }) => {
      await server.call('PATCH /web/holding', { token, body: { ask_first: true } });
      await server.call('PATCH /web/alert-settings', { token, body: { mail: false } });
      await asBob({ weekly: true });
    },
    sentence: /1 question waited for a yes\./,
  },
  'an incident': {
    happen: ({ den }) => server.call('POST /agent/detections', { token: den.agent, body: { detections: [detection(server)] } }),
    sentence: /AnyDesk on Den PC \(stopped\)\. There was trouble that we wrote to you about\./,
  },
  'a change': {
    happen: ({ token }) => server.call('PATCH /web/alert-settings', { token, body: { notify_after_days: 7 } }),
    sentence: /1 change to the account or its computers\./,
  },
  'a scan that found something': {
    happen: async ({ den }) => {
      const { uuid } = den;
      const [time, items] = [server.clock.now(), JSON.stringify([{ name: 'AnyDesk' }, { name: 'TeamViewer' }])];
      await server.db.insertInto('scans').values({ uuid: randomUUID(), device: uuid, time, received: time, items }).execute();
    },
    sentence: /A scan found 2 things\./,
  },
  'a stop that its computer reports late, from before the last report': {
    happen({ den }) {
      const time = new Date(server.clock.now().getTime() - day).toISOString();
      return server.call('POST /agent/detections', { token: den.agent, body: { detections: [detection(server, { time })] } });
    },
    sentence: /AnyDesk on Den PC \(stopped\)\./,
  },
  'a computer that cannot block anything': {
    happen: async () => {},
    info: { no_definitions: { clock_off_days: 0 } },
    sentence: /Den PC: on, but it can’t block anything yet\./,
  },
  'a silent computer': { happen: async () => {}, silent: true, sentence: /Den PC: not seen since Sunday, December 6\./ },
  'a computer whose protection ended for some time': {
    async happen({ den }) {
      await server.call('POST /agent/goodbye', { token: den.agent, body: { reason: 'stopped' } });
      server.clock.turn(serverLimits.stopped_grace);
      await server.app.worker.idle();
    },
    sentence: /A computer was out of reach for some time\.\s.*Den PC: protected\./s,
  },
  'a guardian’s address that failed': { happen: ({ token, bob }) => practiceWithout(token, bob.email), sentence: /didn’t reach Bob\./ },
  'the holder’s own address that failed': { happen: ({ token, email }) => practiceWithout(token, email), sentence: /didn’t reach you\./ },
};

test.each(Object.keys(happenings))(
  '[P15.6] %s makes a week not quiet, and the report names it; the week after is quiet again',
  async (what) => {
    const ann = await family();
    expect(await ann.nextSunday()).toMatchObject({ ann: [], bob: [] });
    await ann.nextSunday();
    const { happen, silent = false, info = {}, sentence } = happenings[what] ?? expect.unreachable();
    await happen(ann);
    const loud = await ann.nextSunday({ silent, info });
    expect(loud.bob).toHaveLength(1);
    expect(loud.text).toMatch(sentence);
    expect(await ann.nextSunday()).toMatchObject({ bob: [] });
  },
);

test('[P15.6] [P15.1] a week in which a guardian helped by appointment is quiet, and a change in such a week is reported alone', async () => {
  const ann = await family();
  const { bob, den, token } = ann;
  const number = '+12025556900';
  const asBob = (path: string, body?: object) =>
    server.call(`POST /guardian/${bob.uuid}/${path}`, { headers: bob.session, ...(body ? { body } : {}) });
  const texted = async () => /\b\d{6}\b/.exec((await server.textsTo(number))[0]?.body ?? '')?.[0] ?? '';
  await ann.asBob({ phone_number: number });
  await asBob('send-phone-code');
  await asBob('verify-phone', { code: await texted() });
  await ann.nextSunday();
  const help = async () => {
    await asBob('answer-code');
    const opening = { device: den.uuid, identifier: 'teamviewer', minutes: 60, money_pages: false, code: await texted() };
    expect((await asBob('appointments', opening)).status).toBe(200);
  };
  await help();
  expect(await ann.nextSunday()).toMatchObject({ day: '2026-12-06', ann: ['All has been quiet'], bob: ['Ann: all has been quiet'] });
  await help();
  expect(await ann.nextSunday()).toMatchObject({ day: '2026-12-13', ann: [], bob: [] });
  await help();
  await server.call('PATCH /web/alert-settings', { token, body: { notify_after_days: 7 } });
  const loud = await ann.nextSunday();
  expect(loud).toMatchObject({ ann: ['What happened this week'], bob: ['Ann: what happened this week'] });
  expect(loud.text).toContain('1 change to the account or its computers.');
});

test('[P15.6] the report of a quiet month counts the new programs since the first Sunday before, and the first one of an account speaks of none before it', async () => {
  const { token, email } = await person(server);
  const { agent } = await linkedDevice(server, token);
  const sunday = async (weeks: number, programs: number) => {
    const before = (await server.mailsTo(email)).length;
    server.clock.turn(weeks * week);
    await server.db.updateTable('definition_sets').set({ issued: server.clock.now() }).execute();
    await server.call('POST /agent/check-in', { token: agent, body: checkInBody });
    const reported = { kind: 'new_program' };
    const events = Array.from({ length: programs }, () => ({ uuid: randomUUID(), time: server.clock.now().toISOString(), reported }));
    if (programs) await server.call('POST /agent/events', { token: agent, body: { events } });
    const mails = await server.mailsTo(email);
    return mails.slice(0, mails.length - before).map(({ text }) => text);
  };
  server.clock.turn(morning);
  expect(await sunday(0, 2)).toEqual([]);
  const [first] = await sunday(2, 0);
  expect(first).toContain('Nothing had to be stopped. 2 new programs from the internet ran for the first time since Sunday, November 1.');
  expect(first).not.toContain('our last report');
  // After the report of that Sunday.
  expect(await sunday(0, 3)).toEqual([]);
  expect(await sunday(2, 4)).toEqual([]);
  const [second] = await sunday(2, 0);
  expect(second).toContain('It has been quiet since our last report. Nothing had to be stopped. 7 new programs');
  expect(second).toContain('ran for the first time since Sunday, December 6.');
});

test('[P15.6] definitions that nobody renewed for 30 days make each week not quiet, until they are new', async () => {
  const ann = await family();
  for (let n = 0; n < 3; n++) await ann.nextSunday({ stale: true });
  expect(await ann.nextSunday({ stale: true })).toMatchObject({ day: '2026-12-20', ann: [], bob: [] });
  for (const day of ['2026-12-27', '2027-01-03']) {
    const { text, ...report } = await ann.nextSunday({ stale: true });
    expect(report).toEqual({ day, ann: ['What happened this week'], bob: ['Ann: what happened this week'] });
    expect(text).toContain('What we know about scams is from Saturday, November 21. That’s too old.');
  }
  expect(await ann.nextSunday()).toMatchObject({ day: '2027-01-10', ann: [], bob: [] });
});

test('[P15.6] [P16.1] where a feed of definitions is fetched, its last fetch is their age, however new the signature of the server is', async () => {
  const ann = await family();
  const row = { url: 'https://feed.example', tried: server.clock.now() };
  await server.db.insertInto('upstream_feeds').values(row).execute();
  expect(await ann.nextSunday()).toMatchObject({ ann: [] });
  await server.db
    .updateTable('upstream_feeds')
    .set({ fetched: new Date(server.clock.now().getTime() - 31 * day) })
    .execute();
  expect(await ann.nextSunday()).toMatchObject({ ann: ['What happened this week'] });
  await server.db.updateTable('upstream_feeds').set({ fetched: server.clock.now() }).execute();
  expect(await ann.nextSunday()).toMatchObject({ ann: [] });
});

test('[P15.6] at a thousand quiet accounts a Sunday costs four queries of each and no email; the first Sunday of a month has one for each', async () => {
  const [accounts, loud] = [1000, 3];
  const now = server.clock.now();
  await sql`insert into accounts (uuid, name, email, email_verified, password_hash, device_limit, created)
    select gen_random_uuid(), 'Ann Example', 'ann' || n || '@example.org', true, 'x', 0, ${now} from generate_series(1, ${accounts}) n`.execute(
    server.db,
  );
  await sql`insert into devices (uuid, account, name, policy, created, last_seen)
    select gen_random_uuid(), uuid, 'Den PC', 'strict', ${now}, ${now} from accounts`.execute(server.db);
  await sql`insert into guardians (uuid, account, name, email, invited, accepted)
    select gen_random_uuid(), uuid, 'Bob', 'bob@example.org', ${now}, ${now} from accounts`.execute(server.db);
  await sql`insert into detections (uuid, device, account, time, received, name, identifier, category, details, blocked, certainty)
    select gen_random_uuid(), uuid, account, ${now}, ${now}, 'AnyDesk', 'anydesk', 'RemoteControl', 'x', true, 'certain'
    from devices limit ${loud}`.execute(server.db);
  const queued = async () => {
    const rows = await server.db.selectFrom('deliveries').select('account').where('kind', '=', 'weekly').execute();
    return { reports: rows.length, accounts: new Set(rows.map(({ account }) => account)).size };
  };
  const sunday = async () => {
    await server.db.updateTable('devices').set({ last_seen: server.clock.now() }).execute();
    return statementsDuring(() => server.app.worker.idle());
  };
  server.clock.turn(morning);
  const statements = await sunday();
  // The holder and the guardian of each account in which something happened.
  expect(await queued()).toEqual({ reports: 2 * loud, accounts: loud });
  const queries = statements.filter((text) => /^select\b/.test(text) && !text.includes('pg_notify'));
  expect(queries.length).toBeGreaterThan(3.9 * accounts);
  expect(queries.length).toBeLessThan(4 * accounts + 200);

  await server.db.deleteFrom('deliveries').execute();
  server.clock.turn(2 * week);
  await sunday();
  expect(await queued()).toEqual({ reports: 2 * accounts, accounts });
}, 120_000);
