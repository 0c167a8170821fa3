import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Verdict, verdictWords } from './rows.ts';
import type { RowResult } from './run.ts';

export interface Report {
  /** The date of the computer, such as 2027-04-30. */
  date: string;
  system: 'windows' | 'macos' | 'linux';
  system_version: string;
  agent_version: string;
  /** Whether the self-check was played to its end. */
  complete: boolean;
  seconds: number;
  rows: RowResult[];
}

export const jsonMarks = { begin: '----- JSON of the self-check begins -----', end: '----- JSON of the self-check ends -----' } as const;

const [MAX_LINES, MAX_LENGTH] = [12, 240];

export function countOf(rows: RowResult[], verdict: Verdict): number {
  return rows.filter((row) => row.verdict === verdict).length;
}

/** Names are replaced before long lines are cut, because half a name is not recognised. */
function shortened(evidence: string, redact: (text: string) => string): string {
  const lines = redact(evidence)
    .split(/\r?\n/)
    .map((line) => (line.length > MAX_LENGTH ? `${line.slice(0, MAX_LENGTH)} …` : line.trimEnd()))
    .filter((line) => line !== '');
  return lines.length > MAX_LINES
    ? [...lines.slice(0, MAX_LINES), `… and ${lines.length - MAX_LINES} more lines`].join('\n')
    : lines.join('\n');
}

export function reportText(report: Report, redact: (text: string) => string): string {
  const rows = report.rows.map((row) => ({ ...row, evidence: shortened(row.evidence, redact) })).toSorted((a, b) => a.number - b.number);
  const failedRows = rows.filter(({ verdict }) => verdict === 'not_held').map(({ row }) => row);
  const head = [
    'What the release checks of Porchlight saw on this computer',
    '',
    `Date: ${report.date}`,
    `System: ${report.system}, ${redact(report.system_version)}`,
    `Agent: ${report.agent_version}`,
    `Time taken: ${report.seconds} s${report.complete ? '' : ' (stopped before its end)'}`,
    `Rows: ${countOf(rows, 'held')} held, ${countOf(rows, 'not_held')} not held, ${countOf(rows, 'not_played')} not played`,
    ...(failedRows.length ? [`Not held: ${failedRows.join(', ')}`] : []),
    'The numbers are those of docs/release-checks.md. Names, addresses and codes of this computer are replaced by words like <user>.',
  ];
  const body = rows.map(({ row, verdict, step, expected, evidence, seconds }) =>
    [
      `Row ${row}: ${verdictWords[verdict]} (${seconds} s)`,
      `  Step: ${step}`,
      `  Expected: ${expected}`,
      ...evidence.split('\n').map((line) => `  > ${line}`),
    ].join('\n'),
  );
  const json = JSON.stringify({ ...report, system_version: redact(report.system_version), rows });
  return `${[head.join('\n'), ...body, [jsonMarks.begin, json, jsonMarks.end].join('\n')].join('\n\n')}\n`;
}

/**
 * Writes a new file in the first of the folders that takes one, and returns its path. It never writes over a file nor through a link, since
 * others may be able to make files there.
 */
export async function writeReport(report: Report, text: string, folders: string[]): Promise<string> {
  const name = `porchlight-self-check-${report.system}-${report.date}`;
  let reason: unknown = new Error('There is no folder for the file.');
  for (const folder of folders) {
    for (let n = 1; n <= 99; n++) {
      const path = join(folder, `${name}${n === 1 ? '' : `-${n}`}.txt`);
      try {
        await writeFile(path, text, { flag: 'wx' });
        // Under sudo it belongs to root, and the user must still be able to send it.
        await chmod(path, 0o644);
        return path;
      } catch (err) {
        reason = err;
        if ((err as NodeJS.ErrnoException).code !== 'EEXIST') break;
      }
    }
  }
  throw reason;
}
