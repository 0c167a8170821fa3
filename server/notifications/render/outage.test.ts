import { test } from 'vitest';
import { people, readAloud } from '../../testing/read-aloud.ts';
import { expectReviewedTexts } from '../../testing/reviewed-texts.ts';
import { guardianLongOutageEmail, holderLongOutageEmail, longOutageSms, type SilentDevice } from './outage.ts';

const silent = { uuid: '', account: '', name: 'Den PC', time_zone: 'America/New_York', since: new Date('2026-11-21T14:05:00.000Z') };

test('the email and SMS about an outage have the reviewed text for each user of the computer and reader (P8.2)', () =>
  expectReviewedTexts<SilentDevice['kind']>(
    'outage',
    [
      ['stopped', 'the holder'],
      ['stopped', 'the guardian'],
      ['vanished', 'the holder'],
      ['vanished', 'the guardian'],
      ['switched_off', 'the holder'],
      ['switched_off', 'the guardian'],
      ['asleep', 'the holder'],
      ['asleep', 'the guardian'],
    ],
    (kind, user, reader) => {
      const device: SilentDevice = { ...silent, person: people[user], kind };
      return reader === 'the holder'
        ? readAloud(holderLongOutageEmail(device, 'https://x.test'), longOutageSms(device, null))
        : readAloud(guardianLongOutageEmail(device, 'Ann Example', 'https://x.test'), longOutageSms(device, 'Ann Example'));
    },
  ));
