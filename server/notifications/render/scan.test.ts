import type { ScanItem } from '@porchlight/contract/scan.ts';
import { test } from 'vitest';
import { people, readAloud } from '../../testing/read-aloud.ts';
import { expectReviewedTexts } from '../../testing/reviewed-texts.ts';
import { guardianScanEmail, guardianScanSms, holderScanEmail, holderScanSms, type ScanFacts } from './scan.ts';

const anydesk: ScanItem = {
  ...{ kind: 'downloads', identifier: 'anydesk', name: 'AnyDesk', category: 'RemoteControl', certainty: 'certain' },
  ...{ details: 'AnyDesk.exe', did: 'put_away', blocked: true },
};
const scan = { items: [anydesk], device: 'Den PC', time: new Date('2026-11-21T14:05:00.000Z'), time_zone: 'America/New_York' };
const url = 'https://x.test';

test('the email and SMS about a scan have the reviewed text for each user of the computer and reader (P8.2)', () =>
  expectReviewedTexts(
    'scan',
    [
      ['found', 'the holder'],
      ['found', 'the guardian'],
    ],
    (_found, user, reader) => {
      const facts: ScanFacts = { ...scan, person: people[user] };
      return reader === 'the holder'
        ? readAloud(holderScanEmail(facts, url), holderScanSms(facts, url))
        : readAloud(guardianScanEmail(facts, 'Ann Example', url), guardianScanSms(facts, 'Ann Example', url));
    },
  ));
