import { expect, test } from 'vitest';
import { endOf } from './ends.ts';

const iso = (moment: Date | null) => moment?.toISOString() ?? null;

test.each([
  ['New York in the afternoon', 'America/New_York', '2026-11-21T19:05:00.000Z', '2026-11-22T05:00:00.000Z'],
  ['New York, when it is tomorrow in UTC already', 'America/New_York', '2026-11-22T01:00:00.000Z', '2026-11-22T05:00:00.000Z'],
  ['Tokyo, when it is still today in UTC', 'Asia/Tokyo', '2026-11-21T16:00:00.000Z', '2026-11-22T15:00:00.000Z'],
  ['a zone of three quarters of an hour', 'Asia/Kathmandu', '2026-11-21T12:00:00.000Z', '2026-11-21T18:15:00.000Z'],
  ['the last millisecond of the day', 'Europe/Berlin', '2026-11-21T22:59:59.999Z', '2026-11-21T23:00:00.000Z'],
  ['the first millisecond of the day', 'Europe/Berlin', '2026-11-21T23:00:00.000Z', '2026-11-22T23:00:00.000Z'],
  ['a day of 23 hours', 'America/New_York', '2026-03-08T05:00:00.000Z', '2026-03-09T04:00:00.000Z'],
  ['a day of 25 hours', 'America/New_York', '2026-11-01T04:00:00.000Z', '2026-11-02T05:00:00.000Z'],
  ['the hour that comes twice', 'America/New_York', '2026-11-01T06:30:00.000Z', '2026-11-02T05:00:00.000Z'],
  ['a day that begins at one', 'Africa/Cairo', '2026-04-23T12:00:00.000Z', '2026-04-23T22:00:00.000Z'],
  ['a day whose last hour comes twice', 'Africa/Cairo', '2026-10-29T12:00:00.000Z', '2026-10-29T22:00:00.000Z'],
  ['a zone that is none', 'Mars/Olympus_Mons', '2026-11-21T14:05:00.000Z', '2026-11-22T00:00:00.000Z'],
  ['no zone at all', '', '2026-11-21T14:05:00.000Z', '2026-11-22T00:00:00.000Z'],
])("an allowance for today ends at midnight in the device's time zone: %s", (_what, zone, now, end) => {
  expect(iso(endOf('today', new Date(now), zone))).toBe(end);
});

test('an hour lasts an hour across a clock change, and null has no end', () => {
  expect(iso(endOf('hour', new Date('2026-11-01T05:30:00.000Z'), 'America/New_York'))).toBe('2026-11-01T06:30:00.000Z');
  expect(endOf(null, new Date('2026-11-01T05:30:00.000Z'), 'America/New_York')).toBeNull();
});
