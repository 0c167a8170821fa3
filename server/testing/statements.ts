import pg from 'pg';
import { vi } from 'vitest';
import type { TestServer } from './world.ts';

export interface Statement {
  text: string;
  values: unknown[];
}

/** What PostgreSQL says about how it runs a statement. */
export interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: Plan[];
}

/** The statements that read or delete and were sent while `work` ran, by this process. */
export async function statementsOf(work: () => Promise<unknown>): Promise<Statement[]> {
  const sent = vi.spyOn(pg.Client.prototype, 'query');
  try {
    await work();
    const all = sent.mock.calls as unknown as [unknown, unknown[]?][];
    return all.flatMap(([text, values = []]) => (typeof text === 'string' && /^(select|delete)\b/.test(text) ? [{ text, values }] : []));
  } finally {
    sent.mockRestore();
  }
}

/** Runs a statement under EXPLAIN ANALYZE and takes back what it did; answers all nodes of its plan. */
export async function planOf(server: TestServer, { text, values }: Statement): Promise<Plan[]> {
  const client = new pg.Client({ connectionString: server.database_url });
  await client.connect();
  try {
    await client.query('begin');
    const { rows } = await client.query<{ 'QUERY PLAN': { Plan: Plan }[] }>(`explain (analyze, format json) ${text}`, values);
    await client.query('rollback');
    const flat = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(flat)];
    return (rows[0]?.['QUERY PLAN'] ?? []).flatMap((found) => flat(found.Plan));
  } finally {
    await client.end();
  }
}

/** How many rows of a table were looked at, those that were thrown away included. */
export function rowsRead(plan: Plan[], table: string): number {
  return plan
    .filter((node) => node['Relation Name'] === table)
    .reduce((sum, node) => sum + (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'], 0);
}
