import { test } from 'vitest';
import { people, readAloud } from '../../testing/read-aloud.ts';
import { expectReviewedTexts } from '../../testing/reviewed-texts.ts';
import { guardianActEmail, guardianActSms, holderActEmail, holderActSms, type LoggedAct } from './activity.ts';

const whats = {
  paused: '9:35 AM on Saturday, November 21',
  asked: 'AnyDesk',
  isolation_off: 'Bob Example',
  password_changed: '',
};

test('the email and SMS about an activity have the reviewed text for each user of the computer and reader (P8.2)', () =>
  expectReviewedTexts<keyof typeof whats>(
    'activity',
    [
      ['paused', 'the holder'],
      ['paused', 'the guardian'],
      ['asked', 'the holder'],
      ['asked', 'the guardian'],
      ['isolation_off', 'the holder', 'nobody'],
      ['isolation_off', 'the guardian', 'nobody'],
      ['password_changed', 'the guardian', 'nobody'],
    ],
    (kind, user, reader) => {
      const time = new Date('2026-11-21T14:05:00.000Z');
      const act: LoggedAct = { kind, device: 'Den PC', what: whats[kind], time, time_zone: 'America/New_York', person: people[user] };
      return reader === 'the holder'
        ? readAloud(holderActEmail(act, { dashboard: 'https://x.test', uuid: 'u' }), holderActSms(act))
        : readAloud(guardianActEmail(act, 'Ann Example', 'https://x.test'), guardianActSms(act, 'Ann Example'));
    },
  ));
