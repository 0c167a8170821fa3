import type { HeldRequest } from '@porchlight/contract/held-requests.ts';
import { expect, test } from 'vitest';
import { questionsOf } from './questions.ts';

const request = (uuid: string, state: HeldRequest['state']): HeldRequest => ({
  uuid,
  incident: null,
  state,
  wants: ['Ann wants to allow AnyDesk on Den PC.'],
  ...{ activities: [{ kind: 'allowed', device: 'Den PC', what: 'AnyDesk' }], who: 'Ann', cause: 'incident', rule: 'day' },
  device: null,
  device_name: 'Den PC',
  time: '2026-11-21T19:04:00.000Z',
  until: '2026-11-22T19:04:00.000Z',
  passes: '2026-11-22T19:04:00.000Z',
  answers: [],
  lifted: null,
  asked: ['Bob'],
  unproven: false,
  because: 'An incident is open.',
  may_last: false,
  by_server: true,
  mine: { may: 'yes' },
});

const shown = (requests: HeldRequest[], wanted: string | null) => {
  const { open, answered, missing } = questionsOf(requests, wanted);
  return { open: open.map(({ uuid }) => uuid), answered: answered.map(({ uuid }) => uuid), missing };
};

test('the question that a guardian came for is first, the others stay in their order', () => {
  const requests = [request('a', 'open'), request('b', 'open'), request('c', 'open')];
  expect(shown(requests, 'c')).toEqual({ open: ['c', 'a', 'b'], answered: [], missing: false });
  expect(shown(requests, null).open).toEqual(['a', 'b', 'c']);
});

test('of answered requests a guardian sees those that a no would take back, and the wanted request in any state', () => {
  const requests = (['yes', 'done', 'no', 'undone', 'lapsed'] as const).map((state) => request(state, state));
  expect(shown(requests, null).answered).toEqual(['yes', 'done']);
  expect(shown(requests, 'lapsed').answered).toEqual(['lapsed', 'yes', 'done']);
});

test('a wanted request that is no longer listed is missing', () => {
  expect(shown([request('a', 'open')], 'b').missing).toBe(true);
});
