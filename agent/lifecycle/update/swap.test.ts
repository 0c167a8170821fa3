import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../testing/agent.ts';
import { swapIn } from './swap.ts';

/** A program and a new one, each with its name in it. */
async function staged() {
  const folder = await temporaryFolder();
  const program = join(folder, 'agent.exe');
  await writeFile(program, 'first');
  await writeFile(`${program}.new`, 'second');
  return { folder, program };
}

test.each(['linux', 'win32'] as const)('on %s the new program replaces the old one, which is kept aside', async (platform) => {
  const { folder, program } = await staged();
  await writeFile(`${program}.old`, 'long ago');
  await swapIn(program, `${program}.new`, platform);
  expect(await readFile(program, 'utf8')).toBe('second');
  expect(await readFile(`${program}.old`, 'utf8')).toBe('first');
  expect((await readdir(folder)).toSorted()).toEqual(['agent.exe', 'agent.exe.old']);
});

test('on Windows an old program that still runs is kept under another name', async () => {
  const { folder, program } = await staged();
  // What stands for a file that is in use: a folder is not removed either.
  await mkdir(`${program}.old`);
  await swapIn(program, `${program}.new`, 'win32');
  expect(await readFile(program, 'utf8')).toBe('second');
  expect(await readFile(`${program}.old1`, 'utf8')).toBe('first');
  expect((await readdir(folder)).toSorted()).toEqual(['agent.exe', 'agent.exe.old', 'agent.exe.old1']);
});

test('a missing new program leaves the old one in place', async () => {
  const { program } = await staged();
  await expect(swapIn(program, `${program}.none`, 'win32')).rejects.toThrow();
  expect(await readFile(program, 'utf8')).toBe('first');
});
