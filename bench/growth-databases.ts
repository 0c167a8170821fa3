import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { putReadyCluster } from '@porchlight/dev/ready-cluster.ts';
import { startEmbedded } from '@porchlight/server/db/embedded/start.ts';
import { type Db, poolOf, withPool } from '@porchlight/server/db/open.ts';
import { largeTables } from '@porchlight/server/testing/grow.ts';
import type { Plan, Statement } from '@porchlight/server/testing/statements.ts';

/** A sequential scan that a `limit` ends sooner reads no table whole. */
const fewRows = 1_000;

interface GrownDatabase {
  db: Db;
  /** The large tables that the statements of `work` read whole, each with its statement. */
  readWhole(work: () => Promise<unknown>): Promise<string[]>;
}

/** Two databases of one PostgreSQL, empty but for the server's tables. Closed after `work`. */
export async function withTwoDatabases(work: (small: GrownDatabase, large: GrownDatabase) => Promise<void>): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'porchlight-growth-'));
  const closers: (() => Promise<unknown>)[] = [() => rm(dataDir, { recursive: true, force: true })];
  try {
    await putReadyCluster(dataDir);
    const { url, stop } = await startEmbedded({ folder: join(dataDir, 'postgres'), log: () => {} });
    closers.push(stop);
    const urlOfDatabase = (name: string) => url.replace('/porchlight?', `/${name}?`);
    const admin = poolOf(urlOfDatabase('postgres'), 1);
    await admin.query('create database large template porchlight').finally(() => admin.end());
    const [small, large] = [recorded(url), recorded(urlOfDatabase('large'))];
    closers.push(small.close, large.close);
    await work(small, large);
  } finally {
    for (const close of closers.reverse()) await close();
  }
}

function recorded(url: string): GrownDatabase & { close(): Promise<void> } {
  const pool = poolOf(url, 1);
  const plainConnect = pool.connect.bind(pool);
  let statements: Statement[] | null = null;
  const connect = async () => {
    const client = await plainConnect();
    const query = (text: string, values: unknown[]) => {
      if (/^\s*(with|select|update|delete)\b/.test(text)) statements?.push({ text, values });
      return client.query(text, values);
    };
    return { query: query as typeof client.query, release: () => client.release() };
  };
  const { options } = pool;
  const { db, close } = withPool({ options, connect: connect as typeof pool.connect, end: () => pool.end() } as typeof pool);
  const tables: readonly string[] = largeTables;
  return {
    db,
    close,
    async readWhole(work) {
      statements = [];
      await work();
      const seen = statements;
      statements = null;
      if (!seen.length) throw new Error('A hot query sent no statement.');
      const found: string[] = [];
      const client = await plainConnect();
      for (const { text, values } of seen) {
        await client.query('begin');
        const { rows } = await client.query<{ 'QUERY PLAN': { Plan: Plan }[] }>(`explain (analyze, buffers, format json) ${text}`, values);
        await client.query('rollback');
        const nodes = (rows[0]?.['QUERY PLAN'] ?? []).flatMap(({ Plan: plan }) => nodesOf(plan));
        const whole = nodes.filter(
          (node) => node['Node Type'].endsWith('Seq Scan') && tables.includes(node['Relation Name'] ?? '') && rowsRead(node) > fewRows,
        );
        found.push(...whole.map((node) => `${node['Relation Name']}: ${text.trim().slice(0, 200)}`));
      }
      client.release();
      return found;
    },
  };
}

const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];
const rowsRead = (node: Plan) => (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'];
