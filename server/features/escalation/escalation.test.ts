import type { IncidentDelivery } from '@porchlight/contract/incidents.ts';
import { hour, minute } from '@porchlight/contract/time.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { incidentFamily } from '../../testing/incident-family.ts';
import { detection, fakeAddress, type Loose, type TestServer, testServer } from '../../testing/world.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

type Family = Awaited<ReturnType<typeof incidentFamily>>;
const unanswered = 'Nobody has answered yet: Den PC';
const subjectsTo = async (email: string) => (await server.mailsTo(email)).map(({ subject }) => subject);
const countTo = async (email: string) => (await subjectsTo(email)).filter((subject) => subject === unanswered).length;
const incidentOf = async (family: Family) => (await family.incidents())[0]?.uuid ?? '';
const page = async (family: Family) => (await family.call(`GET /web/incidents/${await incidentOf(family)}`)).body;
const escalationOf = async (family: Family) =>
  (await page(family)).escalation as unknown as { state: string; next: { words: string; time: string } | null };
const bobAnswers = async (family: Family, answer: string) =>
  family.asBob(`POST /guardian/:id/incidents/${await incidentOf(family)}`, { answer });
const emailOfBob = (family: Family) => family.bob?.email ?? '';

describe('an incident with remote control', () => {
  let family: Family;
  beforeEach(async () => {
    family = await incidentFamily(server);
    await family.stops();
  });

  it('writes to everyone again after three minutes without an answer, once [P11.1]', async () => {
    server.clock.turn(3 * minute - 1);
    expect([await countTo(family.email), await countTo(emailOfBob(family))]).toEqual([0, 0]);
    server.clock.turn(1);
    expect([await countTo(family.email), await countTo(emailOfBob(family))]).toEqual([1, 1]);
    server.clock.turn(50 * minute);
    expect([await countTo(family.email), await countTo(emailOfBob(family))]).toEqual([1, 1]);
  });

  it('shows what comes next and what was done [P11.1]', async () => {
    const begun = server.clock.now().getTime();
    expect(await escalationOf(family)).toEqual({
      state: 'running',
      next: { step: 'second_messages', name: '', words: 'we write to everyone again', time: new Date(begun + 3 * minute).toISOString() },
    });
    server.clock.turn(3 * minute);
    await server.mailsTo(family.email);
    const { escalation, events, notified } = await page(family);
    expect(escalation).toEqual({ state: 'ended', next: null });
    const lines = (events as unknown as { kind: string; words: string }[])
      .filter(({ kind }) => kind === 'reached')
      .map(({ words }) => words);
    expect(lines).toEqual(['Nobody had answered, so we wrote to everyone again.', 'We tried everyone, and nobody has answered.']);
    const sent = (notified as unknown as IncidentDelivery[]).map(({ about, recipient, channel, state }) => [
      about,
      recipient,
      channel,
      state,
    ]);
    expect(sent.filter(([about]) => about === 'unanswered')).toEqual([
      ['unanswered', 'Ann Example', 'mail', 'sent'],
      ['unanswered', 'Bob Example', 'mail', 'sent'],
    ]);
    expect(sent.filter(([about]) => about === 'alert')).toHaveLength(2);
  });

  it('stops the moment a guardian of long enough is on it [P11.1]', async () => {
    server.clock.turn(minute);
    expect((await bobAnswers(family, 'on_it')).status).toBe(200);
    expect(await escalationOf(family)).toEqual({ state: 'answered', next: null });
    server.clock.turn(5 * minute);
    expect(await countTo(family.email)).toBe(0);
  });

  it('stops when the alert itself is acknowledged [P11.1]', async () => {
    const [alert] = (await family.asBob('GET /guardian/:id')).body.alerts as unknown as { uuid: string }[];
    await family.asBob(`POST /guardian/:id/alerts/${alert?.uuid}/seen`);
    expect(await escalationOf(family)).toEqual({ state: 'answered', next: null });
    server.clock.turn(5 * minute);
    expect(await countTo(family.email)).toBe(0);
  });

  it('goes on when the alert is acknowledged beside the computer [P10.2]', async () => {
    const near = { 'x-forwarded-for': fakeAddress() };
    await server.call('POST /agent/goodbye', { token: family.device.agent, body: { reason: 'shutdown' }, headers: near });
    const [alert] = (await family.asBob('GET /guardian/:id')).body.alerts as unknown as { uuid: string }[];
    const headers = { ...family.bob?.session, ...near };
    const seen = await server.call(`POST /guardian/${family.bob?.uuid}/alerts/${alert?.uuid}/seen`, { headers });
    expect(seen.status).toBe(200);
    expect((await escalationOf(family)).state).toBe('running');
    expect((await page(family)).on_it).toEqual([]);
  });

  it('goes on when an alert of an earlier incident is acknowledged [P11.1]', async () => {
    await bobAnswers(family, 'over');
    const [old] = (await family.asBob('GET /guardian/:id')).body.alerts as unknown as { uuid: string }[];
    server.clock.turn(9 * 24 * hour);
    await family.stops({ name: 'TeamViewer', identifier: 'teamviewer' });
    await family.asBob(`POST /guardian/:id/alerts/${old?.uuid}/seen`);
    expect((await escalationOf(family)).state).toBe('running');
    server.clock.turn(3 * minute);
    expect(await countTo(family.email)).toBe(1);
  });

  it('stops when it is over [P11.1]', async () => {
    await bobAnswers(family, 'over');
    server.clock.turn(5 * minute);
    expect(await countTo(family.email)).toBe(0);
  });

  it('goes on when the holder says it was them [P11.1]', async () => {
    await family.call(`POST /web/incidents/${await incidentOf(family)}`, { answer: 'mine' });
    await family.call(`POST /web/incidents/${await incidentOf(family)}`, { answer: 'on_it' });
    server.clock.turn(3 * minute);
    expect(await countTo(family.email)).toBe(1);
  });

  it('escalates once, however often the program is started, and again when it opened again [P11.1]', async () => {
    server.clock.turn(3 * minute);
    expect(await countTo(family.email)).toBe(1);
    server.clock.turn(20 * minute);
    await family.stops({ name: 'TeamViewer', identifier: 'teamviewer' });
    server.clock.turn(3 * minute);
    expect(await countTo(family.email)).toBe(1);
    await bobAnswers(family, 'over');
    server.clock.turn(hour);
    await family.stops({ name: 'RustDesk', identifier: 'rustdesk' });
    expect((await escalationOf(family)).state).toBe('running');
    server.clock.turn(3 * minute);
    expect(await countTo(family.email)).toBe(2);
    // Bob can be on it a second time.
    expect((await bobAnswers(family, 'on_it')).body.escalation).toEqual({ state: 'answered', next: null });
  });

  it('shows a late answer as the answer [P11.1]', async () => {
    server.clock.turn(3 * minute);
    await server.mailsTo(family.email);
    expect((await escalationOf(family)).state).toBe('ended');
    await bobAnswers(family, 'on_it');
    expect((await escalationOf(family)).state).toBe('answered');
  });
});

