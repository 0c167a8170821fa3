import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { counted } from '@porchlight/contract/language.ts';
import { sql } from 'kysely';
import type { Config } from '../../config.ts';
import { tryDatabase } from '../../db/first-connection.ts';
import { appliedMigrations } from '../../db/migrate.ts';
import { databaseRefusal, fileOf, migrationIds } from '../../db/migrations.ts';
import { type Db, openDb } from '../../db/open.ts';
import { readSchema, schemaDifferences, schemaError, schemaWarning } from '../../db/schema.ts';
import type { Clock } from '../../lib/clock.ts';
import { within } from '../../lib/within.ts';
import { databaseAddress } from '../database.ts';
import { type Check, error, type Finding, ok, reasonOf, unknown, warning } from './check.ts';

/** `db`: null while it cannot be reached; `finding` says why. */
export interface OpenedDatabase {
  db: Db | null;
  finding: Finding;
  /** PostgreSQL's; 0 without a connection. */
  max_connections: number;
  close(): Promise<void>;
}

const [oldestMajor, newestMajor] = [15, 18];
/** In milliseconds. Within the first, differences come from the network; beyond the second, signed documents are refused. */
const clockLimits = { warning: 5_000, error: 60_000 };

/** Opens the database without migrating it, which only a start may do. Never rejects. */
export async function openUnchanged(config: Config): Promise<OpenedDatabase> {
  const nothing = { db: null, max_connections: 0, close: async () => {} };
  if (config.database_url === undefined && !(await hasCluster(config.data_dir)))
    return { ...nothing, finding: unknown(`There is no database in ${config.data_dir} yet; the first start makes it.`) };
  let stop = nothing.close;
  try {
    const { url, close } = await databaseAddress(config);
    stop = close;
    const { max_connections } = await tryDatabase(url);
    const { db, close: disconnect } = openDb(url, 4);
    const place = config.database_url === undefined ? `The database in ${config.data_dir}` : `The database of DATABASE_URL`;
    return {
      ...{ db, max_connections, finding: ok(`${place} answers.`) },
      async close() {
        await disconnect();
        await stop();
      },
    };
  } catch (reason) {
    return { ...nothing, close: stop, finding: error(endWithStop(reasonOf(reason))) };
  }
}

/**
 * Closes it within `limitMs`, because a database that never answers is never closed either. A failure is ignored: what was found out is
 * worth more, and the next start uses an embedded database that still runs.
 */
export async function closeWithin(opening: Promise<OpenedDatabase>, limitMs: number): Promise<void> {
  const closing = opening.then(({ close }) => close()).catch(() => {});
  await within(closing, limitMs, () => {});
}

