import { expect, it, test, vi } from 'vitest';
import { decideRest, moneyRest, RESTS_AFTER_MS, type RestFacts } from './money-rest.ts';

const policy = { unanswered: false, sites: ['bank.example'], open: ['work.example'] };
const calm: RestFacts = { money: policy, opened: false, live_ago: null };

test.each<[string, Partial<RestFacts>, boolean]>([
  ['nothing going on', {}, false],
  ['an incident that nobody has answered', { money: { ...policy, unanswered: true } }, true],
  ['remote control that runs', { live_ago: 0 }, true],
  ['remote control that ended a minute ago', { live_ago: 60_000 }, true],
  ['remote control that ended just under half an hour ago', { live_ago: RESTS_AFTER_MS - 1 }, true],
  ['remote control that ended half an hour ago', { live_ago: RESTS_AFTER_MS }, false],
  ['a yes, while remote control runs', { live_ago: 0, opened: true }, false],
  ['a yes, while an incident is not answered', { money: { ...policy, unanswered: true }, opened: true }, false],
  ['a family that switched it off, while remote control runs', { live_ago: 0, money: null }, false],
])('[P12.6] with %s money pages rest: %o', (_what, facts, expected) => {
  expect(decideRest({ ...calm, ...facts })).toBe(expected);
});

it('[P12.6] the rest begins with the start of remote control and ends half an hour after it, or at a yes, and each is announced once', () => {
  vi.useFakeTimers();
  try {
    const running = new Set(['7:1']);
    const state = { up: 0, answers: [] as { identifier: string; answer: 'yes' | 'no'; until: string }[], changes: 0 };
    const rest = moneyRest({
      os: { isRunning: ({ pid, started }) => running.has(`${pid}:${started}`) },
      money: () => policy,
      answers: () => state.answers,
      signedNow: () => new Date(state.up),
      up: () => state.up,
      changed: () => state.changes++,
    });
    const pass = (ms: number) => {
      for (let passed = 0; passed < ms; passed += 5000) {
        state.up += 5000;
        vi.advanceTimersByTime(5000);
      }
    };
    expect(rest.now()).toBeNull();
    rest.noteRemoteControl({ pid: 7, started: '1' });
    expect([rest.now(), state.changes]).toEqual([{ sites: policy.sites, open: policy.open }, 1]);
    pass(2 * RESTS_AFTER_MS);
    expect([rest.now() !== null, state.changes]).toEqual([true, 1]);
    running.clear();
    pass(RESTS_AFTER_MS - 60_000);
    expect(rest.now()).not.toBeNull();
    pass(65_000);
    expect([rest.now(), state.changes]).toEqual([null, 2]);
    expect(vi.getTimerCount()).toBe(0);

    running.add('7:1');
    rest.noteRemoteControl({ pid: 7, started: '1' });
    state.answers = [{ identifier: 'money-pages', answer: 'yes', until: new Date(state.up + 3_600_000).toISOString() }];
    rest.review();
    expect([rest.now(), state.changes]).toEqual([null, 4]);
    pass(3_600_000);
    expect([rest.now() !== null, state.changes]).toEqual([true, 5]);
    rest.close();
  } finally {
    vi.useRealTimers();
  }
});
