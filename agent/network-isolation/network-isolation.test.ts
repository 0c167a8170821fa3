import type { LookupAddress } from 'node:dns';
import { minute } from '@porchlight/contract/time.ts';
import { describe, expect, it, onTestFinished } from 'vitest';
import { beginSpan } from '../lib/span.ts';
import type { ServerSocket } from '../os/port.ts';
import type { StoredIsolation } from '../state/isolation-file.ts';
import { isolationFor } from '../testing/isolation.ts';
import { until } from '../testing/until.ts';
import { type NetworkIsolationDeps, networkIsolation } from './network-isolation.ts';
import type { IsolationReport } from './reports.ts';

/** A computer with a firewall that may fail, DNS that may be slow, and a policy. */
function computer(change: Partial<NetworkIsolationDeps> = {}, stored: StoredIsolation | null = null) {
  const clock = { wall: Date.now(), up: 1_000_000, boot: 'first' };
  const state = {
    policy: null as ReturnType<NetworkIsolationDeps['policy']>,
    record: stored,
    isolated: null as ServerSocket[] | null,
    msLeft: 0,
    fails: null as string | null,
    calls: [] as string[],
    reports: [] as IsolationReport[],
    pinned: [] as string[],
    last: [] as string[],
    log: [] as string[],
  };
  const attempt = (name: string) => {
    state.calls.push(name);
    if (state.fails) throw new Error(state.fails);
  };
  const deps: NetworkIsolationDeps = {
    network: {
      unavailable: () => null,
      async isolate(servers, ms) {
        attempt('isolate');
        state.msLeft = ms;
        state.isolated = servers;
      },
      async inForce() {
        state.calls.push('inForce');
        return state.isolated !== null;
      },
      async restore() {
        attempt('restore');
        state.isolated = null;
      },
    },
    server: 'https://porchlight.example',
    record: { load: async () => state.record, save: async (value) => void (state.record = value) },
    policy: () => state.policy,
    isUninstalling: async () => false,
    addresses: {
      last: () => state.last,
      pin: (_host: string, addresses: LookupAddress[]) => void (state.pinned = addresses.map(({ address }) => address)),
      unpin: () => void (state.pinned = []),
    },
    resolve: async () => ['192.0.2.1'],
    reconnected: async () => {},
    report: async (report) => void state.reports.push(report),
    readClock: () => ({ ...clock }),
    log: (sentence) => void state.log.push(sentence),
    ...change,
  };
  const start = async () => {
    const isolation = await networkIsolation(deps);
    onTestFinished(() => isolation.close(false));
    return isolation;
  };
  const setPolicy = (value: object) => void (state.policy = value as typeof state.policy);
  return { clock, state, start, setPolicy };
}
const sockets = (...addresses: string[]) => addresses.map((address) => ({ address, port: 443 }));

describe('the addresses of the server in an isolation', () => {
  it.each([
    [
      'are those of DNS and the last good ones',
      async () => ['192.0.2.1', '2001:db8::1'],
      ['192.0.2.2'],
      ['192.0.2.1', '2001:db8::1', '192.0.2.2'],
    ],
    ['are the last good ones when DNS fails', () => Promise.reject(new Error('no DNS')), ['192.0.2.2'], ['192.0.2.2']],
    ['are the last good ones when DNS is slow', () => new Promise<string[]>(() => {}), ['192.0.2.2'], ['192.0.2.2']],
    ['may be unknown, and the cut does not wait for them', () => Promise.reject(new Error('no DNS')), [], []],
  ])('%s', async (_which, resolve, last, expected) => {
    const { state, start, setPolicy } = computer({ resolve });
    state.last = last;
    const isolation = await start();
    setPolicy(isolationFor(minute));
    isolation.changed();
    await until('the cut', () => state.isolated, 3000);
    expect(state.isolated).toEqual(sockets(...expected));
    await until('the pins', () => isolation.state());
    expect([state.pinned, state.record?.addresses]).toEqual([expected, expected]);
  });

  it('are used after a restart before anything asks DNS, and no longer than the isolation', async () => {
    const change = isolationFor(minute);
    const reading = { wall: Date.now(), up: 1_000_000, boot: 'first' };
    const record = { uuid: change.isolation.uuid, span: beginSpan(reading, minute), addresses: ['192.0.2.7'], ended: false };
    const { state, start, setPolicy } = computer({ resolve: () => Promise.reject(new Error('DNS was asked')) }, record);
    setPolicy(change);
    const isolation = await start();
    expect(state.pinned).toEqual(['192.0.2.7']);
    isolation.changed();
    await until('the cut', () => state.isolated);
    expect(state.isolated).toEqual(sockets('192.0.2.7'));
    setPolicy({ ...change, isolation: null });
    isolation.changed();
    await until('the end', () => !state.isolated);
    await until('no pins', () => state.pinned.length === 0);
    expect(state.record).toBeNull();
  });
});

