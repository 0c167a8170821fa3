import { hour, minute } from '@porchlight/contract/time.ts';
import { expect, test } from 'vitest';
import { type IsolationFacts, isHelpRepeated, mayEndIsolation, mayIsolate, mayStop, type StopFacts } from './rules.ts';

/** A Wednesday. */
const now = new Date('2026-11-25T12:00:00Z');
const ago = (ms: number) => new Date(now.getTime() - ms);
const time_zone = 'America/New_York';

const calm: StopFacts = { now, time_zone, in_force: false, lone_press: null, last_detection: null };
const presses: [about: string, more: Partial<StopFacts>, may: 'yes' | 'no'][] = [
  ['who never pressed', {}, 'yes'],
  ['who never pressed, long after a detection', { last_detection: ago(100 * hour) }, 'yes'],
  ['whose press an hour ago opened an incident alone', { lone_press: ago(hour) }, 'no'],
  ['whose press just under 72 hours ago opened an incident alone', { lone_press: ago(72 * hour - 1) }, 'no'],
  ['whose press 72 hours ago opened an incident alone', { lone_press: ago(72 * hour) }, 'yes'],
  ['who pressed alone, with a detection before', { lone_press: ago(hour), last_detection: ago(2 * hour) }, 'no'],
  ['who pressed alone, with a detection since', { lone_press: ago(hour), last_detection: ago(minute) }, 'yes'],
  ['who pressed alone, while that stop is in force', { lone_press: ago(hour), in_force: true }, 'yes'],
];

test.each(presses)('[P10.6] whether a guardian may press Stop this who: %s', (_about, more, may) => {
  expect(mayStop({ ...calm, ...more }).may).toBe(may);
});

test('[P10.6] a guardian who may not press Stop this reads why, and when they can', () => {
  expect(mayStop({ ...calm, lone_press: ago(25 * hour) })).toEqual({
    may: 'no',
    ...{ reason: 'alone', holder: '', device: '', pressed: ago(25 * hour).toISOString(), again: ago(-47 * hour).toISOString() },
    why: 'You pressed Stop this on Tuesday at 6:00 AM, and we found nothing since. You can press it again on Friday at 6:00 AM, or as soon as we find something.',
  });
});

const notYet = { may: 'no', why: 'Not yet.', reason: 'alone', holder: '', device: '', pressed: null, again: null } as const;
const mums: IsolationFacts = {
  ...{ now, time_zone, may_stop: { may: 'yes' }, may_isolate: null, someone_elses: true },
  ...{ device: 'Den PC', holder: 'Ann', in_force: false, isolations: [] },
};
const notAllowed = 'Ann has not allowed you to cut the internet on Den PC.';
const isolations: [about: string, more: Partial<IsolationFacts>, why: string | null][] = [
  ['at the computer of someone else, where the holder chose nothing', {}, null],
  ['at the computer of someone else, where the holder forbade it', { may_isolate: false }, notAllowed],
  ['at the holder’s computer, where the holder chose nothing', { someone_elses: false }, notAllowed],
  ['at the holder’s computer, where the holder allowed it', { someone_elses: false, may_isolate: true }, null],
  ['once within a day', { isolations: [ago(hour)] }, null],
  [
    'twice within a day',
    { isolations: [ago(23 * hour), ago(hour)] },
    'The internet on Den PC was cut twice within a day. You can cut it again at 8:00 AM.',
  ],
  ['twice, the first a day ago', { isolations: [ago(24 * hour), ago(hour)] }, null],
  ['twice, while the second is in force', { isolations: [ago(23 * hour), ago(minute)], in_force: true }, null],
  ['by a guardian who may not press Stop this', { may_stop: notYet }, 'Not yet.'],
];

test.each(isolations)('[P10.6] whether a guardian may cut the internet: %s', (_about, more, why) => {
  expect(mayIsolate({ ...mums, ...more })).toMatchObject(why === null ? { may: 'yes' } : { may: 'no', why });
});

test.each([
  ['no detection ever', null, true],
  ['a detection a minute ago', ago(minute), false],
  ['a detection just under a day ago', ago(24 * hour - 1), false],
  ['a detection a day ago', ago(24 * hour), true],
])('[P10.6] whether the user of a computer can end its isolation, with %s', (_about, last_detection, may_end) => {
  expect(mayEndIsolation(last_detection, now)).toBe(may_end);
});

test.each([
  ['the first press', null, false],
  ['a press a minute after the one before', ago(minute), true],
  ['a press ten minutes after the one before', ago(10 * minute), false],
  ['a press that is reported after a later one', new Date(now.getTime() + hour), true],
])('[P9.5] whether %s of *I need help now* is a repetition', (_about, newest, repeated) => {
  expect(isHelpRepeated(newest, now)).toBe(repeated);
});
