import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../testing/agent.ts';
import { codeInFile, forgetCode } from './code-file.ts';

it.each([
  ['ABCD-EFGH\n', 'ABCD-EFGH'],
  ['/tmp/Porchlight [abcd-efgh] (1).deb\n', 'ABCD-EFGH'],
  ['/tmp/other.deb\n/tmp/Porchlight%20%5BABCD-EFGH%5D.deb\n', 'ABCD-EFGH'],
  ['/tmp/Porchlight.deb\n', null],
  ['[ABCD-EFGH].deb\n[BCDE-FGHJ].deb\n', null],
  ['', null],
])('[P3.4] the file %j contains the code %j', async (content, code) => {
  const folder = await temporaryFolder();
  const file = join(folder, 'code');
  await writeFile(file, content);
  expect(await codeInFile(file)).toBe(code);
  await forgetCode(file);
  await forgetCode(file);
  expect(await readdir(folder)).toEqual([]);
  expect(await codeInFile(file)).toBeNull();
});
