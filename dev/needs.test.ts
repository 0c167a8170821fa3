import { expect, test } from 'vitest';
import { type Need, needs, planInWords } from './needs.ts';

const parts = [
  { title: 'All packages', minutes: 14, measured: false },
  { title: 'The story', minutes: 0.4, measured: true },
];
const wine: Need = { name: 'Wine', isThere: () => false, packages: ['wine', 'nsis'], tests: 'the agent for Windows' };

test('the plan has each part with its time, which falls with the cores unless it was measured here', () => {
  expect(planInWords(parts, { missing: [], cores: 4, installs: true })).toEqual([
    'All tests, in 2 parts: about 7 minutes on 4 cores when nothing else runs.',
    '  1. All packages: about 7 minutes',
    '  2. The story: under a minute, as the last time here',
  ]);
});

test('the plan for root names the packages that will be installed, and how to leave them out', () => {
  expect(planInWords(parts, { missing: [wine], cores: 2, installs: true }).at(-1)).toBe(
    'Missing here, and installed now with apt-get: wine, nsis. To leave them out: npm test -- --no-install',
  );
});

test('the plan for anyone else names what is missing, the tests that are skipped, and the package to install', () => {
  expect(planInWords(parts, { missing: [wine], cores: 2, installs: false }).at(-1)).toBe(
    'Missing here: Wine (Debian: apt-get install wine nsis); skipped: the agent for Windows.',
  );
});

test('every need names its packages and the tests that use it', () => {
  for (const { packages, tests } of needs) expect([packages.length > 0, tests.length > 0]).toEqual([true, true]);
});
