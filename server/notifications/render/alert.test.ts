import { test } from 'vitest';
import { people, readAloud } from '../../testing/read-aloud.ts';
import { expectReviewedTexts } from '../../testing/reviewed-texts.ts';
import { type AlertFacts, guardianAlert, holderAlert } from './alert-email.ts';
import { guardianAlertSms, holderAlertSms } from './alert-sms.ts';

const time = new Date('2026-11-21T14:05:00.000Z');
const program = { name: 'AnyDesk', category: 'RemoteControl', site: false, certainty: 'certain' } as const;
const help = { what_it_is: 'It lets someone else see and use the computer.', what_to_do: 'Uninstall it.' };
const url = 'https://x.test';

test('the email and SMS about a program that was blocked or not have the reviewed text for each user and reader (P8.2)', () =>
  expectReviewedTexts(
    'alert',
    [
      ['blocked', 'the holder'],
      ['blocked', 'the guardian'],
      ['not blocked', 'the holder'],
      ['not blocked', 'the guardian'],
    ],
    (state, user, reader) => {
      const when = { time, now: time, time_zone: 'America/New_York' };
      const facts: AlertFacts = { ...program, ...when, blocked: state === 'blocked', device: 'Den PC', person: people[user], help };
      return reader === 'the holder'
        ? readAloud(holderAlert(facts, url), holderAlertSms(facts, url))
        : readAloud(guardianAlert(facts, 'Ann Example', url), guardianAlertSms(facts, 'Ann Example', url));
    },
  ));
