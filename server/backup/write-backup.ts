import { createHash } from 'node:crypto';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createZstdCompress } from 'node:zlib';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { identityNumbers, migrationsOf, quoted, tablesInOrder } from './backup-tables.ts';
import { type BackupEnd, type BackupHeader, rowsEnd } from './file-format.ts';

/** Writes a database as of one moment, while it is in use: writers wait for nothing. Memory does not grow with the database. Returns the number of rows. */
export async function writeBackup(url: string, header: Omit<BackupHeader, 'migrations'>, file: Writable): Promise<number> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  // A lost connection also rejects the running statement.
  client.on('error', () => {});
  await client.connect();
  try {
    await client.query('begin isolation level repeatable read, read only');
    for (const setting of copySettings) await client.query(`set local ${setting}`);
    let rows = 0;
    await pipeline(
      linesOf(client, header, (count) => {
        rows += count;
      }),
      createZstdCompress(),
      file,
    );
    await client.query('commit');
    return rows;
  } finally {
    await client.end().catch(() => {});
  }
}

/** Values are written alike whatever the defaults of a role or a server are. */
const copySettings = [
  "client_encoding to 'UTF8'",
  "datestyle to 'ISO, YMD'",
  "intervalstyle to 'postgres'",
  "bytea_output to 'hex'",
  'extra_float_digits to 1',
  // A database may limit statements of people, and a large table takes longer.
  'statement_timeout to 0',
  'idle_in_transaction_session_timeout to 0',
];

async function* linesOf(
  client: pg.Client,
  header: Omit<BackupHeader, 'migrations'>,
  onRows: (count: number) => void,
): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  const hashed = (bytes: Buffer) => {
    hash.update(bytes);
    return bytes;
  };
  const line = (value: object) => Buffer.from(`${JSON.stringify(value)}\n`);
  const migrations = await migrationsOf(client);
  yield hashed(line({ ...header, migrations } satisfies BackupHeader));

  const counts: Record<string, number> = {};
  for (const { table, columns } of await tablesInOrder(client)) {
    yield hashed(line({ table, columns }));
    const rows = client.query(copyTo(`copy "${table}" (${quoted(columns)}) to stdout`));
    for await (const chunk of rows) yield hashed(chunk as Buffer);
    yield hashed(Buffer.from(rowsEnd));
    counts[table] = rows.rowCount;
    onRows(rows.rowCount);
  }
  // Sequences are outside of the transaction, so they are read last: a number that is too high only leaves a gap.
  const numbers = await identityNumbers(client);
  yield line({ end: { rows: counts, numbers, sha256: hash.digest('hex') } satisfies BackupEnd });
}
