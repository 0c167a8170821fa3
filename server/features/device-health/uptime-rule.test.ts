import { hour } from '@porchlight/contract/time.ts';
import { expect, test } from 'vitest';
import { extendedUptime } from './uptime-rule.ts';

/** Hours before the moment of the record, which is 0; negative hours are in the future. */
type Ago = [since: number, until: number];

const millisecond = 1 / hour;
const day = 24;
const now = new Date('2026-11-21T14:05:00.000Z');
const intervalAgo = ([since, until]: Ago) => ({
  since: new Date(now.getTime() - since * hour),
  until: new Date(now.getTime() - until * hour),
});

test.each<[string, Ago[], Ago[]]>([
  ['nothing is recorded yet', [], [[0, 0]]],
  ['the last record is an hour old', [[9, 1]], [[9, 0]]],
  ['one hourly record is missing', [[9, 2]], [[9, 0]]],
  [
    'the last record is more than two hours old, because the server was down',
    [[9, 2 + millisecond]],
    [
      [9, 2 + millisecond],
      [0, 0],
    ],
  ],
  ['another server has just recorded it', [[9, 0]], [[9, 0]]],
  [
    'the server was down before',
    [
      [300, 200],
      [9, 1],
    ],
    [
      [300, 200],
      [9, 0],
    ],
  ],
  [
    'the clock was twenty days ahead and is corrected',
    [
      [9, 1],
      [-20 * day, -20 * day - 1],
    ],
    [[9, 0]],
  ],
  ['the clock was ahead within an interval and is corrected', [[9, -1]], [[9, 0]]],
  ['the clock was ahead and everything that is recorded is in the future', [[-millisecond, -9]], [[0, 0]]],
  [
    'an interval ended thirty days ago',
    [
      [40 * day, 30 * day],
      [9, 1],
    ],
    [
      [40 * day, 30 * day],
      [9, 0],
    ],
  ],
  [
    'an interval ended more than thirty days ago, which no outage needs',
    [
      [40 * day, 30 * day + millisecond],
      [9, 1],
    ],
    [[9, 0]],
  ],
])('the recorded uptime is as expected when %s', (_what, before, recorded) => {
  expect(extendedUptime(before.map(intervalAgo), now)).toEqual(recorded.map(intervalAgo));
});
