import { hour, minute } from '@porchlight/contract/time.ts';
import { describe, expect, test } from 'vitest';
import { decideLock, type LockFacts, lockLimits } from './lock-rule.ts';

const day = lockLimits.without_server;
const free: LockFacts = { policy: false, word_left: day, ended_left: 0, all_ended_left: 0, lost_left: 0 };

/** P10.5: what happened, the facts, and the lock. */
const rows: [string, Partial<LockFacts>, ReturnType<typeof decideLock>][] = [
  ['nothing', {}, null],
  ['nothing, and no server for a day', { word_left: 0 }, null],
  ['an incident is open', { policy: true }, { why: 'incident', left: day }],
  ['an incident was open, and the server is away for 23 hours', { policy: true, word_left: hour }, { why: 'incident', left: hour }],
  ['an incident was open, and the server is away for a day', { policy: true, word_left: 0 }, null],
  ['a program was just ended', { ended_left: 60 * minute, all_ended_left: day }, { why: 'ended', left: 60 * minute }],
  ['a program was ended 59 minutes ago', { ended_left: minute, all_ended_left: 23 * hour }, { why: 'ended', left: minute }],
  ['a program was ended an hour ago', { ended_left: 0, all_ended_left: 23 * hour }, null],
  [
    'a program starts again and again for 23 and a half hours',
    { ended_left: 60 * minute, all_ended_left: 30 * minute },
    { why: 'ended', left: 30 * minute },
  ],
  ['a program starts again and again for a day', { ended_left: 60 * minute, all_ended_left: 0 }, null],
  ['the state was deleted', { lost_left: day }, { why: 'lost', left: day }],
  ['the state was deleted a day ago', { lost_left: 0 }, null],
  [
    'an incident is open, and a program was ended',
    { policy: true, ended_left: 60 * minute, all_ended_left: day },
    { why: 'incident', left: day },
  ],
  [
    'the state was deleted, and a program was ended',
    { lost_left: minute, ended_left: hour, all_ended_left: day },
    { why: 'ended', left: hour },
  ],
];

describe('[P10.5] whether the PIN alone is enough', () => {
  test.each(rows)('%s', (_what, facts, lock) => {
    expect(decideLock({ ...free, ...facts })).toEqual(lock);
  });
});
