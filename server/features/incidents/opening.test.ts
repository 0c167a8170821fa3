import type { IncidentOpener } from '@porchlight/contract/incident-events.ts';
import { hour } from '@porchlight/contract/time.ts';
import { expect, test } from 'vitest';
import { openerOfReport, openerOfStart, type StartFact } from './opening.ts';

const program: StartFact = {
  category: 'RemoteControl',
  site: false,
  start: 'person',
  action: 'block',
  allowed: false,
  since_allowed: null,
  since_weaker: null,
};

const starts: [about: string, fact: Partial<StartFact>, opener: IncidentOpener | null][] = [
  ['a remote-control program that the profile blocks', {}, 'started'],
  ['a way in that was opened, closed again or not', { category: 'Door', action: 'alert' }, 'door'],
  ['a deceptive program', { category: 'DeceptiveUtility' }, null],
  ['a scam website', { category: 'ScamWebsite', site: true }, null],
  ['the website of a remote-control program', { site: true }, null],
  ['a program that log-on, a service or a scheduled task started', { start: 'system' }, null],
  ['a program that the profile only reports', { action: 'alert' }, null],
  ['a program that the profile ignores', { action: 'ignore' }, null],
  ['a program that is reported an hour after the profile became weaker', { action: 'alert', since_weaker: hour }, 'weaker_started'],
  ['a program that is reported just before a day has passed', { action: 'alert', since_weaker: 24 * hour - 1 }, 'weaker_started'],
  ['a program that is reported a day after the profile became weaker', { action: 'alert', since_weaker: 24 * hour }, null],
  ['a program that was allowed an hour ago', { allowed: true, since_allowed: hour }, 'allowed_started'],
  ['a program that was allowed a day ago', { allowed: true, since_allowed: 24 * hour }, null],
  ['a program that somebody’s yes allowed', { allowed: true, since_allowed: null }, null],
  ['a service’s program within a day of a weaker profile', { start: 'system', since_weaker: hour }, 'weaker_started'],
];

test.each(starts)('%s opens the right incident, or none', (_about, fact, opener) => {
  expect(openerOfStart({ ...program, ...fact })).toBe(opener);
});

test('a request for a program opens an incident, and wrong PINs open one once a day', () => {
  expect(openerOfReport('asked', { locked_today: true })).toBe('asked');
  expect(openerOfReport('pin_guessed', { locked_today: false })).toBe('pin_locked');
  expect(openerOfReport('pin_guessed', { locked_today: true })).toBeNull();
  expect(openerOfReport('paused', { locked_today: false })).toBeNull();
});
