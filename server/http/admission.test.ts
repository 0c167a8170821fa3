import { beforeEach, expect, test } from 'vitest';
import { type Admission, type Call, type CallKind, newAdmission } from './admission.ts';

let time = 0;
let lag = 0;
let waitMs = 0;
let overloaded = false;
let randomValue = 0;
let admission: Admission;
beforeEach(() => {
  [time, lag, waitMs, overloaded, randomValue] = [0, 0, 0, false, 0];
  admission = newAdmission({
    now: () => time,
    random: () => randomValue,
    lag: () => lag,
    isOverloaded: () => overloaded,
    roomOf: () => ({ connections: 10, waiting: 90 }),
    waitedFor: () => waitMs,
  });
});

const newCall = (): Call => ({ complete: true });
function admitMany(kind: CallKind, callCount: number, call: () => Call = newCall): Call[] {
  return Array.from({ length: callCount }, call).filter((one) => admission.admit(one, kind) === null);
}
const leave = (calls: Call[]) => {
  for (const call of calls) admission.leave(call);
};
/** In a tenth of a second more calls arrive than are admitted, and all admitted calls are served. */
const passTime = (kind: CallKind): number => {
  time += 100;
  const servedCalls = admitMany(kind, 200);
  leave(servedCalls);
  return servedCalls.length;
};

test('each kind of call has its own limit, and a call above the limit is refused until another call has ended', () => {
  const firstCalls = admitMany('web', 100);
  expect([firstCalls.length, admitMany('web', 1).length]).toEqual([100, 0]);
  for (const kind of ['agent', 'enrol', 'guardian', 'urgent', 'page'] as const)
    expect([kind, admitMany(kind, 1).length]).toEqual([kind, 1]);
  leave(firstCalls.slice(0, 1));
  expect(admitMany('web', 2)).toHaveLength(1);
});

test('the limit shrinks, never below sixteen, while calls wait too long for the database, and grows again afterwards', () => {
  waitMs = 300;
  const shrinkingLimits = Array.from({ length: 30 }, () => passTime('web'));
  expect(shrinkingLimits.at(0)).toBeLessThanOrEqual(100);
  expect(shrinkingLimits.at(-1)).toBe(16);
  waitMs = 0;
  const growingLimits = Array.from({ length: 60 }, () => passTime('web'));
  expect(growingLimits.at(-1)).toBe(100);
  // Slowly, because the cause of the wait may persist.
  expect(growingLimits.at(1)).toBeLessThan(20);
});

test('a lagging event loop shrinks every limit but that of urgent calls, and a wait for the database does not affect pages', () => {
  lag = 400;
  const limitAfter = (kind: CallKind) => Array.from({ length: 40 }, () => passTime(kind)).at(-1);
  expect([limitAfter('web'), limitAfter('page'), limitAfter('urgent')]).toEqual([16, 16, 100]);
  [lag, waitMs] = [0, 400];
  expect(limitAfter('web')).toBe(16);
  expect(limitAfter('page')).toBeGreaterThan(16);
});

test('an event loop that lagged for seconds admits only urgent calls and enrolments', () => {
  overloaded = true;
  const admitted = (['agent', 'web', 'guardian', 'page', 'enrol', 'urgent'] as const).map((kind) => admitMany(kind, 1).length);
  expect(admitted).toEqual([0, 0, 0, 0, 1, 1]);
});

test('a long poll that waits does not count towards the limit', () => {
  leave(admitMany('agent', 100));
  expect(admitMany('agent', 100)).toHaveLength(100);
  expect(admitMany('agent', 1)).toEqual([]);
});

test('calls that wait for their body or for an external service soon stop counting towards the limit, while other calls count', () => {
  admitMany('web', 50, () => ({ complete: false }));
  admitMany('web', 50);
  time += 900;
  expect(admitMany('web', 1)).toEqual([]);
  time += 200;
  expect(admitMany('web', 60)).toHaveLength(50);
  time += 4_000;
  expect(admitMany('web', 60)).toHaveLength(50);
});

test('the retry time of refused calls increases with their number, and is random', () => {
  randomValue = 0.999;
  admitMany('agent', 100);
  const firstRetryTime = admission.admit(newCall(), 'agent');
  admitMany('agent', 5_000);
  const lastRetryTime = admission.admit(newCall(), 'agent');
  randomValue = 0;
  expect([firstRetryTime, lastRetryTime, admission.admit(newCall(), 'agent')]).toEqual([5, 30, 5]);
  admitMany('agent', 10_000);
  randomValue = 0.999;
  expect(admission.admit(newCall(), 'agent')).toBe(60);
  admitMany('web', 5_000);
  randomValue = 0.999;
  expect(admission.admit(newCall(), 'web')).toBe(10);
  time += 60_000;
  admitMany('agent', 100);
  expect(admission.admit(newCall(), 'agent')).toBeLessThan(30);
});

test('the retry time of refused calls decreases with the number of served calls', () => {
  randomValue = 0.999;
  let pendingCalls: Call[] = [];
  /** The retry time of the last of 3,000 calls, after `served` calls in each tenth of twenty seconds. */
  const retryTimeAfter = (servedCalls: number) => {
    for (let n = 0; n < 200; n++) {
      time += 100;
      leave(pendingCalls.splice(0, servedCalls));
      pendingCalls = [...pendingCalls, ...admitMany('agent', servedCalls + 1)];
    }
    admitMany('agent', 3_000);
    return admission.admit(newCall(), 'agent') ?? 0;
  };
  pendingCalls = admitMany('agent', 100);
  // 500 calls a second, and then 50.
  expect(retryTimeAfter(50)).toBeLessThan(10);
  expect(retryTimeAfter(5)).toBeGreaterThan(30);
});
