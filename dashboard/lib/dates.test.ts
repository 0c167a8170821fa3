import { expect, test } from 'vitest';
import { partOfDay, shortDate } from './calendar.ts';
import { atMoment, atTime, clockOrDay, inWords } from './dates.ts';
import { type Seen, stateOf } from './device-state.ts';

const now = new Date(2026, 10, 21, 15, 0);

test.each([
  [new Date(2026, 10, 21, 0, 5), 'today at 12:05 AM'],
  [new Date(2026, 10, 21, 23, 59), 'today at 11:59 PM'],
  [new Date(2026, 10, 22, 0, 0), 'tomorrow at 12:00 AM'],
  [new Date(2026, 10, 23, 0, 0), 'Monday, November 23'],
  [new Date(2026, 10, 20, 23, 59), 'yesterday at 11:59 PM'],
  [new Date(2026, 10, 16, 14, 5), 'Monday at 2:05 PM'],
  [new Date(2026, 10, 14, 14, 5), 'Saturday, November 14'],
  [new Date(2026, 2, 3, 14, 5), 'Tuesday, March 3'],
  [new Date(2025, 2, 3, 14, 5), 'Monday, March 3, 2025'],
])('the moment %s is worded as %s', (moment, text) => {
  expect(inWords(moment, now)).toBe(text);
  // A verb wants *on* before a weekday, and nothing before *today*.
  expect(atMoment(moment, now)).toBe(/^[tmy]/.test(text) ? text : `on ${text}`);
});

test.each([
  [new Date(2026, 10, 20, 23, 0), 'tomorrow at 4:46 AM', 'tomorrow at 4:46 AM'],
  [new Date(2026, 10, 21, 1, 0), '4:46 AM', 'at 4:46 AM'],
])('an end at 4:46 AM that is read at %s says its day unless that is today', (readAt, untilWords, backWords) => {
  const end = new Date(2026, 10, 21, 4, 46);
  expect([clockOrDay(end, readAt), atTime(end, readAt)]).toEqual([untilWords, backWords]);
});

test('[9.3] subscription dates are MM/dd/yyyy in UTC, in any time zone', () => {
  expect(shortDate(new Date('2027-03-09T23:59:59Z'))).toBe('03/09/2027');
  expect(shortDate(new Date('2027-03-10T00:00:00Z'))).toBe('03/10/2027');
  expect(shortDate(new Date('2026-11-21T12:00:00Z'))).toBe('11/21/2026');
});

test.each([
  [2, 'evening'],
  [5, 'morning'],
  [11, 'morning'],
  [12, 'afternoon'],
  [18, 'evening'],
] as const)('%i o’clock is part of the %s', (hour, part) => {
  expect(partOfDay(new Date(2026, 10, 21, hour))).toBe(part);
});

test.each<[string, Omit<Seen, 'last_detection'> & Partial<Seen>, string]>([
  ['pending while it has a code', { login_code: 'ABCD-EFGH', last_seen: null }, 'pending'],
  ['protected when it was seen', { last_seen: now.toISOString() }, 'protected'],
  ['unseen after a day', { last_seen: new Date(2026, 10, 20, 14, 0).toISOString() }, 'unseen'],
  [
    'alert for a day after a detection',
    { last_seen: now.toISOString(), last_detection: new Date(2026, 10, 20, 16, 0).toISOString() },
    'alert',
  ],
  [
    'no alert any more after that',
    { last_seen: now.toISOString(), last_detection: new Date(2026, 10, 20, 14, 0).toISOString() },
    'protected',
  ],
  ['asleep when it said so', { last_seen: now.toISOString(), outage: { kind: 'asleep', since: now.toISOString() } }, 'asleep'],
  ['off when it said so', { last_seen: now.toISOString(), outage: { kind: 'switched_off', since: now.toISOString() } }, 'off'],
  ['unseen when it vanished', { last_seen: now.toISOString(), outage: { kind: 'vanished', since: now.toISOString() } }, 'unseen'],
  [
    'unarmed without definitions',
    { last_seen: now.toISOString(), outage: { kind: 'no_definitions', since: now.toISOString() } },
    'unarmed',
  ],
  [
    'uninstalled, whatever it detected before',
    {
      last_seen: now.toISOString(),
      last_detection: now.toISOString(),
      outage: { kind: 'uninstalled', since: now.toISOString() },
    },
    'uninstalled',
  ],
])('[4.12] the state of a device: %s', (_title, device, state) => {
  expect(stateOf({ last_detection: '0001-01-01T00:00:00Z', ...device }, now)).toBe(state);
});
