import { type ActivityKind, activityKind } from '@porchlight/contract/activity-log.ts';
import { describe, expect, test } from 'vitest';
import { fitsOneSms } from '../../texts/sms-text.ts';
import {
  groupedEmail,
  groupedSms,
  guardianActEmail,
  guardianActSms,
  guardianReads,
  holderActEmail,
  holderActSms,
  removedSms,
} from './activity.ts';
import { guardianDrillSms, holderDrillSms } from './drill.ts';
import { longOutageSms } from './outage.ts';

const names = ['Ann', 'Łucja-Małgorzata-Aleksandra-Wilhelmina-Zuzanna Ćwierć', '李'.repeat(100), 'x'.repeat(100)];
/** The most digits that E.164 allows. */
const longestNumber = '+881234567890123';
const time = new Date('2026-11-21T14:05:00Z');
const wordsOf = (text: string) => (text.split('Nobody from Porchlight')[0] ?? '').split(/\s+/).length;

describe.each(names)('messages about activities with all names set to %s', (name) => {
  test.each(activityKind.options)(
    'the SMS about the activity %s is not split and ends with advice, and the emails are under 90 words',
    (kind) => {
      const act = { kind, device: name, what: name, time, time_zone: 'UTC' };
      const text = guardianActSms(act, name);
      expect(fitsOneSms(text), text).toBe(true);
      expect(text).toMatch(/ Not expected\? Call .+\.$/);
      for (const userName of [name.slice(0, 40), '']) {
        const actOfOther = { ...act, person: { name: userName, phone_number: longestNumber, is_holder: false } };
        for (const oneMessage of [guardianActSms(actOfOther, name), holderActSms(actOfOther)]) {
          expect(fitsOneSms(oneMessage), oneMessage).toBe(true);
          expect(oneMessage).toMatch(/ Not expected\? Call .+: \+881234567890123\.$/);
        }
      }
      for (const email of [
        guardianActEmail(act, name, 'https://x.example/g'),
        holderActEmail(act, { dashboard: 'https://x.example/d', uuid: 'u' }),
      ])
        expect(wordsOf(email.text), email.text).toBeLessThan(90);
    },
  );

  test('SMS about outages, grouped activities, removed guardians and fire drills are not split', () => {
    const silent = {
      uuid: '',
      account: '',
      name,
      person: { name, phone_number: longestNumber, is_holder: false },
      time_zone: 'UTC',
      since: time,
    };
    const texts = [
      longOutageSms({ ...silent, kind: 'vanished' }, null),
      longOutageSms({ ...silent, kind: 'stopped' }, name),
      groupedSms(Array(115).fill({ late: false }), guardianReads([], name)),
      guardianActSms({ kind: 'pin_guessed', device: name, what: '', time, time_zone: 'UTC', late: true }, name),
      removedSms(name),
      guardianDrillSms(name),
      holderDrillSms(),
    ];
    for (const text of texts) expect(fitsOneSms(text ?? ''), text ?? '').toBe(true);
  });
});

/** What a stranger with the password does in an incident, without anybody's yes. */
const ofAccount: ActivityKind[] = [
  'password_changed',
  'sign_in_added',
  'sign_in_removed',
  'recovery_codes_made',
  'recovery_code_used',
  'logged_out_everywhere',
  'account_downloaded',
  'deletion_stopped',
];

test.each(ofAccount)('a guardian who reads of the activity %s reads of the account, and that we cannot see who did it', (kind) => {
  const act = { kind, device: '', what: 'a passkey', time, time_zone: 'UTC' };
  const { subject, text } = guardianActEmail(act, 'Ann Example', 'https://x.example/g');
  const several = groupedEmail([act], guardianReads([act], 'Ann Example'), 'https://x.example/g').text;
  for (const one of [text, guardianActSms(act, 'Ann Example').replaceAll("'", '’'), several]) {
    expect(one).toContain('Ann’s account');
    expect(one).toContain('We can’t see who did it.');
    expect(one).not.toMatch(/\bAnn (?!is\b)[a-z]/);
  }
  expect(subject).toContain('Ann’s account');
});

test('what Porchlight support did in an account has its name, for guardians too', () => {
  const act = { kind: 'sign_in_removed' as const, device: '', what: 'a passkey', time, time_zone: 'UTC', by: 'Porchlight support' };
  const sentence = 'Porchlight support removed a passkey from the ways to log in.';
  for (const one of [guardianActEmail(act, 'Ann Example', 'https://x.example/g').text, guardianActSms(act, 'Ann Example')]) {
    expect(one).toContain(sentence);
    expect(one).not.toContain('see who did it');
  }
});

test('a computer that was switched off causes no SMS', () => {
  expect(
    longOutageSms({ uuid: '', account: '', name: 'Den PC', person: null, time_zone: 'UTC', since: time, kind: 'switched_off' }, 'Ann'),
  ).toBeNull();
});
