import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './root.ts';

const bench = (...args: string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, 'dev', 'bench.ts'), ...args], { encoding: 'utf8' });
  return { status, stdout, stderr };
};

test.each(['--help', '-h'])('npm run bench -- %s prints help and measures nothing', (asked) => {
  const { status, stdout, stderr } = bench(asked, '--json');
  expect([status, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/^npm run bench .+\n[\s\S]+What there is: .*\bagent, alerts\b.*\bgrowth\b/);
});

test('an option that there is not is refused, and nothing is measured', () => {
  const { status, stdout, stderr } = bench('--jsno');
  expect([status, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(/^There is no --jsno\./);
});

test('a name that there is not measures nothing, and says so', () => {
  expect(bench('no-such-bench')).toMatchObject({ status: 1, stderr: 'There was nothing to measure.\n' });
});
