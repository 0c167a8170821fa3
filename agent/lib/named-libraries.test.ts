import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../testing/agent.ts';
import { namedLibraries } from './named-libraries.ts';

const asked = ['libexample.dll', 'lib/libexample.so', 'Other.Core.dll'];

it.each<[string, { program: Buffer | string; beside: string[] }, string[]]>([
  ['the library beside it and its name in it', { program: '..LibExample.dll..', beside: ['libexample.dll'] }, ['libexample.dll']],
  ['a library in a folder below', { program: 'x libexample.so', beside: ['lib/libexample.so'] }, ['lib/libexample.so']],
  [
    'the name in two bytes for each letter, at an odd place',
    { program: Buffer.concat([Buffer.from('x'), Buffer.from('Other.Core', 'utf16le')]), beside: ['Other.Core.dll'] },
    ['Other.Core.dll'],
  ],
  ['only the library, as beside any download', { program: 'something else', beside: ['libexample.dll'] }, []],
  ['only the name', { program: 'libexample.dll', beside: [] }, []],
  ['another library', { program: 'libexample.dll', beside: ['libexample2.dll'] }, []],
  [
    'a program over the limit',
    { program: Buffer.concat([Buffer.alloc(16 << 20), Buffer.from('libexample.dll')]), beside: ['libexample.dll'] },
    [],
  ],
])('a program names a library: %s', async (_what, { program, beside }, expected) => {
  const folder = await temporaryFolder();
  mkdirSync(join(folder, 'lib'));
  for (const library of beside) writeFileSync(join(folder, library), '');
  writeFileSync(join(folder, 'support.exe'), program);
  expect(namedLibraries(join(folder, 'support.exe'), asked)).toEqual(expected);
});

it('a program that cannot be read names nothing', async () => {
  const folder = await temporaryFolder();
  writeFileSync(join(folder, 'libexample.dll'), '');
  expect(namedLibraries(join(folder, 'gone.exe'), asked)).toEqual([]);
});
