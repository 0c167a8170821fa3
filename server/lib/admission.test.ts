import { beforeEach, expect, test } from 'vitest';
import { type Admission, type Call, type CallKind, newAdmission } from './admission.ts';

/** Who is let in is decided by counters and by what is measured; time stands still until it is turned. */

let time = 0;
let lag = 0;
let waited = 0;
let overloaded = false;
let chance = 0;
let admission: Admission;
beforeEach(() => {
  [time, lag, waited, overloaded, chance] = [0, 0, 0, false, 0];
  admission = newAdmission({
    now: () => time,
    random: () => chance,
    lag: () => lag,
    isOverloaded: () => overloaded,
    roomOf: () => ({ connections: 10, waiting: 90 }),
    waitedFor: () => waited,
  });
});

const arrived = (): Call => ({ complete: true });
/** The calls that are let in, of so many that come at once. */
function come(kind: CallKind, many: number, call: () => Call = arrived): Call[] {
  return Array.from({ length: many }, call).filter((one) => admission.admit(one, kind) === null);
}
const leave = (calls: Call[]) => {
  for (const call of calls) admission.leave(call);
};
/** A tenth of a second in which more come than are let in, and are served. */
const turn = (kind: CallKind): number => {
  time += 100;
  const served = come(kind, 200);
  leave(served);
  return served.length;
};

test('as many as fit are let in, the next one is refused until one has left, and no other kind of call notices', () => {
  const first = come('web', 100);
  expect([first.length, come('web', 1).length]).toEqual([100, 0]);
  for (const kind of ['agent', 'enrol', 'guardian', 'urgent', 'page'] as const) expect([kind, come(kind, 1).length]).toEqual([kind, 1]);
  leave(first.slice(0, 1));
  expect(come('web', 2)).toHaveLength(1);
});

test('the limit shrinks while calls wait for too long for the database, never below sixteen, and grows again once nobody does', () => {
  waited = 300;
  const shrunk = Array.from({ length: 30 }, () => turn('web'));
  expect(shrunk.at(0)).toBeLessThanOrEqual(100);
  expect(shrunk.at(-1)).toBe(16);
  waited = 0;
  const grown = Array.from({ length: 60 }, () => turn('web'));
  expect(grown.at(-1)).toBe(100);
  // Not at once: what made them wait may still be there.
  expect(grown.at(1)).toBeLessThan(20);
});

test('a late event loop shrinks every limit but that of urgent calls; a wait for the database does not concern pages', () => {
  lag = 400;
  const after = (kind: CallKind) => Array.from({ length: 40 }, () => turn(kind)).at(-1);
  expect([after('web'), after('page'), after('urgent')]).toEqual([16, 16, 100]);
  [lag, waited] = [0, 400];
  expect(after('web')).toBe(16);
  expect(after('page')).toBeGreaterThan(16);
});

test('an event loop that was late for seconds lets urgent calls and enrolments in alone', () => {
  overloaded = true;
  const let_in = (['agent', 'web', 'guardian', 'page', 'enrol', 'urgent'] as const).map((kind) => come(kind, 1).length);
  expect(let_in).toEqual([0, 0, 0, 0, 1, 1]);
});

test('a call that is held takes no place until its news come', () => {
  const held = come('agent', 100);
  leave(held);
  const others = come('agent', 100);
  expect(others).toHaveLength(100);
  for (const call of held) admission.rejoin(call);
  leave(others);
  expect(come('agent', 1)).toEqual([]);
  leave(held);
  expect(come('agent', 1)).toHaveLength(1);
});

test('who does not send their body, and who waits for somebody else, take no place for long; who is being served does', () => {
  come('web', 50, () => ({ complete: false }));
  come('web', 50);
  time += 900;
  expect(come('web', 1)).toEqual([]);
  time += 200;
  expect(come('web', 60)).toHaveLength(50);
  time += 4_000;
  expect(come('web', 60)).toHaveLength(50);
});

test('who is refused comes back the later the more are refused, each at a moment of their own', () => {
  chance = 0.999;
  come('agent', 100);
  const first = admission.admit(arrived(), 'agent');
  come('agent', 5_000);
  const last = admission.admit(arrived(), 'agent');
  chance = 0;
  expect([first, last, admission.admit(arrived(), 'agent')]).toEqual([5, 30, 5]);
  come('agent', 10_000);
  chance = 0.999;
  expect(admission.admit(arrived(), 'agent')).toBe(60);
  // People wait in front of a page.
  come('web', 5_000);
  chance = 0.999;
  expect(admission.admit(arrived(), 'web')).toBe(10);
  // Half a minute later little of it is left.
  time += 60_000;
  come('agent', 100);
  expect(admission.admit(arrived(), 'agent')).toBeLessThan(30);
});

test('who is refused comes back sooner the more are served', () => {
  chance = 0.999;
  let under_way: Call[] = [];
  /** When the last of 3,000 comes back, after twenty seconds in which so many are served in each tenth. */
  const after = (served: number) => {
    for (let n = 0; n < 200; n++) {
      time += 100;
      leave(under_way.splice(0, served));
      under_way = [...under_way, ...come('agent', served + 1)];
    }
    come('agent', 3_000);
    return admission.admit(arrived(), 'agent') ?? 0;
  };
  under_way = come('agent', 100);
  // 500 a second, and later 50.
  expect(after(50)).toBeLessThan(10);
  expect(after(5)).toBeGreaterThan(30);
});
