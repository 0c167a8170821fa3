import { hour } from '@porchlight/contract/time.ts';
import { expect, test } from 'vitest';
import { atPlace, guardianMayAnswer, holderMayAnswer, isProvenGuardian } from './may-answer.ts';
import { countsAsSomeoneElses } from './someone-elses.ts';

const now = new Date('2026-11-25T12:00:00Z');
const ago = (hours: number) => new Date(now.getTime() - hours * hour);
const away = { near: false, proven_phone: false };
const near = { near: true, proven_phone: false };
const nearWithPhone = { near: true, proven_phone: true };

const guardians: [about: string, accepted: Date, first_connected: Date | null, opened: Date, proven: boolean][] = [
  ['of 72 hours', ago(72), ago(1000), ago(1), true],
  ['of almost 72 hours', ago(71.9), ago(1000), ago(1), false],
  ['who is new', ago(1), ago(1000), ago(2), false],
  ['of the account’s first day, before the incident', ago(2), ago(3), ago(1), true],
  ['from before the first connection', ago(4), ago(3), ago(1), true],
  ['of the first day, after the incident opened', ago(1), ago(3), ago(2), false],
  ['of the second day', ago(10), ago(35), ago(1), false],
  ['of an account without a connection', ago(1), null, ago(0.5), false],
];

test.each(guardians)('a guardian %s may answer, or may not', (_about, accepted, first_connected, about, proven) => {
  expect(isProvenGuardian({ accepted, first_connected, about, now })).toBe(proven);
  const may = guardianMayAnswer({ accepted, first_connected, about, now }, away);
  expect(may.may).toBe(proven ? 'yes' : 'no');
});

test('a guardian at the computer needs a code, and without a proven phone somebody else must answer', () => {
  const guardian = { accepted: ago(100), first_connected: ago(1000), about: ago(1), now };
  expect(guardianMayAnswer(guardian, nearWithPhone)).toEqual({ may: 'code' });
  expect(guardianMayAnswer(guardian, near)).toMatchObject({ may: 'no', why: expect.stringContaining('mobile data') });
  expect(atPlace(away)).toEqual({ may: 'yes' });
  expect(atPlace({ ...near, can_prove: true })).toMatchObject({ may: 'no', why: expect.stringContaining('Add your phone number') });
  expect(atPlace({ ...nearWithPhone, can_prove: true })).toEqual({ may: 'code' });
});

test.each([
  [{ someone_elses: false, proof: 'counts' }, away, 'no'],
  [{ someone_elses: true, proof: 'none' }, away, 'password'],
  [{ someone_elses: true, proof: 'counts' }, away, 'yes'],
  [{ someone_elses: true, proof: 'none' }, nearWithPhone, 'password'],
  [{ someone_elses: true, proof: 'counts' }, nearWithPhone, 'code'],
  [{ someone_elses: true, proof: 'counts' }, near, 'no'],
  [{ someone_elses: true, proof: 'new_password' }, away, 'no'],
  [{ someone_elses: true, proof: 'new_passkey' }, away, 'password'],
  [{ someone_elses: true, proof: 'new_password' }, nearWithPhone, 'no'],
  [{ someone_elses: true, proof: 'new_passkey' }, nearWithPhone, 'password'],
] as const)('a holder with %j at %j may answer: %s', (holder, place, may) => {
  expect(holderMayAnswer(holder, place).may).toBe(may);
});

const mum = { name: 'Mum', phone_number: '', is_holder: false };
const known = { person_set: ago(1000), installed: ago(1000), made_again: false, first_connected: ago(1000), days_seen: 3, unknown: false };
test.each([
  ['Mum was named when it was made', {}, true],
  ['nobody was named', { person: null }, false],
  ['the holder uses it', { person: { ...mum, is_holder: true } }, false],
  ['it was never connected', { installed: null }, false],
  ['Mum was named an hour ago', { person_set: ago(1) }, false],
  ['Mum was named 72 hours ago', { person_set: ago(72) }, true],
  ['a computer was removed just before', { person_set: ago(71), installed: ago(71), made_again: true }, false],
  ['a computer was removed before, 72 hours ago', { person_set: ago(73), installed: ago(72), made_again: true }, true],
  ['[P18.2] it first connected almost 72 hours ago', { person_set: ago(72), installed: ago(71.9) }, false],
  ['[P18.2] it first connected 72 hours ago', { person_set: ago(73), installed: ago(72) }, true],
  [
    '[P18.2] it first connected an hour ago, on the account’s first day',
    { installed: ago(1), person_set: ago(2), first_connected: ago(25), days_seen: 1 },
    true,
  ],
  [
    '[P18.2] it first connected an hour ago, on the account’s second day',
    { installed: ago(1), person_set: ago(2), first_connected: ago(25.1), days_seen: 1 },
    false,
  ],
  ['[P18.2] it was seen on two days of many', { days_seen: 2 }, false],
  ['[P18.2] a guardian does not know it', { unknown: true }, false],
] as const)('a device counts as somebody else’s, or does not: %s', (_about, device, counts) => {
  expect(countsAsSomeoneElses({ ...known, person: mum, now, ...device })).toBe(counts);
});
