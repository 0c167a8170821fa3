import { existsSync, statSync } from 'node:fs';
import { relative, resolve, sep } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from './root.ts';
import { filesBelow } from './walk.ts';

/** What was typed after `npm test --`. */
export interface Selection {
  /** Files of tests, as paths from the repository's root; empty for all tests there are. */
  vitest: string[];
  playwright: string[];
  /** Runs only tests with this in their title. */
  title: string | null;
  plan: boolean;
  install: boolean;
}

const isVitest = /\.test\.tsx?$/;
const isPlaywright = /^e2e\/.*\.(e2e|test)\.ts$/;

/** Throws a sentence for a person when there is no such test. `from`: the folder in which it was typed. */
export function readSelection(args: string[], from: string): Selection {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    allowNegative: true,
    options: {
      title: { type: 'string', short: 't' },
      plan: { type: 'boolean', default: false },
      install: { type: 'boolean', default: true },
    },
  });
  const files = [...new Set(positionals.flatMap((typed) => testsIn(typed, from)))].toSorted();
  return {
    vitest: files.filter((file) => !isPlaywright.test(file)),
    playwright: files.filter((file) => isPlaywright.test(file)),
    title: values.title ?? null,
    plan: values.plan,
    install: values.install,
  };
}

function testsIn(typed: string, from: string): string[] {
  const path = [resolve(from, typed), resolve(root, typed)].find((one) => existsSync(one));
  if (!path) throw new Error(`There is no ${typed}.`);
  const file = relative(root, path).split(sep).join('/');
  if (!statSync(path).isDirectory()) {
    if (isVitest.test(file) || isPlaywright.test(file)) return [file];
    const beside = testsBelow(file.split('/').slice(0, -1).join('/'));
    throw new Error(`${file} is no test.${beside.length ? ` Tests beside it: ${beside.join(', ')}.` : ''}`);
  }
  const found = testsBelow(file);
  if (!found.length) throw new Error(`There is no test in ${file}.`);
  return found;
}

const testsBelow = (folder: string) =>
  filesBelow(folder || '.', /\.(test\.tsx?|e2e\.ts)$/).filter((file) => isVitest.test(file) || isPlaywright.test(file));

/** The workspace of a file is the project of vitest that runs it. */
export const projectsOf = (files: string[]): string[] => [...new Set(files.map((file) => file.split('/')[0] ?? ''))];
