import { expect, test } from 'vitest';
import { dateFormatters, formattedDate, knownZone } from './date-formatters.ts';

const moments = ['2026-11-21T14:05:00Z', '2026-03-08T07:00:00Z', '2026-12-31T23:59:59.999Z'].map((time) => new Date(time));
const forms: Intl.DateTimeFormatOptions[] = [
  { weekday: 'long' },
  { weekday: 'long', day: 'numeric', month: 'long' },
  { day: 'numeric', month: 'long' },
  { day: 'numeric', month: 'short' },
  { hour: 'numeric', minute: '2-digit' },
  { dateStyle: 'short' },
];
const zones = ['America/New_York', 'america/new_york', 'Asia/Tokyo', 'Asia/Kathmandu', 'UTC', 'Etc/UTC', '+05:30'];
const newlyFormatted = (moment: Date, timeZone: string, form: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat('en-US', { ...form, timeZone }).format(moment).replaceAll('\u202f', ' ');

test.each(zones)('a cached formatter writes what a new one writes, however often and in whatever order it is used: %s', (zone) => {
  for (const moment of [...moments, ...moments])
    for (const form of forms) expect(formattedDate(moment, zone, form)).toBe(newlyFormatted(moment, zone, form));
  expect(knownZone(zone)).toBe(new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone);
});

test.each(['', 'Mars/Olympus_Mons', 'constructor', '+99:99'])('an unknown time zone has no formatter, and counts as UTC: “%s”', (zone) => {
  const formatters = dateFormatters(2);
  for (const form of forms) expect([formatters.of(zone, form), formattedDate(new Date(), zone, form)]).toEqual([null, null]);
  expect(formatters.count()).toBe(0);
  expect(knownZone(zone)).toBe('UTC');
});

test('only so many formatters are cached, and those that were used last stay', () => {
  const formatters = dateFormatters(2);
  const [tokyo, utc] = [formatters.of('Asia/Tokyo', {}), formatters.of('UTC', {})];
  expect(formatters.of('Asia/Tokyo', {})).toBe(tokyo);
  formatters.of('America/New_York', {});
  expect(formatters.count()).toBe(2);
  expect(formatters.of('Asia/Tokyo', {})).toBe(tokyo);
  expect(formatters.of('UTC', {})).not.toBe(utc);
  expect(formatters.count()).toBe(2);
});

test('options that are not right are an error, and not an unknown time zone', () => {
  expect(() => formattedDate(new Date(), 'UTC', { dateStyle: 'short', hour: 'numeric' })).toThrow(TypeError);
});
