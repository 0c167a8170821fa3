import { type Kysely, sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import { DatabaseRefused } from './first-connection.ts';
import { databaseRefusal, migrationIds, statementsOf } from './migrations.ts';
import type { Db } from './open.ts';

/**
 * One transaction per migration, so that a running server waits only briefly; all in one where no tables are yet, since nobody waits there. Kysely
 * locks, because several servers may start at once. Throws `DatabaseRefused` for a database that this version cannot use, which stays as it is, or
 * the error of the failed migration; the earlier ones stay. `until`: the last migration to run. `schema`: where the connection's tables are, if
 * another schema has such tables too.
 */
export async function migrate(db: Db, { until, schema }: { until?: string | undefined; schema?: string } = {}): Promise<void> {
  const refusal = databaseRefusal(await appliedMigrations(db));
  if (refusal) throw new DatabaseRefused(refusal);
  const wantedIds = migrationIds.slice(0, until === undefined ? undefined : migrationIds.indexOf(until) + 1);
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => Object.fromEntries(wantedIds.map((id) => [id, migrationOf(id)])) },
    ...(schema ? { migrationTableSchema: schema } : {}),
  });
  const isNew = (await migrator.getMigrations()).every(({ executedAt }) => !executedAt);
  for (;;) {
    const { error, results } = await (isNew ? migrator.migrateToLatest() : migrator.migrateUp());
    if (error) throw error;
    if (!results?.length) return;
  }
}

/** Without parameters, PostgreSQL takes all statements of a file at once. */
const migrationOf = (id: string) => ({ up: async (db: Kysely<unknown>) => void (await sql.raw(statementsOf(id)).execute(db)) });

/** The migrations that ran here, in their order; empty for a new database. Throws `DatabaseRefused` for one with tables of another program. */
export async function appliedMigrations(db: Db): Promise<string[]> {
  const { rows: found } = await sql<{ ours: boolean; accounts: boolean }>`select to_regclass('kysely_migration') is not null as ours,
    to_regclass('accounts') is not null as accounts`.execute(db);
  if (!found[0]?.ours) {
    if (found[0]?.accounts)
      throw new DatabaseRefused(
        'This database has tables of another program. Porchlight needs a database of its own: create one, and name it in DATABASE_URL.',
      );
    return [];
  }
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by timestamp, name`.execute(db);
  return rows.map(({ name }) => name);
}
