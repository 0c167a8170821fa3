import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { importsOf } from './imports.ts';
import { root } from './root.ts';
import { filesOfTier, testFiles, tierOf } from './tiers.ts';

const textOf = (file: string) => readFileSync(join(root, file), 'utf8');

describe('tiers', () => {
  test('every test is in one tier, and each tier has some', () => {
    const files = testFiles();
    expect(files.length).toBeGreaterThan(600);
    expect(files.filter((file) => tierOf(file, textOf(file)) === null)).toEqual([]);
    expect(filesOfTier('fast').length + filesOfTier('whole').length).toBe(files.length);
    for (const tier of ['fast', 'whole'] as const) expect(filesOfTier(tier).length).toBeGreaterThan(50);
  });

  test.each([
    ['server/features/x/x.test.ts', "import { test } from 'vitest';", 'fast'],
    ['server/features/x/x.test.ts', '// Tier: whole. It starts a proxy.\nimport …', 'whole'],
    ['e2e/x.e2e.ts', "import { test } from './lib/test.ts';", 'whole'],
    ['e2e/x.e2e.ts', '// Tier: fast. The journey of section 5, validation rules.\n', 'fast'],
    // Not without a reason, and not below the first line.
    ['e2e/x.e2e.ts', '// Tier: fast.\n', 'whole'],
    ['e2e/x.e2e.ts', 'import …\n// Tier: fast. A journey.\n', 'whole'],
    ['dev/x.test.ts', "import { test } from 'vitest';", 'fast'],
    ['dev/release/x.test.ts', "import { test } from 'vitest';", 'whole'],
    ['mobile/x.test.ts', "import { test } from 'vitest';", null],
  ] as const)('%s that begins with %j is in the tier %s', (file, source, tier) => {
    expect(tierOf(file, source)).toBe(tier);
  });

  /** What starts the product, other programs or another operating system as processes, and takes seconds for it. */
  const heavy = /^dev\/(world|wine|copy-of-tree|recipe-tree|test-postgres)\.ts$|^dev\/drills\/|^server\/db\/embedded\/start\.ts$/;

  test('no fast test of a package starts the product or another system as processes', () => {
    const direct = (file: string) => importsOf(file, textOf(file)).filter(({ to, types_only }) => !types_only && heavy.test(to));
    const packages = (tier: 'fast' | 'whole') => filesOfTier(tier).filter((file) => !file.startsWith('e2e/'));
    expect(
      packages('fast').flatMap((file) => direct(file).map(({ to }) => `${file} imports ${to}: begin it with // Tier: whole.`)),
    ).toEqual([]);
    expect(packages('whole').filter((file) => direct(file).length).length).toBeGreaterThan(5);
  });

  test('the journeys of the fast tier cover each of the nine sections of the specification', () => {
    const journeys = filesOfTier('fast').filter((file) => file.startsWith('e2e/') && !file.startsWith('e2e/components/'));
    expect(journeys.length).toBeGreaterThanOrEqual(9);
    const sections = new Set(journeys.flatMap((file) => [...textOf(file).matchAll(/\[(\d)\.\d+\]/g)].map(([, section]) => section)));
    expect([...sections].toSorted()).toEqual(['1', '2', '3', '4', '5', '6', '7', '8', '9']);
  });
});

test('a browser test that starts a server of its own, which takes seconds, says why in its first line', () => {
  const starts = (file: string) => /startTestWorld\(|startIntegrationsWorld\(/.test(textOf(file));
  const own = testFiles().filter((file) => file.startsWith('e2e/') && starts(file));
  expect(own.length).toBeGreaterThan(10);
  expect(own.filter((file) => !/^(\/\/ Tier: .*\n)?\/\/ Its own server: \S/.test(textOf(file)))).toEqual([]);
});
