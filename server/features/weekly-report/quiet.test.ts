import { day, hour } from '@porchlight/contract/time.ts';
import { expect, test } from 'vitest';
import type { Happening, WeekFacts } from '../../notifications/render/weekly.ts';
import { quietWeek } from '../../testing/quiet-week.ts';
import { happeningsOf } from './quiet.ts';
import { isFirstSunday, lastFirstSunday, nineOn, sundayAt } from './sunday.ts';

const now = new Date('2026-11-22T15:30:00.000Z');
const ago = (ms: number) => new Date(now.getTime() - ms);
const device = (changed: Partial<WeekFacts['devices'][number]>): Partial<WeekFacts> => ({
  devices: [...quietWeek(now).devices, { name: 'Laptop', last_seen: now, outage: null, limitations: [], ...changed }],
});
const alert = (blocked: boolean) => ({ alerts: [{ name: 'AnyDesk', device_name: 'Den PC', blocked }] });

test.each<[what: string, week: Partial<WeekFacts>, happenings: Happening[]]>([
  ['nothing', {}, []],
  ['new programs', { new_programs: 12 }, []],
  ['a computer that cannot block websites', device({ limitations: ['sites_not_blocked'] }), []],
  ['a computer that was switched off this morning', device({ outage: 'switched_off', last_seen: ago(3 * hour) }), []],
  ['a computer that is asleep for just under the days of the holder', device({ outage: 'asleep', last_seen: ago(3 * day) }), []],
  ['a computer without a goodbye for two days', device({ last_seen: ago(2 * day) }), []],
  ['definitions of 30 days ago', { definitions_from: ago(30 * day) }, []],
  ['a server that has no date of its definitions', { definitions_from: null }, []],
  ['a threat that was stopped', alert(true), ['detections']],
  ['a threat that got through', alert(false), ['detections']],
  ['something that a scan found', { found: 1 }, ['scan']],
  ['a paused site that was opened', { opened_sites: [{ site: 'usps-tracking.top', device_name: 'Den PC' }] }, ['opened_sites']],
  ['an incident', { incident: true }, ['incident']],
  ['a question that waited', { requests: 1 }, ['requests']],
  ['a change that weakened protection', { changes: 1 }, ['changes']],
  ['an address that failed', { undelivered: [{ guardian: null, name: 'Ann' }] }, ['undelivered']],
  ['definitions older than 30 days', { definitions_from: ago(30 * day + 1) }, ['old_definitions']],
  ['a computer that was silent and is back', { was_silent: true }, ['silent']],
  [
    'a computer that is switched off for more than the days of the holder',
    device({ outage: 'switched_off', last_seen: ago(3 * day + 1) }),
    ['silent'],
  ],
  ['a computer without a goodbye for more than the days of the holder', device({ last_seen: ago(3 * day + 1) }), ['silent']],
  ...(['stopped', 'vanished', 'paused', 'uninstalled', 'left', 'no_definitions'] as const).map(
    (outage): [string, Partial<WeekFacts>, Happening[]] => [`a computer that is ${outage} a moment ago`, device({ outage }), ['silent']],
  ),
  ['several of them, the worst first', { ...alert(true), changes: 2, incident: true }, ['detections', 'incident', 'changes']],
])('[P15.6] a week with %s is judged by one rule', (_what, week, happenings) => {
  expect(happeningsOf({ ...quietWeek(now), ...week }, now, 3)).toEqual(happenings);
});

test('[P15.6] a computer that is switched off is silent after the days that the holder chose', () => {
  const week = { ...quietWeek(now), ...device({ outage: 'switched_off', last_seen: ago(4 * day) }) };
  expect([happeningsOf(week, now, 3), happeningsOf(week, now, 7)]).toEqual([['silent'], []]);
});

test('[P15.6] the first Sunday of a month is one of its first seven days, and the one before is four or five weeks earlier', () => {
  const sundays = ['2026-11-01', '2026-11-29', '2026-12-06', '2026-12-13', '2027-02-07', '2027-03-07'];
  expect(sundays.filter(isFirstSunday)).toEqual(['2026-11-01', '2026-12-06', '2027-02-07', '2027-03-07']);
  expect(['2026-12-06', '2027-01-03', '2027-03-07'].map(lastFirstSunday)).toEqual(['2026-11-01', '2026-12-06', '2027-02-07']);
});

test.each([
  ['America/New_York', '2026-11-22', '2026-11-22T14:00:00.000Z'],
  ['America/New_York', '2026-11-01', '2026-11-01T14:00:00.000Z'],
  ['America/New_York', '2026-10-25', '2026-10-25T13:00:00.000Z'],
  ['America/New_York', '2027-03-14', '2027-03-14T13:00:00.000Z'],
  ['Asia/Tokyo', '2026-11-22', '2026-11-22T00:00:00.000Z'],
  ['Pacific/Kiritimati', '2026-11-22', '2026-11-21T19:00:00.000Z'],
  ['Asia/Kathmandu', '2026-11-22', '2026-11-22T03:15:00.000Z'],
  ['Not/A-Zone', '2026-11-22', '2026-11-22T09:00:00.000Z'],
])('nine o’clock in %s on %s is a moment of that Sunday, also when the clocks change', (zone, date, moment) => {
  expect(nineOn(date, zone).toISOString()).toBe(moment);
  expect([sundayAt(nineOn(date, zone), zone), sundayAt(new Date(nineOn(date, zone).getTime() - 1), zone)]).toEqual([date, null]);
});
