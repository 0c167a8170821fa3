import type { IncidentDelivery } from '@porchlight/contract/incidents.ts';
import { hour, minute } from '@porchlight/contract/time.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { escalationReader, type Family } from '../../testing/escalation-reader.ts';
import { incidentFamily } from '../../testing/incident-family.ts';
import { fakeAddress, type TestServer, testServer } from '../../testing/world.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const { countTo, page, incidentOf, escalationOf, bobAnswers, emailOfBob } = escalationReader(() => server);

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
