import { hour, minute } from '@porchlight/contract/time.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { escalationReader, unanswered } from '../../testing/escalation-reader.ts';
import { incidentFamily } from '../../testing/incident-family.ts';
import { type TestServer, testServer } from '../../testing/world.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const { countTo, escalationOf, bobAnswers, emailOfBob, subjectsTo } = escalationReader(() => server);

describe('without a program', () => {
  const door = { name: 'A new administrator', identifier: 'door-administrator', category: 'Door', details: 'helper', blocked: false };

  it('a way in escalates once a day, and the same way in again is an alert alone [P15.9] [P12.5]', async () => {
    const family = await incidentFamily(server);
    await family.stops(door);
    expect((await escalationOf(family)).state).toBe('running');
    server.clock.turn(3 * minute);
    const [mail] = await server.mailsTo(emailOfBob(family));
    expect(mail?.subject).toBe(unanswered);
    expect(mail?.text).toContain('Someone opened a way into Den PC: a new administrator.');
    await bobAnswers(family, 'over');
    server.clock.turn(23 * hour);
    await family.stops(door);
    expect(await family.incidents()).toMatchObject([{ opener: 'door', state: 'watched' }]);
    expect((await subjectsTo(emailOfBob(family)))[0]).toContain('Den PC');
    await family.stops({ ...door, name: 'Remote Desktop', identifier: 'door-remote-desktop', blocked: true });
    expect(await family.incidents()).toMatchObject([{ state: 'open' }]);
    expect((await escalationOf(family)).state).toBe('running');
  });

  it.each(['no', 'yes'] as const)('a question escalates until it is answered with %s [P15.9]', async (answer) => {
    const family = await incidentFamily(server);
    await family.allow();
    const { request } = (await family.weaker()).body;
    expect((await escalationOf(family)).state).toBe('running');
    server.clock.turn(3 * minute);
    expect((await server.mailsTo(emailOfBob(family)))[0]?.subject).toBe(unanswered);
    expect((await family.answer(request, answer)).status).toBe(200);
    expect(await escalationOf(family)).toEqual({ state: 'answered', next: null });
  });

  it('a question that was answered at once writes to nobody again [P15.9]', async () => {
    const family = await incidentFamily(server);
    await family.allow();
    await family.answer((await family.weaker()).body.request, 'no');
    server.clock.turn(10 * minute);
    expect([await countTo(family.email), await countTo(emailOfBob(family))]).toEqual([0, 0]);
  });
});
