import { brand } from '@porchlight/contract/brand.ts';
import type { RequestedKind } from '@porchlight/contract/held-requests.ts';
import { subjectWords } from '@porchlight/contract/words/activity-subject.ts';
import { accountTables } from '../../db/account-data.ts';
import type { ExportedRow, ExportHead, ExportWriter } from './export.ts';

/** Rows of one table that a page shows, so that a browser opens the page of an account with 100,000 alerts. */
const shownMax = 1000;

/** A readable page of an export: it loads nothing, runs nothing, and has the newest rows of each table. */
export function accountPage(): ExportWriter {
  let head: ExportHead | null = null;
  const tables = new Map<string, NewestRows>();
  return {
    begin(given) {
      head = given;
    },
    add(table, rows) {
      const { newest = [], count = 0 } = tables.get(table) ?? {};
      tables.set(table, { newest: [...newest, ...rows].slice(-shownMax), count: count + rows.length });
    },
    end: () => (head ? page(head, tables) : ''),
  };
}

interface NewestRows {
  newest: ExportedRow[];
  /** The count of all rows, the older ones included. */
  count: number;
}

function page({ account, exported }: ExportHead, tables: Map<string, NewestRows>): string {
  const sections = [...tables].map(([name, rows]) =>
    section(titleOf(name), name === 'activity_log' ? { ...rows, newest: rows.newest.map(withSubject) } : rows),
  );
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escapeText(`${brand.name}: ${account.email}`)}</title>
<style>${style}</style></head><body>
<h1>${escapeText(pageWords.heading(account.email))}</h1>
<p>${escapeText(pageWords.lead(momentText(new Date(exported))))}</p>
${sections.join('\n')}
</body></html>
`;
}

const pageWords = {
  heading: (email: string) => `Everything that ${brand.name} stores about ${email}`,
  lead: (moment: string) => `Collected on ${moment}. The JSON file has all of it, for programs. Passwords, PINs and keys are in neither.`,
  older: (n: number) => `And ${n} older ones, which are in the JSON file.`,
};

const style =
  'body{font:18px/1.5 Verdana,sans-serif;margin:24px}div{overflow-x:auto}table{border-collapse:collapse;font-size:16px}th,td{border:1px solid #888;padding:6px 10px;text-align:left;vertical-align:top}';

/** An entry of the activity log with its subject in words: the table has codes and times. */
const withSubject = (row: ExportedRow): ExportedRow =>
  typeof row.what === 'string' ? { ...row, what: subjectWords(row.kind as RequestedKind, row.what, times) } : row;

const titleOf = (name: string) => accountTables.find((table) => table.name === name)?.title ?? name;

function section(title: string, { newest, count }: NewestRows): string {
  const heading = `<h2>${escapeText(title)}</h2>`;
  const [first] = newest;
  if (count === 1 && first) return `${heading}<div><table>${Object.entries(first).map(fact).join('')}</table></div>`;
  const columns = Object.keys(first ?? {});
  const head = `<tr>${columns.map((column) => `<th scope="col">${label(column)}</th>`).join('')}</tr>`;
  const body = newest.map((row) => `<tr>${columns.map((column) => `<td>${cell(row[column])}</td>`).join('')}</tr>`).join('');
  const rest = count - newest.length;
  const more = rest > 0 ? `<p>${pageWords.older(rest)}</p>` : '';
  return `${heading}<div><table>${head}${body}</table></div>${more}`;
}

const fact = ([column, value]: [string, unknown]) => `<tr><th scope="row">${label(column)}</th><td>${cell(value)}</td></tr>`;

/** `Last seen` of `last_seen`. */
const label = (column: string) => escapeText(`${column.charAt(0).toUpperCase()}${column.slice(1).replaceAll('_', ' ')}`);

function cell(value: unknown): string {
  if (value === null) return '–';
  if (value instanceof Date) return escapeText(momentText(value));
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return escapeText(typeof value === 'object' ? JSON.stringify(value) : String(value));
}

/** `2026-11-21 14:05:09 UTC` */
const momentText = (moment: Date) => `${moment.toISOString().slice(0, 19).replace('T', ' ')} UTC`;

const times = { moment: momentText, date: (date: Date) => date.toISOString().slice(0, 10) };

const escapeText = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
