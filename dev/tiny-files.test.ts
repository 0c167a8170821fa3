import { expect, test } from 'vitest';
import { tinyFiles } from './tiny-files.ts';

const lines = (count: number) => '// A line.\n'.repeat(count);
const small = `export const a = 1;\n${lines(3)}`;
const found = ['dev/a.ts has 4 lines, and only dev/b.ts imports it: move it there.'];
const importing = "import { a } from './a.ts';\n";

/** The columns: what is tried, the files, and whether `dev/a.ts` is refused. */
test.each<[string, Record<string, string>, string[]]>([
  ['that only its neighbour imports is refused', { 'dev/a.ts': small, 'dev/b.ts': importing }, found],
  [
    'of which only its neighbour imports the types is refused',
    { 'dev/a.ts': small, 'dev/b.ts': "import type { A } from './a.ts';\n" },
    found,
  ],
  [
    'that only a test imports is refused',
    { 'dev/a.ts': small, 'dev/b.test.ts': importing },
    [found[0]?.replace('b.ts', 'b.test.ts') ?? ''],
  ],
  ['of 24 lines is refused', { 'dev/a.ts': small + lines(20), 'dev/b.ts': importing }, [found[0]?.replace('4 lines', '24 lines') ?? '']],
  ['of 25 lines may stay', { 'dev/a.ts': small + lines(21), 'dev/b.ts': importing }, []],
  ['that two files import may stay', { 'dev/a.ts': small, 'dev/b.ts': importing, 'dev/c.ts': importing }, []],
  ['that a file of another folder imports may stay', { 'dev/a.ts': small, 'dev/x/b.ts': "import { a } from '../a.ts';\n" }, []],
  ['that nobody imports may stay', { 'dev/a.ts': small }, []],
  ['that is imported when it is needed may stay', { 'dev/a.ts': small, 'dev/b.ts': `const { a } = await ${'import'}('./a.ts');\n` }, []],
  ['that is a program may stay', { 'dev/a.ts': 'start();\n', 'dev/b.ts': "import './a.ts';\n" }, []],
  ['whose importer would have more than 300 lines may stay', { 'dev/a.ts': small, 'dev/b.ts': importing + lines(296) }, []],
  ['whose importer would have 300 lines is refused', { 'dev/a.ts': small, 'dev/b.ts': importing + lines(295) }, found],
  ['of a workspace that is not checked may stay', { 'x/a.ts': small, 'x/b.ts': importing }, []],
])('a small file %s', (_, files, refused) => {
  expect(tinyFiles(Object.keys(files), ['dev'], (file) => files[file] ?? '')).toEqual(refused);
});

test.each(['dev/testing/a.ts', 'server/db/migrations/a.ts', 'dev/a.test.ts'])('the small file %s may stay', (file) => {
  const files: Record<string, string> = {
    [file]: small,
    [file.replace(/a\.(test\.)?ts$/, 'b.ts')]: `import '${file.replace(/.*\//, './')}';\n`,
  };
  expect(tinyFiles(Object.keys(files), ['dev', 'server'], (one) => files[one] ?? '')).toEqual([]);
});
