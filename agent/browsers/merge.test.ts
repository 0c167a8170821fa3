import { describe, expect, it } from 'vitest';
import type { PolicyDocument } from '../os/port.ts';
import { isSame, planChanges, type SeenPolicy, type SetPolicy } from './merge.ts';

const shared: PolicyDocument = { id: 'SOFTWARE\\Policies\\Google\\Chrome', format: 'chromium', own: false };
const own: PolicyDocument = { id: '/etc/chromium/policies/managed/porchlight.json', format: 'chromium', own: true };
const path = ['DefaultNotificationsSetting'];
const seen = (change: Partial<SeenPolicy>): SeenPolicy => ({ document: shared, path, value: null, elsewhere: false, wanted: 2, ...change });
const recorded = (value: SetPolicy['value'], document = shared): SetPolicy[] => [{ document, path, value }];

describe('[P12.2] the plan for one policy', () => {
  it.each<[string, Partial<SeenPolicy>, SetPolicy[], string, SetPolicy['value'] | null]>([
    ['a policy that nobody has set is set and recorded', {}, [], 'set 2', 2],
    ['a policy with another value that someone else has set stays', { value: 1 }, [], 'nothing', null],
    ['a policy with our value that someone else has set stays, and is not recorded as ours', { value: 2 }, [], 'nothing', null],
    ['a policy that another document decides is not set', { elsewhere: true }, [], 'nothing', null],
    ['our policy that another document decides now is removed', { value: 2, elsewhere: true }, recorded(2), 'remove 2', null],
    ['our policy that is in force is left as it is', { value: 2 }, recorded(2), 'nothing', 2],
    ['our policy that someone has removed is set again', {}, recorded(2), 'set 2', 2],
    ['our policy that someone has changed belongs to them', { value: 1 }, recorded(2), 'nothing', null],
    ['our former value is replaced by the new one', { value: 3 }, recorded(3), 'set 2', 2],
    ['our policy that is no longer wanted is removed', { value: 2, wanted: null }, recorded(2), 'remove 2', null],
    ['a policy of someone else stays when ours are no longer wanted', { value: 1, wanted: null }, recorded(2), 'nothing', null],
    ['a policy that is recorded but was never written needs no change', { wanted: null }, recorded(2), 'nothing', null],
    [
      'a part of our value, from a change that was interrupted, is ours',
      { value: { Enabled: 0 }, wanted: null },
      recorded({ Enabled: false, Locked: true }),
      'remove [object Object]',
      null,
    ],
    ['a part of our list is ours', { value: ['b'], wanted: null }, recorded(['a', 'b']), 'remove b', null],
    ['a list with more than ours is someone else’s', { value: ['b', 'c'], wanted: null }, recorded(['a', 'b']), 'nothing', null],
    [
      'a part of our list inside our value is ours',
      { value: { Allow: ['b'] }, wanted: null },
      recorded({ Allow: ['a', 'b'], Locked: true }),
      'remove [object Object]',
      null,
    ],
    [
      'a value that is more than ours is someone else’s',
      { value: { Enabled: 0, Locked: 1, Fallback: 1 }, wanted: null },
      recorded({ Enabled: false, Locked: true }),
      'nothing',
      null,
    ],
    ['a value in a file of our own name is ours without a record', { document: own, value: 2, wanted: null }, [], 'remove 2', null],
    ['a changed value in a file of our own name is set again', { document: own, value: 1 }, [], 'set 2', 2],
    ['a record of another document says nothing about this one', { value: 2, wanted: null }, recorded(2, own), 'nothing', null],
  ])('%s', (_title, change, record, expectedChange, ours) => {
    const plan = planChanges([seen(change)], record);
    const changes = plan.changes.map(({ kind, policy }) => `${kind} ${policy.value}`).join();
    expect(changes || 'nothing').toBe(expectedChange);
    expect(plan.ours.map(({ value }) => value)).toEqual(ours === null ? [] : [ours]);
  });
});

it.each([
  [true, 1, true],
  [false, 0, true],
  [true, 0, false],
  [2, '2', false],
  [{ Enabled: false, Locked: true }, { Locked: 1, Enabled: 0 }, true],
  [{ Enabled: false, Locked: true }, { Enabled: false }, false],
  [{ Enabled: false }, { Enabled: false, Fallback: true }, false],
  [null, 0, false],
  [['a'], ['a'], true],
  [['a', 'b'], ['b', 'a'], false],
])('%j and %j count as the same value: %s', (one, other, expected) => {
  expect([isSame(one, other), isSame(other, one)]).toEqual([expected, expected]);
});