const endWithStop = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`);

const hasCluster = (data_dir: string) =>
  access(join(data_dir, 'postgres', 'cluster', 'PG_VERSION')).then(
    () => true,
    // The user who runs the command may not be the database's.
    ({ code }: NodeJS.ErrnoException) => code !== 'ENOENT',
  );

/** A check that needs the database, and says so when there is none. */
export function withDatabase(
  { database }: { database: Promise<OpenedDatabase> },
  check: Omit<Check, 'run' | 'after'>,
  run: (db: Db, signal: AbortSignal) => ReturnType<Check['run']>,
): Check {
  return {
    ...check,
    needs: ['DATABASE_URL', 'DATA_DIR', ...(check.needs ?? [])],
    after: database,
    async run(signal) {
      const { db } = await database;
      return db ? run(db, signal) : unknown('This cannot be checked without the database.');
    },
  };
}

export function databaseChecks(config: Config, clock: Clock, database: Promise<OpenedDatabase>): Check[] {
  const { shared, urgent, background } = config.connections;
  return [
    { id: 'database.connection', needs: ['DATABASE_URL', 'DATA_DIR'], run: async () => (await database).finding },
    withDatabase({ database }, { id: 'database.version' }, async (db) => versionFinding(await versionOf(db))),
    withDatabase({ database }, { id: 'database.migrations' }, async (db) => migrationFinding(await appliedMigrations(db))),
    withDatabase({ database }, { id: 'database.tables' }, tablesFinding),
    withDatabase({ database }, { id: 'database.connections' }, async () =>
      connectionFinding((await database).max_connections, shared + urgent + background),
    ),
    withDatabase({ database }, { id: 'database.clock' }, async (db) => databaseClockFinding(await clockDifference(db, clock))),
  ];
}

/** Such as 180004 for 18.4. */
export async function versionOf(db: Db): Promise<number> {
  const { rows } = await sql<{ server_version_num: string }>`show server_version_num`.execute(db);
  return Number(rows[0]?.server_version_num);
}

/** `18.4` */
export const versionText = (versionNumber: number) => `${Math.floor(versionNumber / 10_000)}.${versionNumber % 10_000}`;

export function versionFinding(versionNumber: number): Finding {
  const version = `PostgreSQL ${versionText(versionNumber)}`;
  const major = Math.floor(versionNumber / 10_000);
  if (major < oldestMajor)
    return error(`This is ${version}. Porchlight needs version ${oldestMajor} to ${newestMajor}: update PostgreSQL.`);
  if (major > newestMajor)
    return warning(
      `This is ${version}, and Porchlight is tested with version ${oldestMajor} to ${newestMajor}. Read the news of PostgreSQL.`,
    );
  return ok(`${version}.`);
}

export function migrationFinding(applied: string[]): Finding {
  const refusal = databaseRefusal(applied);
  if (refusal) return error(refusal);
  const missing = migrationIds.filter((id) => !applied.includes(id)).map(fileOf);
  if (missing.length)
    return warning(
      `${counted(missing.length, 'change')} of the tables did not run yet (${missing[0]}${missing.length > 1 ? ' and after' : ''}); the next start of the server runs ${missing.length === 1 ? 'it' : 'them'}. Make a backup first.`,
    );
  return ok(`The tables are those of this version (${fileOf(migrationIds.at(-1) ?? '')}).`);
}

/** Whether something else than the migrations has changed the tables. */
async function tablesFinding(db: Db): Promise<Finding> {
  const applied = await appliedMigrations(db);
  if (databaseRefusal(applied) || applied.length < migrationIds.length)
    return unknown('The tables are compared once the database has those of this version.');
  const differences = schemaDifferences(await readSchema(db));
  const [problem, added] = [schemaError(differences), schemaWarning(differences)];
  return problem ? error(problem) : added ? warning(added) : ok('Each table, column, constraint and index is there.');
}

export function connectionFinding(allowed: number, used: number): Finding {
  if (used >= allowed)
    return warning(
      `This PostgreSQL allows ${allowed} connections, and DATABASE_CONNECTIONS, DATABASE_CONNECTIONS_URGENT and DATABASE_CONNECTIONS_JOBS are ${used} together: lower them, or raise max_connections.`,
    );
  return ok(`A server uses up to ${used + 1} of the ${allowed} connections; several servers share them.`);
}

/** Milliseconds by which this computer is ahead of the database. */
export async function clockDifference(db: Db, clock: Clock): Promise<number> {
  const before = clock.now().getTime();
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(db);
  // The database read its clock somewhere between the two moments.
  return (before + clock.now().getTime()) / 2 - (rows[0]?.now.getTime() ?? Number.NaN);
}

function databaseClockFinding(aheadMs: number): Finding {
  const difference = Math.abs(aheadMs);
  if (difference < clockLimits.warning) return ok('This computer and the database have the same time.');
  const text = `This computer's clock is ${inWords(difference)} ${aheadMs > 0 ? 'ahead of' : 'behind'} the database's. Synchronise both by NTP.`;
  return difference < clockLimits.error ? warning(text) : error(text);
}

export const inWords = (ms: number) => (ms < 120_000 ? `${Math.round(ms / 1000)} seconds` : `${Math.round(ms / 60_000)} minutes`);
