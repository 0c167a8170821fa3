import { expect, test } from 'vitest';
import { type Need, neededPrograms, planText } from './needs.ts';

const parts = [
  { title: 'All packages', minutes: 14, lane: 'packages' },
  { title: 'The story', minutes: 0.4, lane: 'packages' },
];
const computer = { missing: [], cores: 4, installs: true, namespaces: true };
const wine: Need = { name: 'Wine', isThere: () => false, packages: ['wine', 'nsis'], tests: 'the agent for Windows' };

test('the test plan lists each part with its time, which is shorter with more cores', () => {
  expect(planText('whole', parts, computer)).toEqual([
    'All tests, in 2 parts: about 7 minutes on 4 cores when nothing else runs.',
    '  1. All packages: about 7 minutes',
    '  2. The story: under a minute',
  ]);
});

test('parts of different lanes run at the same time, so the test plan gives the time of the longest lane', () => {
  const screens = { title: 'The screens', minutes: 9, lane: 'screens' };
  expect(planText('whole', [...parts, screens], { ...computer, cores: 2 })[0]).toMatch(/: about 14 minutes on 2 cores/);
  expect(planText('whole', [...parts, { ...screens, lane: 'packages' }], { ...computer, cores: 2 })[0]).toMatch(
    /: about 23 minutes on 2 cores/,
  );
});

test('the test plan says that tests with an agent run one at a time where the system gives no namespaces', () => {
  const sentence = /namespaces of their own .* one at a time/;
  expect(planText('whole', parts, { ...computer, namespaces: false }).join('\n')).toMatch(sentence);
  expect(planText('whole', parts, computer).join('\n')).not.toMatch(sentence);
});

test('the test plan for root names the packages that will be installed, and how to skip installing', () => {
  expect(planText('whole', parts, { ...computer, missing: [wine] }).at(-1)).toBe(
    'Missing here, and installed now with apt-get: wine, nsis. To leave them out: npm test -- --no-install',
  );
});

test('the test plan for other users names missing programs, the skipped tests, and the package to install', () => {
  expect(planText('whole', parts, { ...computer, missing: [wine], installs: false }).at(-1)).toBe(
    'Missing here: Wine (Debian: apt-get install wine nsis); skipped: the agent for Windows.',
  );
});

test('the test plan names a program whose package would start a service apart from those that are installed', () => {
  const promtool: Need = { name: 'promtool', isThere: () => false, packages: ['prometheus'], tests: 'the alert rules', unpacked: true };
  const lines = planText('whole', parts, { ...computer, missing: [wine, promtool] }).slice(-2);
  expect(lines[0]).toMatch(/installed now with apt-get: wine, nsis\. /);
  expect(lines[1]).toMatch(/^Missing here: promtool/);
  expect(lines[1]).not.toContain('installed now');
});

test('every program that tests need has its packages and the tests that use it', () => {
  for (const { packages, tests } of neededPrograms) expect([packages.length > 0, tests.length > 0]).toEqual([true, true]);
});
