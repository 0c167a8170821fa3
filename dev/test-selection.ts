import { existsSync, statSync } from 'node:fs';
import { relative, resolve, sep } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from './root.ts';
import { filesBelow } from './walk.ts';

export interface Selection {
  vitest: string[];
  playwright: string[];
  title: string | null;
  plan: boolean;
  install: boolean;
  /** Failed files are not run again. */
  strict: boolean;
}

const isVitest = /\.test\.tsx?$/;
const isPlaywright = /^e2e\/.*\.(e2e|test)\.ts$/;

/** Parses the arguments of `npm test`. Throws a sentence for an unknown test. `from`: the current folder. */
export function readSelection(args: string[], currentFolder: string): Selection {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    allowNegative: true,
    options: {
      title: { type: 'string', short: 't' },
      plan: { type: 'boolean', default: false },
      install: { type: 'boolean', default: true },
      strict: { type: 'boolean', default: false },
    },
  });
  const files = [...new Set(positionals.flatMap((typedPath) => testsIn(typedPath, currentFolder)))].toSorted();
  return {
    vitest: files.filter((file) => !isPlaywright.test(file)),
    playwright: files.filter((file) => isPlaywright.test(file)),
    title: values.title ?? null,
    plan: values.plan,
    install: values.install,
    strict: values.strict,
  };
}

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

export const projectsOf = (files: string[]): string[] => [...new Set(files.map((file) => file.split('/')[0] ?? ''))];
