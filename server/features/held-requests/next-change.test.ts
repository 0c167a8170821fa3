import type { NextChange } from '@porchlight/contract/held-requests.ts';
import { hour, minute } from '@porchlight/contract/time.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { incidentFamily } from '../../testing/incident-family.ts';
import { mumsComputer } from '../../testing/mums-computer.ts';
import { policyOf } from '../../testing/policy-of.ts';
import { detection, fakeAddress, type TestServer, testServer } from '../../testing/world.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

/** Ann, what her screens show before a press, and whether choosing a weaker profile then waits. */
async function family(options?: { guardian?: boolean; proven?: boolean }) {
  const ann = await incidentFamily(server, options);
  const shown = async (headers: Record<string, string> = {}) =>
    (await server.call('GET /web/requests', { token: ann.token, headers })).body.next_change as unknown as NextChange | null;
  const waits = async () => String((await ann.weaker()).body.code) === 'held';
  return { ...ann, shown, waits };
}

describe('[P15.10] before a press that weakens protection', () => {
  test('nothing is shown where it would pass', async () => {
    const ann = await family();
    expect([await ann.shown(), await ann.waits()]).toEqual([null, false]);
  });

  test('in an incident it is shown for whom it waits, and it does wait; after the incident neither', async () => {
    const ann = await family();
    await ann.stops();
    expect(await ann.shown()).toEqual({ cause: 'incident', rule: 'day', asked: ['Bob'], except: [] });
    expect(await ann.waits()).toBe(true);
    const [incident] = await ann.incidents();
    await ann.asBob(`POST /guardian/:id/incidents/${incident?.uuid}`, { answer: 'over' });
    expect([await ann.shown(), await ann.waits()]).toEqual([null, false]);
  });

  test('only a guardian whose yes would count is named: nobody with a new guardian, and Bob once he is proven', async () => {
    const ann = await family({ proven: false });
    await ann.stops();
    expect(await ann.shown()).toEqual({ cause: 'incident', rule: 'day', asked: [], except: [] });
    expect((await ann.weaker()).body.asked).toEqual([]);
    const proven = await family();
    await proven.stops();
    expect(await proven.shown()).toMatchObject({ asked: ['Bob'] });
  });

  test('without a guardian it is shown that it waits an hour', async () => {
    const ann = await family({ guardian: false });
    await ann.stops();
    expect(await ann.shown()).toEqual({ cause: 'incident', rule: 'hour', asked: [], except: [] });
    expect(await ann.waits()).toBe(true);
  });

  test('with *Ask first* it is always shown', async () => {
    const ann = await family();
    await ann.call('PATCH /web/holding', { ask_first: true });
    expect(await ann.shown()).toMatchObject({ cause: 'ask_first', asked: ['Bob'] });
    expect(await ann.waits()).toBe(true);
  });

  test('it is shown for an hour after such a change, and a different one waits; after the PIN was shown it does not', async () => {
    const ann = await family();
    await ann.password();
    expect((await ann.call('GET /web/bypasspassword')).status).toBe(200);
    expect(await ann.shown()).toBeNull();
    expect((await ann.allow()).status).toBe(200);
    expect(await ann.shown()).toEqual({ cause: 'second_act', rule: 'day', asked: ['Bob'], except: [] });
    expect(await ann.waits()).toBe(true);
    const other = await family();
    await other.allow();
    server.clock.turn(hour + minute);
    expect([await other.shown(), await other.waits()]).toEqual([null, false]);
  });

  test('for somebody else’s computer the password is enough from elsewhere, and not in its own network', async () => {
    const ann = await family();
    const home = fakeAddress();
    const mums = await mumsComputer(server, ann.token, home);
    await ann.allow();
    expect(await ann.shown({ 'x-forwarded-for': fakeAddress() })).toMatchObject({ cause: 'second_act', except: [mums.uuid] });
    expect(await ann.shown({ 'x-forwarded-for': home })).toMatchObject({ cause: 'second_act', except: [] });
  });
});

describe('[P15.2] before a remote-control program is allowed on somebody else’s computer', () => {
  /** Ann and her mother's computer: what her screens foretell from elsewhere, and what allowing a program then does. */
  async function elsewhere() {
    const ann = await family();
    const home = fakeAddress();
    const mums = await mumsComputer(server, ann.token, home);
    const headers = { 'x-forwarded-for': fakeAddress() };
    const exceptions = `/web/devices/${mums.uuid}/v2/exceptions`;
    const report = (key: string, agent: string) =>
      server.call(key, { token: agent, body: { detections: [detection(server)] }, headers: { 'x-forwarded-for': home } });
    return {
      ...ann,
      foretold: async (more = headers) => (await server.call(`GET ${exceptions}`, { token: ann.token, headers: more })).body.remote_control,
      near: { 'x-forwarded-for': home },
      async press(identifier: string) {
        const body = { type: 'definition', identifier, lasts: 'hour' };
        const { status } = await server.call(`POST ${exceptions}`, { token: ann.token, body, headers });
        const entry = (await policyOf(server, mums.agent)).allow.find((one) => one.identifier === identifier);
        return status === 409 ? 'waits' : entry ? 'runs' : 'asks';
      },
      stopsThere: () => report('POST /agent/detections', mums.agent),
    };
  }

  test('where the password counts already nothing asks for it, and the program runs, also after another change; ten minutes later it is asked for', async () => {
    const ann = await elsewhere();
    expect(await ann.foretold()).toBe('runs_with_password');
    await ann.password();
    expect([await ann.foretold(), await ann.foretold(ann.near)]).toEqual(['runs', 'asks']);
    await ann.weaker();
    expect([await ann.foretold(), await ann.foretold(ann.near)]).toEqual(['runs', 'may_wait']);
    expect(await ann.press('anydesk')).toBe('runs');
    server.clock.turn(10 * minute);
    expect(await ann.foretold()).toBe('runs_with_password');
    expect(await ann.press('teamviewer')).toBe('waits');
  });

  test('a program that is allowed without the password is asked about when it starts, so the screen asks for the password first', async () => {
    const ann = await elsewhere();
    expect([await ann.foretold(), await ann.press('anydesk')]).toEqual(['runs_with_password', 'asks']);
  });

  test('in an incident there the program runs once the password counts, and in one at the holder’s own computer it waits', async () => {
    const ann = await elsewhere();
    await ann.stopsThere();
    server.clock.turn(minute);
    expect([await ann.foretold(), await ann.press('teamviewer')]).toEqual(['waits', 'waits']);
    await ann.password();
    expect([await ann.foretold(), await ann.press('anydesk')]).toEqual(['runs', 'runs']);
    const other = await elsewhere();
    await other.stops();
    await other.password();
    expect([await other.foretold(), await other.press('anydesk')]).toEqual(['waits', 'waits']);
  });
});
