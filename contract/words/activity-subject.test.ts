import { expect, test } from 'vitest';
import { userFileSource } from '../agent-events.ts';
import type { RequestedKind } from '../held-requests.ts';
import { subjectWords } from './activity-subject.ts';

const times = { moment: (time: Date) => `moment ${time.getTime()}`, date: (time: Date) => `date ${time.getTime()}` };

test.each<[kind: RequestedKind, what: string, words: string]>([
  ['paused', '1970-01-01T00:00:01.000Z', 'moment 1000'],
  ['deletion_asked', '1970-01-01T00:00:01.000Z', 'date 1000'],
  ['alerts_off', 'mail', 'emails'],
  ['alerts_off', 'sms', 'texts'],
  ['outage_later', '1', '1 day'],
  ['outage_later', '14', '14 days'],
  ['recovery_code_used', '9', '9 left'],
  ['unlisted_off', 'new_programs_always', 'asking about every new program'],
  ['notifications_allowed', 'mail.example', 'mail.example'],
  ['notifications_allowed', 'mail.example chat.example:8443', 'mail.example and chat.example:8443'],
  ['unlisted_off', 'mybank.example', 'resting mybank.example'],
  ['unlisted_off', 'mybank.example other.example', 'resting mybank.example and other.example'],
  // Rows of a former version have words.
  ['paused', '9:35 AM on Saturday, November 21', '9:35 AM on Saturday, November 21'],
  ['outage_later', '14 days', '14 days'],
  ['recovery_code_used', '9 left', '9 left'],
  ['alerts_off', 'emails', 'emails'],
  ['unlisted_off', 'resting a.example and b.example', 'resting a.example and b.example'],
  // A name is never taken for one of our own words.
  ['guardian_added', 'mail', 'mail'],
  ['allowed', 'doors', 'doors'],
])('the subject of the activity %s, stored as %s, reads: %s', (kind, what, words) => {
  expect(subjectWords(kind, what, times)).toBe(words);
});

test.each(userFileSource.options)('the files that an agent leaves out, stored as %s, have words', (source) => {
  expect(subjectWords('left_out', source, times)).not.toBe(source);
});
