import { type ActivityKind, activityKind } from '@porchlight/contract/activity-log.ts';
import { hour, minute } from '@porchlight/contract/time.ts';
import { expect, test } from 'vitest';
import { type DeviceFact, decideHold, type HoldFacts, type RequestFact, waitsForYes, yes_open } from './decide.ts';

const now = new Date('2026-11-25T12:00:00Z');
const ago = (ms: number) => new Date(now.getTime() - ms);
const own: DeviceFact = { someone_elses: false, near: true };
const mums: DeviceFact = { someone_elses: true, near: false };

const facts: HoldFacts = {
  now,
  caller: 'holder',
  kinds: ['allowed'],
  incidents: [],
  ask_first: false,
  about: [own],
  second: false,
  over_limit: false,
  password: false,
  removes: null,
  guardians: 'some',
  request: null,
};
const request: RequestFact = { time: ago(minute), rule: 'day', yes: null, no: null, lifted: null, opens_for: yes_open };
const decision = (more: Partial<HoldFacts>) => decideHold({ ...facts, ...more });
const verdict = (more: Partial<HoldFacts>) => {
  const result = decision(more);
  return result.passes ? result.via : result.needs_password ? 'password' : `${result.cause} ${result.rule}`;
};

const waits: Record<ActivityKind, boolean> = {
  pin_shown: true,
  pin_reset: true,
  allowed: true,
  profile_chosen: true,
  profile_changed: true,
  paused: false,
  uninstalled: false,
  device_removed: true,
  guardian_added: true,
  guardian_removed: true,
  email_changed: true,
  phone_changed: true,
  password_changed: false,
  alerts_off: true,
  outage_later: true,
  browsers_off: true,
  resolver_off: true,
  notifications_allowed: true,
  unlisted_off: true,
  pin_guessed: false,
  asked: false,
  device_added: false,
  device_unknown: false,
  left_out: false,
  moved: false,
  undone: false,
  leaving: false,
  left: false,
  person_changed: true,
  ask_first_off: true,
  isolation_off: true,
  guardians_reordered: true,
  call_consent_off: true,
  sign_in_added: false,
  sign_in_removed: false,
  recovery_codes_made: false,
  recovery_code_used: false,
  logged_out_everywhere: false,
  account_downloaded: false,
  deletion_asked: true,
  helping: true,
  deletion_stopped: false,
};

test.each(activityKind.options)('%s waits in an incident, if a call does it, and passes at once with nothing going on', (kind) => {
  expect(waitsForYes[kind]).toBe(waits[kind]);
  expect(verdict({ kinds: [kind], incidents: [own] })).toBe(waits[kind] ? 'incident day' : 'free');
  expect(verdict({ kinds: [kind] })).toBe('free');
  expect(verdict({ kinds: [kind], incidents: [own], caller: 'agent' })).toBe('free');
});

test('a call that does two things waits if one of them does', () => {
  expect(verdict({ kinds: ['password_changed', 'phone_changed'], incidents: [own] })).toBe('incident day');
  expect(verdict({ kinds: ['password_changed'], incidents: [own] })).toBe('free');
});

const causes: [about: string, facts: Partial<HoldFacts>, verdict: string][] = [
  ['with nothing going on', {}, 'free'],
  ['in an incident', { incidents: [own] }, 'incident day'],
  ['in an incident, with nobody to ask', { incidents: [own], guardians: 'none' }, 'incident hour'],
  ['in an incident, with a guardian who is gone', { incidents: [own], guardians: 'gone' }, 'incident day'],
  ['of an account that asks first', { ask_first: true }, 'ask_first day'],
  ['of an account that asks first, with nobody to ask', { ask_first: true, guardians: 'none' }, 'ask_first hour'],
  ['as the second one', { second: true }, 'second_act day'],
  ['in an incident of an account that asks first', { incidents: [own], ask_first: true }, 'incident day'],
  ['about Mum’s computer, without the password', { incidents: [mums], about: [mums] }, 'incident day'],
  ['about Mum’s computer, with the password, from elsewhere', { incidents: [mums], about: [mums], password: true }, 'own'],
  [
    'about Mum’s computer, with the password, from there',
    { incidents: [{ ...mums, near: true }], about: [{ ...mums, near: true }], password: true },
    'incident day',
  ],
  ['about one’s own computer, with the password', { incidents: [{ ...own, near: false }], password: true }, 'incident day'],
  ['in incidents of Mum’s computer and one’s own', { incidents: [mums, own], password: true }, 'incident day'],
  [
    'about Mum’s computer, of an account that asks first',
    { incidents: [mums], about: [mums], password: true, ask_first: true },
    'ask_first day',
  ],
  ['about one’s own computer, in an incident of Mum’s', { incidents: [mums], password: true }, 'incident day'],
  ['about all computers, in an incident of Mum’s', { incidents: [mums], about: [mums, own], password: true }, 'incident day'],
  ['as the second one, about all computers', { second: true, about: [mums, own], password: true }, 'second_act day'],
  ['about no computer at all, in an incident of Mum’s', { incidents: [mums], about: [], password: true }, 'incident day'],
  ['as the second one, about Mum’s computer', { second: true, about: [mums], password: true }, 'own'],
];

