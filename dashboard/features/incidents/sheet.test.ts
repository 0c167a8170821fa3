import type { EventFacts, IncidentEvent } from '@porchlight/contract/incident-events.ts';
import type { Incident, IncidentDelivery } from '@porchlight/contract/incidents.ts';
import { expect, test } from 'vitest';
import { sheetOf } from './sheet.ts';

const event = (minute: number, kind: IncidentEvent['kind'], facts: EventFacts): IncidentEvent => ({
  time: `2026-11-21T19:0${minute}:00.000Z`,
  kind,
  facts,
  words: '',
  alert: null,
});

const delivery = (recipient: string, facts: Partial<IncidentDelivery>): IncidentDelivery => ({
  ...{ name: facts.you ? 'You' : recipient, guardian: null, recipient, you: false, about: 'alert' },
  ...{ channel: 'mail', state: 'sent', time: '2026-11-21T19:05:00.000Z', why: null, reason: null },
  ...facts,
});

const incident: Incident = {
  uuid: 'one',
  device: { uuid: 'two', name: 'Den PC', person: null },
  state: 'open',
  opened: '2026-11-21T19:04:00.000Z',
  opener: 'started',
  what: 'AnyDesk',
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
    event(8, 'request', { event: 'requested', who: 'Ann', activities: [{ kind: 'allowed', device: 'Den PC', what: 'AnyDesk' }] }),
    event(4, 'opened', { event: 'opened', opener: 'started', what: 'AnyDesk', device: 'Den PC' }),
    event(9, 'step', { event: 'on_it', name: 'Bob' }),
    event(7, 'reached', { event: 'second_messages' }),
    event(9, 'over', { event: 'over', name: 'Bob', stopped_allowing: [] }),
  ],
  notified: [
    delivery('Ann Example', { you: true }),
    delivery('Bob', { channel: 'sms', state: 'failed' }),
    delivery('Bob', { about: 'unanswered', time: '2026-11-21T19:07:30.000Z' }),
  ],
  requests: [],
  stopped: null,
  may_end: { may: 'yes' },
  may_allow: { may: 'yes' },
  asks_how: false,
  allowed_after: [],
};

test('the sheet for the bank names the zone of each time, the recipients by name, and each message that arrived', () => {
  expect(sheetOf(incident, 'America/New_York')).toEqual({
    began: 'Nov 21, 2026, 2:04:00 PM EST',
    ended: null,
    found: [{ time: 'Nov 21, 2026, 2:04:00 PM EST', words: 'AnyDesk was started on Den PC.' }],
    changed: [
      { time: 'Nov 21, 2026, 2:08:00 PM EST', words: 'Ann wants to allow AnyDesk on Den PC.' },
      { time: 'Nov 21, 2026, 2:09:00 PM EST', words: 'Bob said it’s over.' },
    ],
    notified: [
      { time: 'Nov 21, 2026, 2:05:00 PM EST', words: 'Ann Example, by email: what was found' },
      { time: 'Nov 21, 2026, 2:07:00 PM EST', words: 'Nobody had answered, so we wrote to everyone again.' },
      { time: 'Nov 21, 2026, 2:07:30 PM EST', words: 'Bob, by email: nobody had answered yet' },
    ],
  });
});

test('the sheet of an incident that is over says when it ended, and who ended it unless it ended by itself', () => {
  const over = { ...incident, state: 'over' } as const;
  expect(sheetOf(over, 'UTC').ended).toBe('Nov 22, 2026, 7:04:00 PM UTC');
  const over_by = { by: 'Bob', you: true, time: incident.ends };
  expect(sheetOf({ ...over, over_by }, 'UTC').ended).toBe('Nov 22, 2026, 7:04:00 PM UTC, by Bob');
});