describe('a firewall that fails', () => {
  it('is reported once, and tried again every five seconds until it works', async () => {
    const { clock, state, start, setPolicy } = computer();
    const isolation = await start();
    state.fails = 'no such table';
    setPolicy(isolationFor(minute));
    isolation.changed();
    await until('the problem', () => isolation.problems().length);
    expect(isolation.problems()).toEqual(['The internet could not be cut here (no such table).']);
    expect(isolation.state()).toBeNull();
    const attempts = () => state.calls.filter((call) => call === 'isolate').length;
    expect(attempts()).toBe(1);
    clock.up += 5000;
    await until('another attempt', () => attempts() === 2);
    state.fails = null;
    clock.up += 5000;
    await until('the cut', () => state.isolated);
    await until('no problem', () => isolation.problems().length === 0);
    expect(state.log.filter((line) => line.includes('no such table'))).toHaveLength(1);
  });

  it('at the end is reported, and tried again', async () => {
    const { clock, state, start, setPolicy } = computer();
    const isolation = await start();
    setPolicy(isolationFor(minute));
    isolation.changed();
    await until('the cut', () => state.isolated);
    state.fails = 'busy';
    clock.up += minute;
    await until('the problem', () => isolation.problems().length);
    expect(isolation.problems().join()).toContain('could not be restored here yet (busy)');
    state.fails = null;
    clock.up += 5000;
    await until('the end', () => !state.isolated);
    await until('no problem', () => isolation.problems().length === 0);
  });
});

describe('an isolation that somebody took away', () => {
  const cut = async () => {
    const all = computer();
    const isolation = await all.start();
    const change = isolationFor(15 * minute);
    all.setPolicy(change);
    isolation.changed();
    await until('the cut', () => isolation.state());
    const uuid = change.isolation.uuid;
    const verifications = () => all.state.calls.filter((call) => call === 'inForce').length;
    /** Lets a second pass, and the agent verify the cut. */
    const second = async () => {
      const before = verifications();
      all.clock.up += 1000;
      all.clock.wall += 1000;
      await until('a verification', () => verifications() > before);
    };
    return { ...all, isolation, uuid, second };
  };

  it('is set again within a second, for the time that is left, and reported', async () => {
    const { state, setPolicy, isolation, uuid, second } = await cut();
    await second();
    expect(state.reports).toEqual([]);
    for (let n = 1; n <= 2; n++) {
      state.isolated = null;
      await second();
      await until('the cut again', () => state.isolated);
    }
    expect(state.msLeft).toBe(15 * minute - 3000);
    expect(isolation.state()).not.toBeNull();
    setPolicy({ ...isolationFor(0), isolation: null });
    isolation.changed();
    await until('the last report', () => state.reports.length === 2);
    expect(state.reports).toEqual([1, 2].map((put_back) => ({ isolation: uuid, in_force: true, put_back })));
    expect(state.log.filter((line) => line.includes('took the cut'))).toHaveLength(2);
  });

  it('and cannot be set again is reported at once, and once, and is not shown as in force', async () => {
    const { state, clock, isolation, uuid, second } = await cut();
    state.isolated = null;
    state.fails = 'not permitted';
    await second();
    await until('the report', () => state.reports.length);
    expect(isolation.state()).toBeNull();
    expect(isolation.problems()).toEqual(['The internet could not be cut here (not permitted).']);
    const attempts = () => state.calls.filter((call) => call === 'isolate').length;
    for (let n = 0; n < 3; n++) {
      const before = attempts();
      clock.up += 5000;
      await until('another attempt', () => attempts() > before);
    }
    expect(state.reports).toEqual([{ isolation: uuid, in_force: false, put_back: 0 }]);
    state.fails = null;
    clock.up += 30_000;
    await until('the cut again', () => state.reports.length === 2);
    expect(state.reports.at(-1)).toEqual({ isolation: uuid, in_force: true, put_back: 1 });
  });

  it('is not verified while nothing is cut', async () => {
    const { state, clock, start, setPolicy } = computer();
    const isolation = await start();
    isolation.changed();
    await until('the removal of what a former agent left', () => state.calls.includes('restore'));
    setPolicy(isolationFor(minute));
    isolation.changed();
    await until('the cut', () => isolation.state());
    clock.up += minute;
    await until('the end', () => !state.isolated);
    const before = state.calls.filter((call) => call === 'inForce').length;
    clock.up += minute;
    isolation.changed();
    await isolation.close(false);
    expect(state.calls.filter((call) => call === 'inForce')).toHaveLength(before);
  });
});
