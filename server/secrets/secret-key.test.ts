import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { secretKeyIn } from './secret-key.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'secret-key-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('fifty parallel calls get the same complete secret key, whose file only its owner can read, and leave no other file', async () => {
  const keys = await Promise.all(Array.from({ length: 50 }, () => secretKeyIn(folder)));
  expect(new Set(keys).size).toBe(1);
  expect(keys[0]).toMatch(/^[\w-]{43}$/);
  expect(readdirSync(folder)).toEqual(['secret.key']);
  expect(statSync(join(folder, 'secret.key')).mode & 0o777).toBe(0o600);
});

test.each(['', 'half of a key'])('a damaged key file (%j) is reported with instructions, and not changed', async (fileContent) => {
  const path = join(folder, 'secret.key');
  writeFileSync(path, fileContent);
  await expect(secretKeyIn(folder)).rejects.toThrow(
    `The file ${path} is damaged. Put the key back from a backup, or remove the file if Porchlight never ran here.`,
  );
  expect(readFileSync(path, 'utf8')).toBe(fileContent);
});
