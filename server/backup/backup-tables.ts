import type pg from 'pg';
import { identifierPattern, type TableHeader } from './file-format.ts';

/** Kysely's own tables: a restore fills them by running the migrations. */
const migrationTables = ['kysely_migration', 'kysely_migration_lock'];

export async function migrationsOf(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>('select name from kysely_migration order by name');
  return rows.map(({ name }) => name);
}

/** All tables with their stored columns, but for what an operator added with a name that ours never have. A table comes after those that its rows refer to, so that a restore needs no special rights. */
export async function tablesInOrder(client: pg.ClientBase): Promise<TableHeader[]> {
  const { rows: tables } = await client.query<TableHeader>(
    `select c.relname as table, array_agg(a.attname::text order by a.attnum) as columns
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
     where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and c.relname <> all($1)
       and c.relname ~ $2 and a.attname ~ $2
     group by c.relname order by c.relname`,
    [migrationTables, identifierPattern.source],
  );
  const { rows: references } = await client.query<{ from: string; to: string }>(
    `select distinct f.relname as from, t.relname as to
     from pg_constraint x join pg_class f on f.oid = x.conrelid join pg_class t on t.oid = x.confrelid
     where x.contype = 'f' and x.connamespace = current_schema()::regnamespace and x.conrelid <> x.confrelid`,
  );
  return sorted(tables, references);
}

function sorted(tables: TableHeader[], references: { from: string; to: string }[]): TableHeader[] {
  const done = new Set<string>();
  const inOrder: TableHeader[] = [];
  while (inOrder.length < tables.length) {
    const next = tables.filter(({ table }) => !done.has(table) && references.every(({ from, to }) => from !== table || done.has(to)));
    if (!next.length) throw new Error('Tables refer to each other in a circle, so no order of them can be restored.');
    for (const one of next) done.add(one.table);
    inOrder.push(...next);
  }
  return inOrder;
}

/** The last number of each identity column, by `table.column`. */
export async function identityNumbers(client: pg.ClientBase): Promise<Record<string, number>> {
  const { rows } = await client.query<{ column: string; sequence: string }>(
    `select c.relname || '.' || a.attname as column, pg_get_serial_sequence(c.oid::regclass::text, a.attname) as sequence
     from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and a.attidentity <> ''`,
  );
  const numbers: Record<string, number> = {};
  for (const { column, sequence } of rows) {
    const { rows: last } = await client.query<{ last: string; used: boolean }>(
      `select last_value as last, is_called as used from ${sequence}`,
    );
    if (last[0]?.used) numbers[column] = Number(last[0].last);
  }
  return numbers;
}

export const quoted = (columns: string[]) => columns.map((column) => `"${column}"`).join(', ');
