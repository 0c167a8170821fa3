import { expect, test } from 'vitest';
import { chooseTests, type Repository } from './changed-tests.ts';

const texts: Record<string, string> = {
  'contract/names.test.ts': "import { firstName } from './names.ts';",
  'contract/names.ts': "export const firstName = (name: string) => name.split(' ')[0];",
  'server/features/devices/store.test.ts': "import { testServer } from '../../testing/world.ts';",
  'server/features/guardians/guardians.test.ts': "import { testServer } from '../../testing/world.ts';",
  'server/features/devices/slow.test.ts': "// Tier: whole. It starts processes.\nimport { startWorld } from '@porchlight/dev/world.ts';",
  'server/testing/matrix.test.ts': "import { testServer } from './world.ts';",
  'server/testing/stripe-pages.test.ts': "import { testServer } from './world.ts';",
  'server/testing/twilio-simulator.test.ts': "import { testServer } from './world.ts';",
  'dashboard/lib/paths.test.ts': "import { paths } from './paths.ts';",
  'dashboard/lib/paths.ts': '',
  'agent/lock/lock-rule.test.ts': "import { fakeOs } from '../testing/fake-os.ts';",
  'e2e/frame.e2e.ts': '// Tier: fast. The journey of section 2, screens and routes.',
  'e2e/help.e2e.ts': "await page.getByText('I think I am being scammed').click();",
};
const repository = (changed: string[], impact: Repository['impact'] = null): Repository => ({
  ...{ changed, impact, tests: Object.keys(texts).filter((file) => /\.(test|e2e)\.ts$/.test(file)) },
  read(file) {
    const text = texts[file];
    if (text === undefined) throw new Error(`There is no ${file}.`);
    return text;
  },
});
const chosen = (changed: string[], impact?: Repository['impact']) => chooseTests(repository(changed, impact)).files;
const pureTests = ['contract/names.test.ts', 'dashboard/lib/paths.test.ts'];
const journey = 'e2e/frame.e2e.ts';
const matrix = 'server/testing/matrix.test.ts';

test('a changed feature of the server chooses its folder, the tests of every call, the pure ones and a journey, and no test of another feature', () => {
  expect(chosen(['server/features/devices/store.ts'])).toEqual(
    [...pureTests, journey, 'server/features/devices/store.test.ts', matrix].toSorted(),
  );
});

test('with a map of coverage, tests elsewhere that ran the changed code are chosen too, also of the other tier', () => {
  const impact = {
    'server/features/guardians/guardians.test.ts': ['server/features/devices/store.ts'],
    'server/features/devices/slow.test.ts': ['server/features/devices/store.ts'],
    'agent/lock/lock-rule.test.ts': ['agent/lock/lock-rule.ts'],
  };
  const files = chosen(['server/features/devices/store.ts'], impact);
  expect(files).toContain('server/features/guardians/guardians.test.ts');
  expect(files).toContain('server/features/devices/slow.test.ts');
  expect(files).not.toContain('agent/lock/lock-rule.test.ts');
});

test('a changed test chooses itself alone, because no code differs', () => {
  expect(chosen(['server/features/guardians/guardians.test.ts'])).toEqual(['server/features/guardians/guardians.test.ts']);
});

test('a changed agent chooses the tests of its folder, and not those that try the server’s calls', () => {
  expect(chosen(['agent/lock/lock-rule.ts'])).toEqual([...pureTests, 'agent/lock/lock-rule.test.ts', journey].toSorted());
});

test('a changed composition of a program chooses all of its fast tests', () => {
  const ofServer = Object.keys(texts).filter((file) => /^server.*\.test\.ts$/.test(file) && !file.includes('slow'));
  expect(chosen(['server/app.ts'])).toEqual([...pureTests, journey, ...ofServer].toSorted());
});

test('a changed simulator chooses the server’s tests of it, and of no other simulator', () => {
  const files = chosen(['simulators/stripe/passes.ts']);
  expect(files).toContain('server/testing/stripe-pages.test.ts');
  expect(files).not.toContain('server/testing/twilio-simulator.test.ts');
});

test('a changed contract chooses the tests of every call', () => {
  expect(chosen(['contract/names.ts'])).toEqual([...pureTests, journey, matrix].toSorted());
});

test('the choice is printed in words, with why, and with the command that a landing needs', () => {
  expect(chooseTests(repository(['server/features/devices/store.ts'])).lines).toEqual([
    'Changed: server/features/devices/store.ts.',
    '5 of 11 test files can notice it:',
    '  1 in server/features/devices',
    '  1 beside a changed file, with its name',
    '  1 try every call of the contract or compare every table',
    '  2 are pure, and take seconds',
    '  1 are journeys that show a text of these files, or one for each section',
    '  There is no map yet of which tests run which code: npm test -- --all --map writes one, and then more are chosen.',
    'The others did not run. Before a change lands: npm test -- --all',
  ]);
});

test('without a change nothing is chosen', () => {
  expect(chooseTests(repository([]))).toEqual({ lines: ['Nothing differs, so no test is affected.'], files: [] });
});
