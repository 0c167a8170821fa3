import { hour, minute } from '@porchlight/contract/time.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { escalationReader } from '../../testing/escalation-reader.ts';
import { incidentFamily } from '../../testing/incident-family.ts';
import { detection, type Loose, type TestServer, testServer } from '../../testing/world.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const { countTo, page, incidentOf, escalationOf, bobAnswers } = escalationReader(() => server);

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

  it('is asked for where a way in was opened, and where a question waits in the second round [P15.9]', async () => {
    const { family, number } = await withPhone();
    await family.stops({ name: 'Remote Desktop', identifier: 'door-remote-desktop', category: 'Door', details: '' });
    expect((await server.textsTo(number))[0]?.body).toContain("Reply 1 if you're on it.");
    const other = await withPhone();
    await other.family.allow();
    await other.family.weaker();
    server.clock.turn(3 * minute);
    expect((await server.textsTo(other.number))[0]?.body).toBe(
      "Porchlight: Nobody has answered yet. A question about Den PC waits. Call Ann. Reply 1 if you're on it.",
    );
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
