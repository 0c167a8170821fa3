import { minute, second } from '@porchlight/contract/time.ts';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Unsent } from '../../jobs/unsent.ts';
import { worker } from '../../jobs/worker.ts';
import { newAccount, placedCall, storedCall } from '../../testing/placed-call.ts';
import { type TestServer, testServer } from '../../testing/world.ts';
import { type CallJobDeps, callJob } from './call-job.ts';
import type { CallRow, CallRules } from './call-script.ts';
import { callStore } from './call-store.ts';

let servers: TestServer[] = [];
const serverWith = async (env: Record<string, string> = {}) => {
  const server = await testServer(env);
  servers.push(server);
  return server;
};
afterEach(async () => {
  for (const server of servers) await server.close();
  servers = [];
});

const jobOf = (server: TestServer, uuid: string) =>
  server.db.selectFrom('jobs').select(['attempts', 'last_error', 'why']).where('unique_key', '=', `call:${uuid}`).executeTakeFirstOrThrow();

describe('a placed call', () => {
  it('rings at its number, once [P11.1]', async () => {
    const server = await serverWith();
    const call = await placedCall(server, '+12025550143');
    expect(await storedCall(server, call)).toMatchObject({ state: 'ringing' });
    server.clock.turn(minute);
    expect(await server.callsTo('+12025550143')).toMatchObject([{ state: 'ringing', rings: 25 * second }]);
  });

  it.each([
    ['to a country that the operator did not choose [P11.5]', { TEXT_COUNTRIES: 'US' }, '+447700900123', 'country'],
    ['with calls switched off', { VOICE: 'off' }, '+12025550143', 'refused'],
    ['with texts switched off', { FEATURE_SMS: 'off' }, '+12025550143', 'refused'],
    ['to a number that the telephone service refuses', {}, '+15005550003', 'refused'],
    ['without a budget for alerts [P11.5]', { ALERT_TEXTS_PER_DAY: '0' }, '+12025550143', 'budget'],
  ])('%s fails at the first attempt, and rings nowhere', async (_what, env, number, why) => {
    const server = await serverWith(env);
    const call = await placedCall(server, number);
    expect(await storedCall(server, call)).toMatchObject({ state: 'failed' });
    expect(await jobOf(server, call)).toMatchObject({ attempts: 1, why });
    expect(await server.callsTo(number)).toEqual([]);
    const budgets = await server.db.selectFrom('budgets').select('spent').where('name', '=', 'alerts').execute();
    expect(budgets.every(({ spent }) => spent === 0)).toBe(true);
  });

  it('to a number that sent STOP fails, and another one rings [P5.5]', async () => {
    const server = await serverWith();
    await server.textFrom('+12025550143', 'STOP');
    const [refused, other] = [await placedCall(server, '+12025550143'), await placedCall(server, '+12025550144')];
    expect(await storedCall(server, refused)).toMatchObject({ state: 'failed' });
    expect(await storedCall(server, other)).toMatchObject({ state: 'ringing' });
    expect(await jobOf(server, refused)).toMatchObject({ why: 'opted_out' });
  });

  it('about consent spends the budget of codes, and other calls that of alerts [P11.5]', async () => {
    const server = await serverWith({ CODE_TEXTS_PER_DAY: '1', ALERT_TEXTS_PER_DAY: '2' });
    const states: string[] = [];
    for (const purpose of ['consent', 'consent', 'person', 'guardian', 'person'] as const)
      states.push((await storedCall(server, await placedCall(server, '+12025550143', { purpose }))).state);
    expect(states).toEqual(['ringing', 'failed', 'ringing', 'ringing', 'failed']);
  });
});

