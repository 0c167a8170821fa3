import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './root.ts';

const bench = (...args: string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, 'dev', 'bench.ts'), ...args], { encoding: 'utf8' });
  return { status, stdout, stderr };
};

test.each(['--help', '-h'])('npm run bench -- %s prints help and measures nothing', (option) => {
  const { status, stdout, stderr } = bench(option, '--json');
  expect([status, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/^npm run bench .+\n[\s\S]+What there is: .*\bagent, alerts\b.*\bgrowth\b/);
});

test('npm run bench refuses an unknown option and measures nothing', () => {
  const { status, stdout, stderr } = bench('--jsno');
  expect([status, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(/^There is no --jsno\./);
});

test('npm run bench with an unknown name measures nothing and prints an error', () => {
  expect(bench('no-such-bench')).toMatchObject({ status: 1, stderr: 'There was nothing to measure.\n' });
});
