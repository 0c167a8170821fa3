import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './root.ts';
import { filesBelow } from './walk.ts';

/** `npm test` runs the fast tier, `npm test -- --all` both. Drills (`dev/drills/*.drill.ts`) are no tests: they run by themselves, at night. */
export type Tier = 'fast' | 'whole';

/** The innermost folder counts. A folder of tests that is not here is in no tier, and `tiers.test.ts` fails. */
const tierOfFolder: Record<string, Tier> = {
  contract: 'fast',
  definitions: 'fast',
  server: 'fast',
  simulators: 'fast',
  dashboard: 'fast',
  agent: 'fast',
  dev: 'fast',
  'dev/drills': 'whole',
  'dev/release': 'whole',
  'dev/windows': 'whole',
  packaging: 'whole',
  'packaging/self-check': 'fast',
  e2e: 'whole',
  'e2e/components': 'fast',
};

/** The first line of a file that is in another tier than its folder, with the reason: `// Tier: whole. It starts nginx.` */
const mark = /^\/\/ Tier: (fast|whole)\. \S/;

export const testFiles = (): string[] => filesBelow('.', /\.(test\.tsx?|e2e\.ts)$/);

/** Null: it is in none. `source`: the file's text. */
export function tierOf(file: string, source: string): Tier | null {
  const folder = Object.keys(tierOfFolder)
    .filter((one) => file.startsWith(`${one}/`))
    .toSorted((a, b) => b.length - a.length)[0];
  return (mark.exec(source)?.[1] as Tier | undefined) ?? tierOfFolder[folder ?? ''] ?? null;
}

export const filesOfTier = (tier: Tier): string[] =>
  testFiles().filter((file) => tierOf(file, readFileSync(join(root, file), 'utf8')) === tier);

/** Set for the test runners by `npm test`: they leave out the files of the other tier. */
export const tierVariable = 'TEST_TIER';

/** Set for the test runners by `npm test`: how often a failed test is tried again. They report a test that passes then as flaky. */
export const retriesVariable = 'TEST_RETRIES';
export const retries = (): number => Number(process.env[retriesVariable] ?? 0);

/** The files that this run leaves out; a file that is named runs in any tier. */
export const leftOut = (): string[] => (process.env[tierVariable] === 'fast' ? filesOfTier('whole') : []);
