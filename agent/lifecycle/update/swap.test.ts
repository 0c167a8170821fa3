import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../testing/agent.ts';
import { swapIn } from './swap.ts';

async function staged() {
  const folder = await temporaryFolder();
  const program = join(folder, 'agent.exe');
  await writeFile(program, 'first');
  await writeFile(`${program}.new`, 'second');
  return { folder, program };
}

test.each(['linux', 'win32'] as const)('on %s the new program replaces the old one, which remains under another name', async (platform) => {
  const { folder, program } = await staged();
  await writeFile(`${program}.old`, 'long ago');
  await swapIn(program, `${program}.new`, platform);
  expect(await readFile(program, 'utf8')).toBe('second');
  expect(await readFile(`${program}.old`, 'utf8')).toBe('first');
  expect((await readdir(folder)).toSorted()).toEqual(['agent.exe', 'agent.exe.old']);
});

test('on Windows an old program that still runs remains, and the former program gets another name', async () => {
  const { folder, program } = await staged();
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
