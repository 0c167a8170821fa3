import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { idler, run } from '../../testing/programs.ts';
import { until } from '../../testing/until.ts';

it('a watch whose process has no free descriptor continues, and reports what started meanwhile', async () => {
  const script = fileURLToPath(new URL('../../testing/few-files.ts', import.meta.url));
  const watch = spawn('/bin/sh', ['-c', 'ulimit -n 100; exec "$@"', 'sh', process.execPath, script], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  onTestFinished(() => void watch.kill('SIGKILL'));
  let output = '';
  watch.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  await until('the first scan', () => output.includes('/'));
  watch.stdin.write('\n');
  await until('the last descriptor', () => output.includes('nothing is left'));
  const file = await idler('started-meanwhile');
  run(file, ['60']);
  const before = Date.now();
  await until('several scans', () => Date.now() - before > 200);
  expect([watch.exitCode, output.includes(file)]).toEqual([null, false]);
  watch.stdin.write('\n');
  await until('the report', () => output.includes(file));
});