describe('what does not escalate', () => {
  it('an account without guardians, whose holder sits at the computer', async () => {
    const family = await incidentFamily(server, { guardian: false });
    await family.stops();
    expect((await page(family)).escalation).toBeNull();
    server.clock.turn(3 * minute);
    expect(await countTo(family.email)).toBe(0);
  });

  it('a report of more than an hour ago', async () => {
    const family = await incidentFamily(server);
    await family.stops({ time: new Date(server.clock.now().getTime() - 61 * minute).toISOString() });
    expect((await page(family)).escalation).toBeNull();
  });

  it('an answer of a guardian who was added yesterday does not stop it [P11.1]', async () => {
    const family = await incidentFamily(server, { proven: false });
    await family.stops();
    expect((await bobAnswers(family, 'on_it')).status).toBe(200);
    expect((await escalationOf(family)).state).toBe('running');
    server.clock.turn(3 * minute);
    expect(await countTo(family.email)).toBe(1);
  });
});

describe('a text with 1', () => {
  const numberOf = { next: 2_025_550_100 };
  /** Bob with a verified number, and an incident that escalates. */
  const withPhone = async ({ verified = 100 * hour } = {}) => {
    const family = await incidentFamily(server);
    const number = `+1${numberOf.next++}`;
    const row = {
      phone_number: number,
      phone_number_verified: true,
      phone_verified_time: new Date(server.clock.now().getTime() - verified),
    };
    await server.db
      .updateTable('guardians')
      .set(row)
      .where('uuid', '=', family.bob?.uuid ?? '')
      .execute();
    return { family, number };
  };
  const replyTo = async (number: string, body = '1') =>
    /<Message>(.*)<\/Message>/.exec((await server.textFrom(number, body)).body)?.[1] ?? null;

  it('is I’m on it, and everything stops [P11.1]', async () => {
    const { family, number } = await withPhone();
    await family.stops();
    const [text] = await server.textsTo(number);
    expect(text?.body).toContain("Reply 1 if you're on it.");
    expect(await replyTo(number, ' 1. ')).toBe('Porchlight: Thank you, you&#39;re on it. Call Ann now. Say: Hang up. I&#39;m with you.');
    expect(await escalationOf(family)).toEqual({ state: 'answered', next: null });
    expect((await page(family)).on_it).toEqual([expect.objectContaining({ by: 'Bob' })]);
    server.clock.turn(3 * minute);
    expect(await countTo(family.email)).toBe(0);
  });

  it('is asked for in the second round of texts too [P11.1]', async () => {
    const { family, number } = await withPhone();
    await family.stops();
    server.clock.turn(3 * minute);
    const [text] = await server.textsTo(number);
    expect(text?.body).toBe("Porchlight: Nobody has answered yet. AnyDesk was started on Den PC. Call Ann. Reply 1 if you're on it.");
  });

  it('of a stranger changes nothing, and is answered once a day [P11.1]', async () => {
    const { family } = await withPhone();
    await family.stops();
    expect(await replyTo('+12025550999')).toContain('There is nothing to answer right now.');
    expect(await replyTo('+12025550999')).toBeNull();
    expect((await escalationOf(family)).state).toBe('running');
    server.clock.turn(24 * hour);
    expect(await replyTo('+12025550999')).toContain('There is nothing to answer right now.');
  });

  it('that comes when it is over changes nothing, and is answered once [P11.1]', async () => {
    const { family, number } = await withPhone();
    await family.stops();
    await bobAnswers(family, 'over');
    expect(await replyTo(number)).toContain('There is nothing to answer right now.');
    expect(await replyTo(number)).toBeNull();
    expect((await page(family)).on_it).toEqual([]);
  });

  it('of a number that was verified yesterday changes nothing [P10.2]', async () => {
    const { family, number } = await withPhone({ verified: 24 * hour });
    await family.stops();
    expect(await replyTo(number)).toContain('We can&#39;t take an answer from this number yet.');
    expect((await escalationOf(family)).state).toBe('running');
    expect((await page(family)).on_it).toEqual([]);
  });

  it('of the holder about their own computer changes nothing [P10.2]', async () => {
    const { family } = await withPhone();
    const number = `+1${numberOf.next++}`;
    await server.db
      .updateTable('accounts')
      .set({ phone_number: number, phone_number_verified: true })
      .where('email', '=', family.email)
      .execute();
    await family.stops();
    expect(await replyTo(number)).toContain('There is nothing to answer right now.');
    expect((await escalationOf(family)).state).toBe('running');
  });

  it('after a sentence with the word stop still answers, also as the digit’s emoji [P5.5] [P11.1]', async () => {
    const { family, number } = await withPhone();
    await family.stops();
    for (const sentence of ['please stop by later', 'in 1 hour', '11', '+1']) expect(await replyTo(number, sentence)).toBeNull();
    expect((await escalationOf(family)).state).toBe('running');
    expect(await server.db.selectFrom('phone_opt_outs').selectAll().where('phone_number', '=', number).execute()).toEqual([]);
    expect(await replyTo(number, '1️⃣')).toContain('you&#39;re on it');
    expect((await escalationOf(family)).state).toBe('answered');
  });

  it('of a guardian who sends STOP is an opt-out still, and the incident goes on [P5.5]', async () => {
    const { family, number } = await withPhone();
    await family.stops();
    await server.textFrom(number, 'STOP');
    expect((await escalationOf(family)).state).toBe('running');
    expect(await server.db.selectFrom('phone_opt_outs').selectAll().where('phone_number', '=', number).execute()).toHaveLength(1);
  });
});

describe('a storm', () => {
  it('of starts is one escalation with one job', async () => {
    const family = await incidentFamily(server);
    const detections = Array.from({ length: 100 }, () => detection(server));
    await server.call('POST /agent/detections', { token: family.device.agent, body: { detections } as unknown as Loose });
    const rows = await server.db
      .selectFrom('escalations')
      .selectAll()
      .where('incident', '=', await incidentOf(family))
      .execute();
    expect(rows).toHaveLength(1);
    const jobs = await server.db.selectFrom('jobs').selectAll().where('kind', '=', 'escalation').where('done_at', 'is', null).execute();
    expect(jobs.filter(({ unique_key }) => unique_key.includes(rows[0]?.incident ?? '?'))).toHaveLength(1);
  });
});
