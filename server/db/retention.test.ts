import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestServer, testServer } from '../testing/world.ts';
import { batchStatement } from './delete-old.ts';
import { deletionRules, fates } from './retention.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

/** Kysely's table of the migrations that have run. */
const migrationTables = ['kysely_migration', 'kysely_migration_lock'];

interface ForeignKey {
  child: string;
  parent: string;
  /** `a`: no action. `c`: cascade. `n`: set null. */
  on_delete: string;
}

async function foreignKeys(): Promise<ForeignKey[]> {
  const { rows } =
    await sql<ForeignKey>`select conrelid::regclass::text as child, confrelid::regclass::text as parent, confdeltype as on_delete
    from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace`.execute(server.db);
  return rows;
}

const dependentsOf = (parent: string) =>
  deletionRules.flatMap(({ table, dependents = [] }) => (table === parent ? dependents.map((one) => one.table as string) : []));

test('[P14.4] each table of the database has an entry that says what becomes of its rows with time', async () => {
  const { rows } = await sql<{ name: string }>`select tablename as name from pg_tables where schemaname = 'public'`.execute(server.db);
  const tables = rows.map(({ name }) => name).filter((name) => !migrationTables.includes(name));
  expect(Object.keys(fates).toSorted()).toEqual(tables.toSorted());
});

test('a rule deletes by the primary key of its table', async () => {
  const { rows } = await sql<{ table: string; key: string[] }>`select conrelid::regclass::text as "table", array(
      select attname::text from unnest(conkey) with ordinality as k (attnum, n) join pg_attribute a on a.attrelid = conrelid and a.attnum = k.attnum order by n
    ) as key from pg_constraint where contype = 'p' and connamespace = 'public'::regnamespace`.execute(server.db);
  const primaryKeys = Object.fromEntries(rows.map(({ table, key }) => [table, key]));
  expect(deletionRules.length).toBeGreaterThan(25);
  for (const { table, key } of deletionRules) expect([table, key]).toEqual([table, primaryKeys[table]]);
});

test('a row that goes with another one is deleted by a foreign key or in the same statement', async () => {
  const keys = await foreignKeys();
  const withOthers = Object.entries(fates).flatMap(([child, fate]) => ('with' in fate ? [{ child, parent: fate.with as string }] : []));
  expect(withOthers.length).toBeGreaterThan(5);
  for (const { child, parent } of withOthers) {
    const cascades = keys.some((one) => one.child === child && one.parent === parent && one.on_delete === 'c');
    expect([child, cascades || dependentsOf(parent).includes(child)]).toEqual([child, true]);
  }
});

test('no foreign key refuses the deletion of an old row', async () => {
  const deletedTables = new Set(deletionRules.map(({ table }) => table as string));
  const refusing = (await foreignKeys()).filter(
    ({ child, parent, on_delete }) => deletedTables.has(parent) && !['c', 'n'].includes(on_delete) && !dependentsOf(parent).includes(child),
  );
  expect(refusing).toEqual([]);
});

interface PlanNode {
  'Node Type': string;
  'Subplan Name'?: string;
  'Relation Name'?: string;
  'Index Cond'?: string;
  Plans?: PlanNode[];
}

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

/** The plan for tables of any size: PostgreSQL reads one from end to end, or sorts, only where no index helps. */
async function planOf(statement: ReturnType<typeof batchStatement>): Promise<PlanNode[]> {
  return server.db.transaction().execute(async (trx) => {
    for (const way of ['seqscan', 'bitmapscan', 'sort']) await sql`set local ${sql.raw(`enable_${way}`)} = off`.execute(trx);
    const { rows } = await sql<{ 'QUERY PLAN': { Plan: PlanNode }[] }>`explain (format json) ${statement}`.execute(trx);
    return rows.flatMap((row) => row['QUERY PLAN'].flatMap(({ Plan }) => nodesOf(Plan)));
  });
}

test('an index gives the oldest rows of each table in their order, however many there are', async () => {
  for (const rule of deletionRules.filter(({ few_rows }) => !few_rows)) {
    for (const from of [null, new Date('2020-01-01')]) {
      const plan = await planOf(batchStatement(rule, server.clock.now(), from));
      const oldest = plan.filter((node) => node['Subplan Name'] === 'CTE old').flatMap(nodesOf);
      const byAge = oldest.filter(
        (node) => node['Relation Name'] === rule.table && node['Index Cond']?.replaceAll('"', '').includes(`${String(rule.since)} <=`),
      );
      const whole = [
        ...plan.filter((node) => node['Node Type'] === 'Seq Scan'),
        ...oldest.filter((node) => node['Node Type'].includes('Sort')),
      ].map((node) => `${node['Node Type']} ${node['Relation Name'] ?? ''}`);
      expect([rule.table, rule.since, byAge.length, whole]).toEqual([rule.table, rule.since, 1, []]);
    }
  }
});