test.each(causes)('a call %s passes, or waits for the right reason', (_about, more, expected) => {
  expect(verdict(more)).toBe(expected);
});

test('only the second activity of a call that waits for it opens an incident; an agent’s opens one although it passes', () => {
  expect(decision({ second: true })).toMatchObject({ passes: false, opens: true });
  expect(decision({ second: true, incidents: [own] })).toMatchObject({ passes: false, opens: false });
  expect(decision({ second: true, ask_first: true })).toMatchObject({ passes: false, opens: false });
  expect(decision({ second: true, about: [mums], password: true })).toMatchObject({ passes: true, opens: false });
  expect(decision({ second: true, caller: 'agent' })).toMatchObject({ passes: true, opens: true });
  expect(decision({ caller: 'agent' })).toMatchObject({ passes: true, opens: false });
  expect(decision({ second: true, caller: 'operator' })).toMatchObject({ passes: true, opens: false });
});

const answers: [about: string, request: Partial<RequestFact>, password: boolean, verdict: string][] = [
  ['without an answer', {}, true, 'incident day'],
  ['a minute after a yes', { yes: ago(minute) }, false, 'yes'],
  ['just before ten minutes after a yes', { yes: ago(10 * minute - 1) }, false, 'yes'],
  ['ten minutes after a yes', { yes: ago(10 * minute) }, false, 'incident day'],
  ['after a no', { no: ago(minute) }, true, 'incident day'],
  ['after a yes and a no', { yes: ago(minute), no: ago(2 * minute) }, false, 'incident day'],
  ['a day after a no, with a new yes', { yes: ago(minute), no: ago(24 * hour) }, false, 'yes'],
  ['that the operator let through', { lifted: ago(minute) }, false, 'lifted'],
  ['that the operator let through ten minutes ago', { lifted: ago(10 * minute) }, false, 'incident day'],
  ['just before an hour, with nobody to ask', { rule: 'hour', time: ago(hour - 1) }, true, 'incident hour'],
  ['after an hour, with nobody to ask, with the password', { rule: 'hour', time: ago(hour) }, true, 'waited'],
  ['after an hour, with nobody to ask, without the password', { rule: 'hour', time: ago(hour) }, false, 'password'],
  ['after an hour, with a guardian', { time: ago(hour) }, true, 'incident day'],
  ['after a day, with a guardian, with the password', { time: ago(24 * hour) }, true, 'waited'],
  ['after a day, with a guardian, without the password', { time: ago(24 * hour) }, false, 'password'],
  ['after a day and a no', { time: ago(24 * hour), no: ago(hour) }, true, 'incident day'],
  ['after two days', { time: ago(48 * hour) }, true, 'incident day'],
];

test.each(answers)('the same call %s passes, or waits', (_about, more, password, expected) => {
  expect(verdict({ incidents: [own], password, request: { ...request, ...more } })).toBe(expected);
});

const removals: [about: string, more: Partial<HoldFacts>, expected: string][] = [
  ['that only their own presses opened', { removes: 'presser' }, 'incident hour'],
  ['that anything else opened', { removes: 'other' }, 'incident day'],
  [
    'that only their own presses opened, an hour after asking, with the password',
    { removes: 'presser', password: true, request: { ...request, time: ago(hour) } },
    'waited',
  ],
  [
    'that anything else opened since they asked, an hour after asking',
    { removes: 'other', password: true, request: { ...request, rule: 'hour', time: ago(hour) } },
    'incident day',
  ],
];

test.each(removals)('[P10.6] the removal of a guardian in an incident %s waits as long as it should', (_about, more, expected) => {
  expect(verdict({ kinds: ['guardian_removed'], incidents: [own], ...more })).toBe(expected);
});

test('a request that was made with nobody to ask keeps its hour when a guardian comes', () => {
  const waited = { ...request, rule: 'hour' as const, time: ago(hour) };
  expect(verdict({ incidents: [own], password: true, guardians: 'some', request: waited })).toBe('waited');
});
