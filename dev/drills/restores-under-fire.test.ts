import { expect, test } from 'vitest';
import { restoresUnderFire } from './restores-under-fire.ts';

test('[P14.1] backups of a server in use, killed and repeated, are restored with equal rows on another PostgreSQL', async ({ skip }) => {
  const problems = await restoresUnderFire(3);
  const [reason = ''] = problems;
  if (/there is no PostgreSQL server/.test(reason)) skip(reason);
  expect(problems).toEqual([]);
}, 120_000);
