import { describe, expect, it, test } from 'vitest';
import { fakeSystem } from '../testing/fake-os.ts';
import { decideStart, type StartFacts, starts } from './start.ts';

const noon = Date.parse('2026-11-22T12:00:00Z');
const dayBefore = noon - 86_400_000;
/** A program from before the agent, started by a service. */
const older: StartFacts = { file_changed: dayBefore, first_start: noon, ran_at_first_start: false, startedBy: 'service_manager' };

test.each<[string, Partial<StartFacts>, string]>([
  ['an old program of a service', {}, 'system'],
  ['an old program of a scheduled task', { startedBy: 'scheduler' }, 'system'],
  ['an old program of log-on', { startedBy: 'session_manager' }, 'system'],
  ['an old program that a person, another program or something unknown started', { startedBy: 'other' }, 'person'],
  ['an old program that ran at the first start', { startedBy: 'other', ran_at_first_start: true }, 'system'],
  ['a newer program of a service', { file_changed: noon + 1 }, 'person'],
  ['a program that changed at the very moment of the first start', { file_changed: noon }, 'person'],
  ['a newer program that ran at the first start', { file_changed: noon + 1, ran_at_first_start: true }, 'person'],
  ['a program of a service whose file has no known time', { file_changed: null }, 'person'],
  ['a program without a known time that ran at the first start', { file_changed: null, ran_at_first_start: true }, 'person'],
  ['a program of a service, when the time of the first start is unknown', { first_start: null }, 'person'],
  ['a program that ran, when the time of the first start is unknown', { first_start: null, ran_at_first_start: true }, 'person'],
])('[P9.1] %s is a start by the right side', (_what, facts, start) => {
  expect(decideStart({ ...older, ...facts })).toBe(start);
});

describe('starts', () => {
  const program = (n: number) => ({ pid: n, started: '1', path: '/opt/anydesk', program: { os: 'linux' as const, name: 'anydesk' } });
  const firstStart = (before: number) => ({ before: () => before, isNow: true, checkClock: () => {} });
  const counted = (before: number) => {
    const [os, calls] = [fakeSystem(), { files: 0, started_by: 0 }];
    const observed = {
      fileChanged: () => (calls.files++, dayBefore),
      startedBy: (process: ReturnType<typeof program>) => (calls.started_by++, os.startedBy(process)),
    };
    return { calls, starts: starts({ os: observed, firstStart: firstStart(before), now: () => new Date(noon) }) };
  };

  it('[P9.1] a process that ran at the first start counts as the system’s, but not a program that the process becomes later', () => {
    const { starts } = counted(noon);
    starts.ranAtStart([{ ...program(1), path: '/bin/bash' }, program(2)]);
    expect([1, 2].map((pid) => starts.startOf(program(pid)))).toEqual(['person', 'system']);
  });

  it('1,000 detected starts read 1,000 files, and what started old programs alone', () => {
    for (const [before, started_by] of [
      [noon, 1000],
      [dayBefore - 1, 0],
    ] as const) {
      const { starts, calls } = counted(before);
      for (let n = 0; n < 1000; n++) starts.startOf(program(n));
      expect(calls).toEqual({ files: 1000, started_by });
    }
  });
});
