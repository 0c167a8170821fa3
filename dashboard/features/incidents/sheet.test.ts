import type { Incident, IncidentEvent } from '@porchlight/contract/incidents.ts';
import { expect, test } from 'vitest';
import { sheetOf } from './sheet.ts';

const event = (minute: number, kind: IncidentEvent['kind'], words: string): IncidentEvent => ({
  time: `2026-11-21T19:0${minute}:00.000Z`,
  kind,
  words,
  alert: null,
});

const incident: Incident = {
  uuid: 'one',
  device: { uuid: 'two', name: 'Den PC', person: null },
  state: 'open',
  opened: '2026-11-21T19:04:00.000Z',
  opener: 'started',
  words: 'A remote-control program started on Den PC: AnyDesk.',
  ends: '2026-11-22T19:04:00.000Z',
  over_by: null,
  escalation: null,
  on_it: [],
  account_on_it: null,
  reader_counts: true,
  was_me: null,
  steps: [],
  events: [
    event(8, 'request', 'Ann wants to allow AnyDesk.'),
    event(4, 'opened', 'AnyDesk was blocked.'),
    event(9, 'step', 'Bob ticked a step.'),
  ],
  notified: [
    { name: 'You', guardian: null, channel: 'mail', state: 'sent', time: '2026-11-21T19:05:00.000Z', reason: null },
    { name: 'Bob', guardian: 'three', channel: 'sms', state: 'failed', time: '2026-11-21T19:05:00.000Z', reason: null },
  ],
  requests: [],
  stopped: null,
  may_end: { may: 'yes' },
  may_allow: { may: 'yes' },
  asks_how: false,
};

test('the sheet for the bank names the zone of each time, the holder by name, and only deliveries that arrived', () => {
  expect(sheetOf(incident, 'Ann Example', 'America/New_York')).toEqual({
    began: 'Nov 21, 2026, 2:04:00 PM EST',
    ended: null,
    found: [{ time: 'Nov 21, 2026, 2:04:00 PM EST', words: 'AnyDesk was blocked.' }],
    changed: [{ time: 'Nov 21, 2026, 2:08:00 PM EST', words: 'Ann wants to allow AnyDesk.' }],
    notified: [{ time: 'Nov 21, 2026, 2:05:00 PM EST', words: 'Ann Example, by email' }],
  });
});

test('the sheet of an incident that is over has the time when it ended', () => {
  expect(sheetOf({ ...incident, state: 'over' }, 'Ann Example', 'UTC').ended).toBe('Nov 22, 2026, 7:04:00 PM UTC');
});
