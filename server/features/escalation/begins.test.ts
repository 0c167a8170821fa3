import { describe, expect, it } from 'vitest';
import { type BeginFacts, beginsEscalation } from './begins.ts';

const now = new Date('2026-11-21T14:00:00.000Z');
const ago = (minutes: number) => new Date(now.getTime() - minutes * 60_000);
const facts = (more: Partial<BeginFacts> = {}): BeginFacts => ({
  opener: 'started',
  time: now,
  now,
  before: 'none',
  opened: now,
  last_begun: null,
  ...more,
});

describe('whether an opener begins an escalation', () => {
  const rows: [string, BeginFacts, boolean][] = [
    ['a program that was started', facts(), true],
    ['an allowed one', facts({ opener: 'allowed_started' }), true],
    ['one after a weaker profile', facts({ opener: 'weaker_started' }), true],
    ['a call for help', facts({ opener: 'help' }), true],
    ['wrong PINs', facts({ opener: 'pin_locked' }), false],
    ['a way in that was opened', facts({ opener: 'door' }), true],
    ['a second change within an hour', facts({ opener: 'second_act' }), true],
    ['I asked for this', facts({ opener: 'asked' }), true],
    ['a guardian who is there already', facts({ opener: 'guardian_stop' }), false],
    ['a report of 59 minutes ago', facts({ time: ago(59) }), true],
    ['a report of an hour ago', facts({ time: ago(60) }), false],
    ['a second start in the same incident', facts({ before: 'open', opened: ago(5), last_begun: ago(5) }), false],
    ['the first start in an incident of wrong PINs', facts({ before: 'open', opened: ago(5) }), true],
    ['a start that opens the incident again', facts({ before: 'watched', opened: now, last_begun: ago(600) }), true],
    ['the first start after it opened again by wrong PINs', facts({ before: 'open', opened: ago(5), last_begun: ago(600) }), true],
    ...(['help', 'asked', 'second_act'] as const).flatMap((opener): [string, BeginFacts, boolean][] => [
      [`${opener} an hour after the last escalation`, facts({ opener, before: 'open', opened: ago(60), last_begun: ago(60) }), true],
      [`${opener} within that hour`, facts({ opener, before: 'open', opened: ago(59), last_begun: ago(59) }), false],
    ]),
    [
      'another way in an hour after the last escalation',
      facts({ opener: 'door', before: 'open', opened: ago(60), last_begun: ago(60) }),
      false,
    ],
  ];
  it.each(rows)('%s [P11.1] [P15.9]', (_title, given, expected) => {
    expect(beginsEscalation(given)).toBe(expected);
  });
});
