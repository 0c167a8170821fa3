import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../testing/agent.ts';
import { readEnrolFile, removeEnrolFile } from './enrol-file.ts';

const wide = (text: string) => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')]);

test.each([
  ['as macOS writes it', Buffer.from('ABCD-EFGH\n'), { code: 'ABCD-EFGH', free: true }],
  ['as Windows writes it', wide('ABCD-EFGH\r\n'), { code: 'ABCD-EFGH', free: true }],
  ['without a code', Buffer.from('\n'), { free: true }],
  ['empty', Buffer.alloc(0), { free: true }],
  ['with something else', Buffer.from('--link x'), { free: true }],
])('[P3.4] the agent reads the enrol file %s and removes it after use', async (_how, content, options) => {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'enrol'), content);
  expect(await readEnrolFile(folder)).toEqual(options);
  await removeEnrolFile(folder);
  expect(await readdir(folder)).toEqual([]);
  expect(await readEnrolFile(folder)).toBeNull();
});
