import { existsSync, statSync } from 'node:fs';
import { relative, resolve, sep } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from './root.ts';
import type { Tier } from './tiers.ts';
import { filesBelow } from './walk.ts';

export interface Selection {
  tier: Tier;
  /** The files that a path or `--changed` selected, by their runner; null: all of the tier. */
  files: SelectedFiles | null;
  /** The revision that the working tree is compared with; null: not selected by changes. */
  changed: string | null;
  title: string | null;
  plan: boolean;
  /** Whether the run writes the map of which tests run which code (`impact.ts`). */
  map: boolean;
  install: boolean;
  /** Failed tests are not tried again. */
  strict: boolean;
}

export interface SelectedFiles {
  vitest: string[];
  playwright: string[];
}

const isVitest = /\.test\.tsx?$/;
const isPlaywright = /^e2e\/.*\.(e2e|test)\.ts$/;

/** Parses the arguments of `npm test`. Throws a sentence for an unknown test. `from`: the current folder. */
export function readSelection(args: string[], currentFolder: string): Selection {
  const { values, positionals } = parseArgs({
    args: args.flatMap((word, n) => (word === '--changed' ? changedWith(args[n + 1]) : isRevisionOf(args, n) ? [] : [word])),
    allowPositionals: true,
    allowNegative: true,
    options: {
      all: { type: 'boolean', default: false },
      changed: { type: 'string' },
      title: { type: 'string', short: 't' },
      plan: { type: 'boolean', default: false },
      map: { type: 'boolean', default: false },
      install: { type: 'boolean', default: true },
      strict: { type: 'boolean', default: false },
    },
  });
  const files = [...new Set(positionals.flatMap((typedPath) => testsIn(typedPath, currentFolder)))].toSorted();
  if (values.changed !== undefined && (values.all || files.length))
    throw new Error('--changed chooses the tests: leave out --all and paths.');
  if (values.all && files.length) throw new Error('--all runs every test: leave out the paths.');
  if (values.map && !values.all) throw new Error('Only a run of every test writes the map: npm test -- --all --map');
  if (values.title !== undefined && !files.length) throw new Error('Name a file or a folder beside -t.');
  return {
    tier: values.all ? 'whole' : 'fast',
    files: files.length ? byRunner(files) : null,
    changed: values.changed ?? null,
    title: values.title ?? null,
    plan: values.plan,
    map: values.map,
    install: values.install,
    strict: values.strict,
  };
}

/** The revision after `--changed` may be left out, which the parser does not know. */
const isRevision = (word: string | undefined): word is string => word !== undefined && !word.startsWith('-');
const changedWith = (next: string | undefined) => [`--changed=${isRevision(next) ? next : 'main'}`];
const isRevisionOf = (args: string[], n: number) => args[n - 1] === '--changed' && isRevision(args[n]);

export const byRunner = (files: string[]): SelectedFiles => ({
  vitest: files.filter((file) => !isPlaywright.test(file)),
  playwright: files.filter((file) => isPlaywright.test(file)),
});

function testsIn(typedPath: string, currentFolder: string): string[] {
  const path = [resolve(currentFolder, typedPath), resolve(root, typedPath)].find((one) => existsSync(one));
  if (!path) throw new Error(`There is no ${typedPath}.`);
  const file = relative(root, path).split(sep).join('/');
  if (!statSync(path).isDirectory()) {
    if (isVitest.test(file) || isPlaywright.test(file)) return [file];
    const siblingTests = testsBelow(file.split('/').slice(0, -1).join('/'));
    throw new Error(`${file} is no test.${siblingTests.length ? ` Tests beside it: ${siblingTests.join(', ')}.` : ''}`);
  }
  const foundTests = testsBelow(file);
  if (!foundTests.length) throw new Error(`There is no test in ${file}.`);
  return foundTests;
}

const testsBelow = (folder: string) =>
  filesBelow(folder || '.', /\.(test\.tsx?|e2e\.ts)$/).filter((file) => isVitest.test(file) || isPlaywright.test(file));
