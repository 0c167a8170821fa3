import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { changedFiles } from './changed-files.ts';
import { type Impact, readImpact } from './impact.ts';
import { importsOf } from './imports.ts';
import { root } from './root.ts';
import { testFiles, tierOf } from './tiers.ts';
import { filesBelow } from './walk.ts';

/** The tests that a change can break: which, and why in words. */
export interface ChangedTests {
  lines: string[];
  files: string[];
}

/** What the choice depends on; `read` gives the text of a file of the repository. */
export interface Repository {
  changed: string[];
  tests: string[];
  impact: Impact | null;
  read(file: string): string;
}

interface Reason {
  /** As the end of the sentence *12 files …*. */
  because: string;
  files: string[];
}

/** Tests that try every call of the contract, or compare every table. */
const matrices =
  /^server\/testing\/(matrix|guardian-matrix|hostile-fields|insert-people|neighbours|weakening|strangers|retention)\.test\.ts$/;

/** `base`: the revision that the working tree is compared with. Throws a sentence without git. */
export function selectChanged(base: string): ChangedTests {
  const changed = changedFiles(root, base);
  if (!changed) throw new Error(`git does not say what differs from ${base}. Name the tests: npm test -- PATH`);
  return chooseTests({ changed, tests: testFiles(), impact: readImpact(), read: (file) => readFileSync(join(root, file), 'utf8') });
}

export function chooseTests(repository: Repository): ChangedTests {
  const { changed, impact } = repository;
  if (!changed.length) return { lines: ['Nothing differs, so no test is affected.'], files: [] };
  const reasons = reasonsFor(repository);
  const files = [...new Set(reasons.flatMap((reason) => reason.files))].toSorted();
  const shown = changed.length > 6 ? [...changed.slice(0, 6), `and ${changed.length - 6} more`] : changed;
  return {
    files,
    lines: [
      `Changed: ${shown.join(', ')}.`,
      `${files.length} of ${repository.tests.length} test files can notice it:`,
      ...reasons.filter((reason) => reason.files.length).map(({ because, files: chosen }) => `  ${chosen.length} ${because}`),
      ...(impact
        ? []
        : ['  There is no map yet of which tests run which code: npm test -- --all --map writes one, and then more are chosen.']),
      'The others did not run. Before a change lands: npm test -- --all',
    ],
  };
}

function reasonsFor({ changed, tests, impact, read }: Repository): Reason[] {
  const source = changed.filter((file) => !tests.includes(file));
  const folders = [...new Set(source.flatMap(foldersOf))];
  const inFolders = tests.filter((test) => folders.some((folder) => test.startsWith(`${folder}/`)) && tierOf(test, read(test)) === 'fast');
  const touchesCalls = source.some((file) => /^(server|contract)\//.test(file));
  return [
    { because: 'changed themselves', files: tests.filter((test) => changed.includes(test)) },
    { because: `in ${folders.join(', ') || 'no folder'}`, files: inFolders },
    { because: 'beside a changed file, with its name', files: source.flatMap((file) => tests.filter((test) => isTestOf(test, file))) },
    { because: 'run code of these files', files: tests.filter((test) => impact?.[test]?.some((file) => source.includes(file))) },
    { because: 'use the simulator', files: tests.filter((test) => source.some((file) => usesSimulator(test, file))) },
    {
      because: 'try every call of the contract or compare every table',
      files: touchesCalls ? tests.filter((test) => matrices.test(test)) : [],
    },
    { because: 'are pure, and take seconds', files: source.length ? tests.filter((test) => isPure(test, read)) : [] },
    {
      because: 'are journeys that show a text of these files, or one for each section',
      files: source.length ? journeys(source, tests, read) : [],
    },
  ];
}

/** `server/features/devices/store.ts` → its feature's folder. A file that composes a program, such as `server/app.ts`, → all of the program. */
function foldersOf(file: string): string[] {
  const [program = '', folder = '', feature = ''] = file.split('/');
  if (program === 'contract') return ['contract', `server/features/${folder.replace(/\.ts$/, '')}`];
  if (program === 'dashboard') return ['dashboard'];
  if (folder === 'features') return [`${program}/features/${feature}`];
  if (folder === '') return [];
  return folder.includes('.') ? [program] : [`${program}/${folder}`];
}

const isTestOf = (test: string, file: string) => {
  const name = file.replace(/\.tsx?$/, '');
  return test.startsWith(`${name}.test.`) || test.startsWith(`${name}.e2e.`);
};

/** The server's tests of a simulator have its name: `simulators/stripe/…` → `server/testing/stripe-pages.test.ts`. */
function usesSimulator(test: string, file: string): boolean {
  const [program, simulator] = file.split('/');
  return program === 'simulators' && test.startsWith(`server/testing/${simulator}-`);
}

/** Modules that open a database, start a process or stand for a whole computer. */
const heavy =
  /^(server\/testing\/|server\/db\/open|agent\/testing\/|dev\/world|dev\/child|simulators\/testing|packaging\/testing|node:(child_process|net|http))/;

const pureByFile = new Map<string, boolean>();
function isPure(file: string, read: (path: string) => string): boolean {
  if (file.startsWith('e2e/')) return false;
  const known = pureByFile.get(file);
  if (known !== undefined) return known;
  // Until its imports are read: a circle of imports adds nothing.
  pureByFile.set(file, true);
  const imported = importsOf(file, textOf(file, read)).filter(({ types_only }) => !types_only);
  const pure = imported.every(({ to }) => !heavy.test(to) && (!/^[a-z]+\/.*\.tsx?$/.test(to) || isPure(to, read)));
  pureByFile.set(file, pure);
  return pure;
}

function textOf(file: string, read: (path: string) => string): string {
  try {
    return read(file);
  } catch {
    return '';
  }
}

/** Texts of screens that are long enough to belong to one screen alone. */
const literal = /(['"`])((?:(?!\1)[^\\\n$]){12,80})\1/g;

/** The journeys of the fast tier, and those whose source has a text that the changed feature of the dashboard shows. */
function journeys(source: string[], tests: string[], read: (path: string) => string): string[] {
  const shown = source
    .filter((file) => file.startsWith('dashboard/'))
    .flatMap((file) => filesBelow(posix.dirname(file), /\.tsx?$/))
    .flatMap((file) => [...textOf(file, read).matchAll(literal)].map(([, , text = '']) => text))
    .filter((text) => text.includes(' '));
  const texts = [...new Set(shown)];
  return tests
    .filter((test) => test.startsWith('e2e/'))
    .filter((test) => {
      const text = read(test);
      return tierOf(test, text) === 'fast' || texts.some((one) => text.includes(one));
    });
}
