import { test } from 'vitest';
import { people, readAloud } from '../../testing/read-aloud.ts';
import { expectReviewedTexts } from '../../testing/reviewed-texts.ts';
import { backEmail, backSms, guardianOutageEmail, holderOutageEmail, type Outage, outageSms } from './sudden-outage.ts';

const since = new Date('2026-11-21T14:05:00.000Z');
const button = { label: 'Open', url: 'https://x.test' };
const how = { how: 'started', protecting: false } as const;

test('the email and SMS about a computer that is silent, or back, have the reviewed text for each user and reader (P8.2)', () =>
  expectReviewedTexts(
    'sudden-outage',
    [
      ['silent', 'the holder'],
      ['silent', 'the guardian'],
      ['back', 'the holder'],
      ['back', 'the guardian'],
    ],
    (state, user, reader) => {
      const outage: Outage = { uuid: '', name: 'Den PC', person: people[user], time_zone: 'America/New_York', since, trouble: true };
      const holder = reader === 'the holder' ? null : 'Ann Example';
      if (state === 'back') return readAloud(backEmail(outage, how, holder, button), backSms(outage, how, holder));
      const email = holder === null ? holderOutageEmail(outage, button.url) : guardianOutageEmail(outage, holder, button.url);
      return readAloud(email, outageSms(outage, holder));
    },
  ));
