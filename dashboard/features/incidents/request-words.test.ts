import type { HeldRequest } from '@porchlight/contract/held-requests.ts';
import { hour } from '@porchlight/contract/time.ts';
import { expect, test } from 'vitest';
import { reasonOf, wantsOf } from './request-words.ts';

/** A Wednesday, at noon where the reader is. */
const now = new Date(2026, 10, 25, 12, 0);
const later = (hours: number) => new Date(now.getTime() + hours * hour).toISOString();
const request: HeldRequest = {
  uuid: 'one',
  incident: null,
  state: 'open',
  wants: [],
  activities: [{ kind: 'allowed', device: 'Den PC', what: 'AnyDesk' }],
  ...{ who: 'You', cause: 'incident', rule: 'day' },
  device: null,
  device_name: 'Den PC',
  ...{
    time: later(0),
    until: later(24),
    passes: later(24),
    answers: [],
    lifted: null,
    asked: ['Bob'],
    unproven: false,
    because: '',
    may_last: false,
    by_server: true,
  },
  mine: { may: 'yes' },
};
const trouble = 'There was trouble on one of your computers, and it isn’t over yet.';

test.each<[reason: string, changes: Partial<HeldRequest>]>([
  [`${trouble} If nobody answers, you can do it tomorrow at 12:00 PM.`, {}],
  [`${trouble} If nobody answers, you can do it on Friday, November 27.`, { passes: later(48) }],
  [`${trouble} There is nobody we can ask. You can do it at 1:00 PM.`, { rule: 'hour', asked: [], passes: later(1) }],
  [
    `${trouble} A new guardian’s yes counts after three days. If nobody answers, you can do it tomorrow at 12:00 PM.`,
    { asked: [], unproven: true },
  ],
  [
    'You turned on Ask first. There is nobody we can ask. You had a guardian until a few days ago, so you can do it tomorrow at 12:00 PM.',
    { cause: 'ask_first', asked: [] },
  ],
  ['We stopped it, and someone at that computer asked for it. It stays off until someone says yes.', { cause: 'asked' }],
  [
    'Money pages rest while a stranger may be at the computer. It stays off until someone says yes.',
    { cause: 'waiting', activities: [{ kind: 'open_money', device: 'Den PC', what: '' }] },
  ],
  ['Nobody has answered. Enter your password to go on.', { passes: later(0) }],
])('%s', (reason, changes) => {
  expect(reasonOf({ ...request, ...changes }, now)).toBe(reason);
});

test('what a request would do has its date in the zone of the reader', () => {
  const deletion = new Date(2026, 11, 3, 23, 30).toISOString();
  const activities = [
    { kind: 'deletion_asked', device: '', what: deletion } as const,
    { kind: 'pin_reset', device: '', what: '' } as const,
  ];
  expect(wantsOf({ ...request, activities })).toEqual([
    'You want to have the account deleted on December 3.',
    'You want to make a new Admin PIN.',
  ]);
});
