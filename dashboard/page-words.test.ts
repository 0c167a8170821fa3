import { readFileSync } from 'node:fs';
import { limits } from '@porchlight/contract/limits.ts';
import { periodInWords, retention } from '@porchlight/contract/retention.ts';
import { expect, test } from 'vitest';
import { fillPageWords } from './page-words.ts';

const [privacy, terms] = ['privacy-policy.html', 'terms-of-service.html'].map((file) =>
  readFileSync(new URL(file, import.meta.url), 'utf8'),
) as [string, string];
const page = fillPageWords(privacy, '1.2.3');

test('[P14.4] the privacy page has every period by which the server deletes, from the same numbers, with what it is about', () => {
  for (const { about, ...period } of Object.values(retention)) {
    const [unit = '', count = 0] = Object.entries(period)[0] ?? [];
    expect(page).toContain(`<strong>${count} ${count === 1 ? unit.replace(/s$/, '') : unit}:</strong> ${about}</li>`);
  }
  expect(page).toContain('<strong>13 months:</strong> Alerts');
  expect(page).toContain('<strong>90 days:</strong> What your computers report');
  expect(page).toContain('<strong>30 days:</strong> Emails and texts');
});

test('the terms have the length of the trial from the limits', () => {
  expect(fillPageWords(terms, '1.2.3')).toContain(`The trial lasts ${limits.trial_days} days.`);
});

test('the legal pages have no number of hours, days or months of their own, which could grow old', () => {
  const ownPeriods = (text: string) => text.match(/\b(\d+|an?|one|two|three|six|seven) (hour|day|week|month|year)s?\b/gi) ?? [];
  expect([...ownPeriods(privacy), ...ownPeriods(terms)]).toEqual([]);
  const others = ['7 days', '14 days'];
  expect(ownPeriods(page).toSorted()).toEqual([...others, ...Object.values(retention).map(periodInWords)].toSorted());
});

test('the privacy page has as many days of backups as the nightly backup stores files', () => {
  const unit = readFileSync(new URL('../packaging/server/porchlight-backup.service', import.meta.url), 'utf8');
  expect(page).toContain(`up to ${/--keep (\d+)/.exec(unit)?.[1]} days where a backup is made every night`);
});

test('the legal pages have no word that was not filled in', () => {
  expect(page + fillPageWords(terms, '1.2.3')).not.toContain('{{');
});
