import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeSelfCheck } from '@porchlight/packaging/programs.ts';
import { jsonMarks, type Report } from '@porchlight/packaging/self-check/report.ts';
import { expect } from 'vitest';
import { root } from '../root.ts';
import type { Scene } from './scene.ts';

/** What wine has of Windows. The policy table has no rule while another program has the DNS port. */
const shownInWine = ['3 (connected)', '7 (service)', '9 (harmless name)', '10 (entries)', '18 (links)', '31 (policies)'];
/** What only a real Windows can answer, so that an answer in wine would be invented. */
const notInWine = ['5 (program)', '6', '10 (start)', '12 (names)', '28 (rights)', '30 (processes)', '35 (signatures)', '38 (hosts file)'];

/**
 * The self-check beside the installed service. Wine has no PowerShell, starts a program in spite of Image File Execution Options, and prints
 * less about a service than Windows.
 */
export async function selfCheckRuns({ wine, onC }: Scene, dnsPortIsFree: boolean): Promise<void> {
  await mkdir(onC('checked'), { recursive: true });
  await writeSelfCheck('win-x64', join(root, '.cache', 'installers'), onC('self-check'));
  const options = ['--yes-to-none', '--guardian-knows', '--out', 'C:\\checked'];
  const { code, output } = await wine.run('C:\\self-check\\win-x64\\node.exe', 'C:\\self-check\\win-x64\\self-check.cjs', ...options);
  const [name = ''] = await readdir(onC('checked'));
  expect(name, output).toMatch(/^porchlight-self-check-windows-\d{4}-\d\d-\d\d\.txt$/);
  const text = await readFile(onC(`checked\\${name}`), 'utf8');
  const report = JSON.parse(text.slice(text.indexOf(jsonMarks.begin) + jsonMarks.begin.length, text.indexOf(jsonMarks.end))) as Report;
  const rowsWith = (wanted: string) => report.rows.filter(({ verdict }) => verdict === wanted).map(({ row }) => row);
  expect(rowsWith('held')).toEqual(expect.arrayContaining([...shownInWine, ...(dnsPortIsFree ? ['12 (rule)'] : [])]));
  expect(rowsWith('not_played')).toEqual(expect.arrayContaining(notInWine));
  const ownName = report.rows.find(({ row }) => row === '9 (its own name)');
  const measuredMs = Number(/ended after (\d+) ms; a harmless/.exec(ownName?.evidence ?? '')?.[1]);
  console.log(`Beside the self-check: ${ownName?.evidence}`);
  expect(ownName?.verdict, ownName?.evidence).toBe(measuredMs <= 500 ? 'held' : 'not_held');
  expect(code).toBe(rowsWith('not_held').length ? 1 : 0);
  expect(rowsWith('not_held').filter((row) => row !== '9 (its own name)')).toEqual([]);
}