describe('a call that the telephone service does not accept', () => {
  let server: TestServer;
  let account: string;
  beforeAll(async () => {
    server = await testServer();
    account = await newAccount(server);
    await server.app.worker.close();
  });
  afterAll(() => server.close());

  type MakeCall = NonNullable<CallJobDeps['call']>;

  /** A worker with this telephone service. `ended`: the calls whose end was handled. */
  function ownCalls(makeCall: MakeCall) {
    const { db, clock } = server;
    const store = callStore(db, clock, async () => true);
    const ended: CallRow[] = [];
    const rules = {
      script: () => Promise.reject(new Error('not in this test')),
      pressed: () => Promise.reject(new Error('not in this test')),
      ended: async (_trx: unknown, call: CallRow) => ended.push(call),
    };
    const callRules: CallRules = { guardian: rules, person: rules, consent: rules };
    const budgets = { spend: async () => true, giveBack: async () => [] };
    const call = callJob({ clock, store, rules: callRules, isOptedOut: async () => false, budgets, countries: 'all', call: makeCall });
    const listener = { on: () => {}, close: async () => {} };
    const log = { error: () => {}, info: () => {} };
    const queue = worker({ db, clock, listener, handlers: { call }, log });
    const stateOf = async (uuid: string) => {
      await queue.idle();
      return (await store.get(uuid))?.state;
    };
    return { store, callRules, ended, stateOf, close: queue.close };
  }

  const failing = (times: number) => {
    const attempts: string[] = [];
    const makeCall: MakeCall = async ({ id, to }) => {
      attempts.push(id);
      const failed = attempts.length <= times;
      return failed ? { kind: 'failed', reason: new Unsent('later', to, 'the call was not taken (503, 20503)') } : { kind: 'taken' };
    };
    return { attempts, makeCall };
  };

  it('for a moment is asked for again, and rings', async () => {
    const { attempts, makeCall } = failing(2);
    const queue = ownCalls(makeCall);
    const call = await placedCall(server, '+12025550150', { account });
    expect(await queue.stateOf(call)).toBe('queued');
    server.clock.turn(5 * second);
    expect(await queue.stateOf(call)).toBe('queued');
    server.clock.turn(30 * second);
    expect(await queue.stateOf(call)).toBe('ringing');
    expect(attempts).toEqual([call, call, call]);
    expect(queue.ended).toEqual([]);
    await queue.close();
  });

  it('for two minutes fails, and is never made late [P11.1]', async () => {
    const { attempts, makeCall } = failing(Number.POSITIVE_INFINITY);
    const queue = ownCalls(makeCall);
    const call = await placedCall(server, '+12025550151', { account });
    for (let waited = 0; waited <= 2 * minute; waited += 5 * second) {
      await queue.stateOf(call);
      server.clock.turn(5 * second);
    }
    server.clock.turn(minute);
    expect(await queue.stateOf(call)).toBe('failed');
    expect(attempts).toHaveLength(3);
    expect(queue.ended).toMatchObject([{ uuid: call, state: 'failed' }]);
    server.clock.turn(60 * minute);
    expect(await queue.stateOf(call)).toBe('failed');
    expect(attempts).toHaveLength(3);
    expect(queue.ended).toHaveLength(1);
    await queue.close();
  });

  it('in time, but whose acceptance it reports, is not made a second time', async () => {
    const attempts: string[] = [];
    const queue = ownCalls(async ({ id, to }) => {
      attempts.push(id);
      await queue.store.report(id, 'ringing', queue.callRules);
      return { kind: 'failed', reason: new Unsent('unclear', to, 'the call was not taken (no answer, TimeoutError)') };
    });
    const call = await placedCall(server, '+12025550152', { account });
    expect(await queue.stateOf(call)).toBe('ringing');
    server.clock.turn(minute);
    expect(await queue.stateOf(call)).toBe('ringing');
    expect(attempts).toEqual([call]);
    await queue.close();
  });

  it('because its account was deleted is not made', async () => {
    const { attempts, makeCall } = failing(0);
    const queue = ownCalls(makeCall);
    const call = await placedCall(server, '+12025550153', { account });
    await server.db.deleteFrom('calls').where('uuid', '=', call).execute();
    expect(await queue.stateOf(call)).toBeUndefined();
    expect(attempts).toEqual([]);
    await queue.close();
  });
});
