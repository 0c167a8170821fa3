import pg from 'pg';
import { vi } from 'vitest';
import type { TestServer } from './world.ts';

export interface Statement {
  text: string;
  values: unknown[];
}

export interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: Plan[];
}

/** The select and delete statements that this process sent during `work`. */
export async function statementsOf(work: () => Promise<unknown>): Promise<Statement[]> {
  const querySpy = vi.spyOn(pg.Client.prototype, 'query');
  try {
    await work();
    const calls = querySpy.mock.calls as unknown as [string | Statement | undefined, unknown[]?][];
    // A prepared statement is one object, with a name.
    return calls.flatMap(([sent, values = []]) => {
      const statement = typeof sent === 'string' ? { text: sent, values } : sent;
      return statement && /^(select|delete)\b/.test(statement.text ?? '') ? [{ text: statement.text, values: statement.values ?? [] }] : [];
    });
  } finally {
    querySpy.mockRestore();
  }
}

/** Runs a statement under EXPLAIN ANALYZE, after the `settings` of its transaction, and rolls it back; answers all nodes of its plan. */
export async function planOf(server: TestServer, { text, values }: Statement, settings: Statement[] = []): Promise<Plan[]> {
  const client = new pg.Client({ connectionString: server.database_url });
  await client.connect();
  try {
    await client.query('begin');
    for (const setting of settings) await client.query(setting.text, setting.values);
    const { rows } = await client.query<{ 'QUERY PLAN': { Plan: Plan }[] }>(`explain (analyze, format json) ${text}`, values);
    await client.query('rollback');
    const flat = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(flat)];
    return (rows[0]?.['QUERY PLAN'] ?? []).flatMap((row) => flat(row.Plan));
  } finally {
    await client.end();
  }
}

/** Rows of a table that were read, including discarded rows. */
export function rowsRead(plan: Plan[], table: string): number {
  return plan
    .filter((node) => node['Relation Name'] === table)
    .reduce((sum, node) => sum + (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'], 0);
}
