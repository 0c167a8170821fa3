import { mkdir, readdir, readFile } from 'node:fs/promises';
import { jsonMarks, type Report } from '@porchlight/agent/self-check/report.ts';
import { expect } from 'vitest';
import type { Scene } from './scene.ts';
import { program } from './tools.ts';

/**
 * `--self-check` beside the installed service. Wine has no PowerShell, starts a program in spite of Image File Execution Options, and says less
 * about a service than Windows, so those rows must not be played; what it has must be as expected.
 */
export async function selfCheckRuns({ wine, onC }: Scene): Promise<void> {
  await mkdir(onC('checked'), { recursive: true });
  const { code, output } = await wine.run(program, '--self-check', '--yes-to-none', '--guardian-knows', '--out', 'C:\\checked');
  console.log(`The self-check in wine:\n${output}`);
  const [name = ''] = await readdir(onC('checked'));
  expect(name).toMatch(/^porchlight-self-check-windows-\d{4}-\d\d-\d\d\.txt$/);
  const text = await readFile(onC(`checked\\${name}`), 'utf8');
  console.log(text);
  const report = JSON.parse(text.slice(text.indexOf(jsonMarks.begin) + jsonMarks.begin.length, text.indexOf(jsonMarks.end))) as Report;
  expect(code).toBe(report.rows.some(({ verdict }) => verdict === 'not_held') ? 1 : 0);
}
